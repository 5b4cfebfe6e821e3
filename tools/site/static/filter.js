// A page with <input class="filter"> shows only the rows and names that have all the words typed; sections left empty are hidden.
document.addEventListener("DOMContentLoaded", () => {
  const input = document.querySelector("input.filter");
  if (!input) return;
  const sections = [...document.querySelectorAll("article section section")];
  const items = [...document.querySelectorAll("article tbody tr, article section section > ul > li, article section section > p > code")];
  // A name is found with its namespace, which is the heading: tf.math.log.
  const texts = items.map((item) => {
    const heading = item.closest("section").querySelector("h2").firstChild.textContent;
    return `${heading}.${item.textContent} ${heading}`.toLowerCase();
  });

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    items.forEach((item, i) => item.classList.toggle("filtered-out", !words.every((word) => texts[i].includes(word))));
    for (const section of sections) {
      const own = items.filter((item) => section.contains(item));
      section.classList.toggle("filtered-out", own.length > 0 && own.every((item) => item.classList.contains("filtered-out")));
    }
  }

  input.addEventListener("input", filter);
  filter();
});
