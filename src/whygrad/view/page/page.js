"use strict";
// The page of a trace. All text of the program goes into the document as text nodes, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  function drawing(tag, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }
  function figure(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "string") return value; // "nan" or "inf"
    if (value === 0) return "0";
    const size = Math.abs(value);
    return size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
  }
  const prose = (text) => text.split(/`([^`]+)`/).map((piece, i) => (i % 2 ? element("code", {}, piece) : piece)); // names stand in backquotes
  const unquoted = (text) => text.replaceAll("`", "");
  const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const percent = (share) => (share === 0 ? "0 %" : share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`);

  // -- theme --
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => root.setAttribute("data-theme", prefersDark.matches ? "dark" : "light");
  follow();
  prefersDark.addEventListener("change", follow);
  byId("theme").addEventListener("click", () => {
    root.setAttribute("data-theme", root.getAttribute("data-theme") === "dark" ? "light" : "dark");
  });

  // -- the program --
  const lineElements = new Map(); // "file:line" -> element
  const exception = data.exception && !data.exception.explained ? data.exception : null; // that no finding explains

  function spansOf(text, tokens, marks) {
    const edges = new Set([0, text.length]);
    for (const [start, end] of [...tokens, ...marks]) { edges.add(Math.min(start, text.length)); edges.add(Math.min(end, text.length)); }
    const places = [...edges].sort((a, b) => a - b);
    const pieces = [];
    for (let i = 0; i + 1 < places.length; i++) {
      const [start, end] = [places[i], places[i + 1]];
      const classes = [];
      for (const [from, to, kind] of [...tokens, ...marks]) if (from <= start && end <= to) classes.push(kind);
      const piece = text.slice(start, end);
      pieces.push(classes.length ? element("span", { class: classes.join(" ") }, piece) : piece);
    }
    return pieces;
  }

  function noteOf(finding, number, site, index) {
    const causing = index === 0;
    const label = [site.role, site.note].filter(Boolean).join(": ");
    const note = element("div", {
      class: `note ${causing ? "causing" : "secondary"} ${finding.likely ? "likely" : ""}`, "data-finding": number, "data-label": `${site.role}: ${site.note}`,
      onclick: () => pickLine(site.file, site.line),
    }, element("span", { class: "number" }, String(number + 1)), element("span", { class: "role" }, ...prose(label)));
    if (causing) {
      note.append(element("p", {}, ...prose((finding.likely ? "likely: " : "") + finding.sentence)));
      if (finding.help) note.append(helpOf(finding));
      note.append(element("p", { class: "kind" }, finding.kind));
    }
    return note;
  }
  const helpOf = (finding) => element("p", { class: "help" }, element("b", {}, "help"), " ", ...prose(finding.help));

  function showProgram() {
    const marks = new Map(), notes = new Map();
    data.findings.forEach((finding, number) => {
      finding.sites.forEach((site, index) => {
        for (let line = site.line; line <= site.endLine; line++) {
          const key = `${site.file}:${line}`;
          const start = line === site.line ? site.column : 0;
          const end = line === site.endLine && site.endColumn ? site.endColumn : 1e6;
          const kind = `at ${index === 0 ? "causing" : ""} ${finding.likely ? "likely-at" : ""}`;
          if (!marks.has(key)) marks.set(key, []);
          marks.get(key).push([start, end, kind]);
        }
        const key = `${site.file}:${site.line}`;
        if (!notes.has(key)) notes.set(key, []);
        const same = index > 0 && notes.get(key).find((each) => each.classList.contains("secondary") && each.dataset.label === `${site.role}: ${site.note}`);
        if (same) same.querySelector(".role").before(element("span", { class: "number" }, String(number + 1)));
        else notes.get(key).push(noteOf(finding, number, site, index));
      });
    });
    if (exception && exception.site) {
      const { file, line, endLine, column, endColumn, role } = exception.site;
      for (let each = line; each <= endLine; each++) {
        if (!marks.has(`${file}:${each}`)) marks.set(`${file}:${each}`, []);
        marks.get(`${file}:${each}`).push([each === line ? column : 0, each === endLine && endColumn ? endColumn : 1e6, "at causing"]);
      }
      const note = element("div", { class: "note causing", onclick: () => pickLine(file, line) }, element("span", { class: "role" }, role), element("p", { class: "raised" }, exception.text));
      if (!notes.has(`${file}:${line}`)) notes.set(`${file}:${line}`, []);
      notes.get(`${file}:${line}`).unshift(note);
    }
    const used = new Set();
    for (const step of data.steps) for (const node of step.nodes) {
      if (node.at !== null) used.add(`${data.places[node.at].file}:${data.places[node.at].line}`);
    }
    const pane = byId("source");
    data.findings.forEach((finding, number) => {
      if (finding.sites.some((site) => site.line >= 1 && site.line <= data.files[site.file].lines.length)) return;
      pane.append(element("div", { class: "placeless", "data-finding": number },
        element("span", { class: "number" }, String(number + 1)), " ", ...prose(finding.sentence),
        finding.help ? helpOf(finding) : null));
    });
    if (exception && !exception.site) pane.append(element("div", { class: "placeless" }, element("p", {}, exception.text)));
    data.files.forEach((file, f) => {
      const section = element("section", { class: "file" }, element("h2", {}, file.name));
      file.lines.forEach((text, i) => {
        const key = `${f}:${i + 1}`;
        const number = used.has(key)
          ? element("button", { class: "no", title: "show in the graph", "aria-label": `line ${i + 1}: show in the graph`, onclick: () => pickLine(f, i + 1) }, String(i + 1))
          : element("span", { class: "no" }, String(i + 1));
        const lineMarks = (marks.get(key) || []).map(([start, end, kind]) => [Math.max(start, text.length - text.trimStart().length), end, kind]);
        const code = element("code", {}, ...spansOf(text, file.tokens[i + 1] || [], lineMarks));
        if (used.has(key)) code.addEventListener("click", () => { if (getSelection().isCollapsed) pickLine(f, i + 1); });
        const line = element("div", { class: `line ${notes.has(key) ? "noted" : ""}`, "data-line": key }, number, code, ...(notes.get(key) || []));
        lineElements.set(key, line);
        section.append(line);
      });
      pane.append(section);
    });
  }

  const FARTHEST = 240; // that a note may stand below its line; farther, it stands between the lines
  function placeNotes() {
    for (const section of document.querySelectorAll(".file")) {
      const notes = section.querySelectorAll(".note");
      for (const note of notes) note.classList.remove("inline");
      let bottom = 0;
      for (const note of notes) {
        if (bottom > note.parentElement.offsetTop + FARTHEST) { note.classList.add("inline"); continue; }
        const top = Math.max(note.parentElement.offsetTop, bottom);
        note.style.top = `${top}px`;
        bottom = top + note.offsetHeight + 8;
      }
      section.style.minHeight = `${bottom}px`;
    }
  }

  function goToLine(file, line) {
    const found = lineElements.get(`${file}:${line}`);
    for (const each of document.querySelectorAll(".line.picked")) each.classList.remove("picked");
    if (!found) return;
    found.classList.add("picked");
    found.scrollIntoView({ block: "nearest" });
  }

  // -- findings --
  let currentFinding = -1;
  function showFindings() {
    const list = byId("findings");
    if (!data.findings.length) list.append(element("span", { class: "healthy" }, data.healthy));
    if (exception) {
      const { kind, text, site } = exception;
      list.prepend(element("button", { class: "chip", title: text, onclick: () => { if (site) pickLine(site.file, site.line); } }, element("span", { class: "number" }, "!"), kind));
    }
    data.findings.forEach((finding, number) => {
      list.append(element("button", { class: `chip ${finding.likely ? "likely" : ""}`, "data-finding": number, title: finding.sentence, onclick: () => goToFinding(number) },
        element("span", { class: "number" }, String(number + 1)), element("b", {}, finding.symptom), finding.kind));
    });
  }
  function goToFinding(number) {
    if (!data.findings.length) return;
    currentFinding = (number + data.findings.length) % data.findings.length;
    const finding = data.findings[currentFinding];
    if (finding.step !== null && finding.step !== stepNumber) chooseStep(finding.step);
    for (const chip of document.querySelectorAll(".chip[data-finding]")) {
      const isCurrent = chip.dataset.finding === String(currentFinding);
      chip.classList.toggle("current", isCurrent);
      if (isCurrent) chip.scrollIntoView({ block: "nearest" });
    }
    const site = finding.sites[0];
    if (site) pickLine(site.file, site.line);
  }

  // -- the graph: groups of ops, opened and closed --
  let stepNumber = data.shown, step = null, opPlaces = new Set(), eventPlaces = new Set(), largest = 0;
  let chains = [], groups = new Map(), open = new Set(), picked = null, hits = new Set();
  let drawn = new Map(), bounds = { x: 0, y: 0, width: 100, height: 100 }, view = null, neighbours = new Map();
  const canvas = byId("canvas");
  const FEW_LINES = 45, FEW_OPS = 60, FEW_ROOTS = 40, FEW_OF_A_LINE = 8;
  const FADED = 1e-6; // of the largest gradient of a step: so small a one changes nothing beside it
  const READABLE = 0.62; // the scale of a graph that is too large to be shown whole
  const TITLE = 14; // room for the title of a frame, above what dagre gives it

  function prepare() {
    step = data.steps[stepNumber];
    largest = Math.max(0, ...step.nodes.filter((node) => Number.isFinite(node.gradient)).map((node) => node.gradient));
    opPlaces = new Set(step.nodes.filter((node) => node.kind === "op").map((node) => node.at));
    eventPlaces = new Set(step.nodes.filter(hasEvent).map((node) => node.at));
    groups = new Map(); open = new Set(); picked = null;
    const many = new Set(["variable", "data"].filter((kind) => step.nodes.filter((node) => node.kind === kind).length > FEW_ROOTS));
    const member = (key, kind, title, i, extra = {}) => {
      if (!groups.has(key)) groups.set(key, { key, kind, title, members: [], ...extra });
      groups.get(key).members.push(i);
    };
    const functionOf = (place) => `f|${place.file}|${place.function}`;
    const scopeOf = step.nodes.map(() => undefined); // of a variable: the place of the scope, such as a layer, that alone uses it, or null
    step.nodes.forEach((node) => node.links.forEach(([origin]) => {
      if (step.nodes[origin].kind !== "variable") return;
      const place = node.at === null ? null : data.places[node.at], known = scopeOf[origin];
      scopeOf[origin] = place && place.isScope && (known === undefined || (known && functionOf(known) === functionOf(place))) ? place : null;
    }));
    const lineOf = step.nodes.map(() => undefined); // of a variable: the line that alone uses it, or null
    step.nodes.forEach((node) => node.links.forEach(([origin]) => {
      const place = node.at === null ? null : data.places[node.at], line = place && `${place.file}:${place.line}`;
      if (step.nodes[origin].kind === "variable") lineOf[origin] = lineOf[origin] === undefined || lineOf[origin] === line ? line : null;
    }));
    const usedThere = new Map(); // how many variables only that line uses
    lineOf.forEach((line, i) => { if (line && !scopeOf[i]) usedThere.set(line, (usedThere.get(line) || 0) + 1); });
    chains = step.nodes.map((node, i) => {
      if (scopeOf[i]) {
        const scope = functionOf(scopeOf[i]);
        member(scope, "function", scopeOf[i].function, i, { file: scopeOf[i].file, line: scopeOf[i].line, isScope: true });
        return [scope, `n${i}`];
      }
      if (node.kind === "variable" || node.kind === "data") {
        if (usedThere.get(lineOf[i]) > FEW_OF_A_LINE) { // the weights of layers that a loop goes through
          member(`v|${lineOf[i]}`, "roots", node.name, i);
          return [`v|${lineOf[i]}`, `n${i}`];
        }
        if (!many.has(node.kind)) return [`n${i}`];
        member(node.kind, "roots", node.kind === "variable" ? "variables" : "data", i);
        return [node.kind, `n${i}`];
      }
      const place = data.places[node.at];
      const inFunction = functionOf(place);
      const onLine = `l|${inFunction}|${place.line}`;
      const expression = `e|${onLine}|${node.at}|${node.name}`;
      member(inFunction, "function", place.function, i, { file: place.file, line: place.line, isScope: place.isScope });
      member(onLine, "line", place.lineText, i, { file: place.file, line: place.line });
      member(expression, "expression", place.text || node.name, i, { file: place.file, line: place.line });
      return [inFunction, onLine, expression, `n${i}`];
    });
    const lines = [...groups.values()].filter((group) => group.kind === "line").length;
    for (const group of groups.values()) {
      const opened = group.isScope ? group.members.some(isCausing) : lines <= FEW_LINES || group.members.some(isMarked); // a layer is a box until it is asked for
      if (group.kind === "function" && opened) open.add(group.key);
    }
    // Of an expression that ran very often, the first and the last ops are drawn, and those where something happened.
    for (const group of groups.values()) {
      if (group.kind !== "expression" || group.members.length <= FEW_OPS) continue;
      const shown = new Set([...group.members.slice(0, 20), ...group.members.slice(-20), ...group.members.filter(isMarked).slice(0, 20)]);
      group.rest = group.members.filter((i) => !shown.has(i));
      for (const i of group.rest) chains[i][3] = `r|${group.key}`;
      groups.set(`r|${group.key}`, { key: `r|${group.key}`, kind: "rest", title: `${group.rest.length} more`, members: group.rest, file: group.file, line: group.line });
    }
  }
  const hasFaded = ({ gradient }) => Number.isFinite(gradient) && gradient > 0 && gradient < FADED * largest;
  const isOnlyUsedThere = (node) => node.kind !== "op" && opPlaces.has(node.at); // a value that the op at this place was given
  const isBesideEvent = (node) => data.places[node.at].isScope && eventPlaces.has(node.at) && !hasEvent(node); // ops of a layer have one place
  const hasEvent = (node) => node.marks.some(([kind]) => kind === "cut" || kind === "born" || kind === "vanished" || kind === "failed");
  const isMarked = (i) => hasEvent(step.nodes[i]) || findingsAt(step.nodes[i]).length > 0;
  const isCausing = (i) => findingsAt(step.nodes[i]).some(([, causing]) => causing);
  const findingsAt = (node) => (node.at === null || isOnlyUsedThere(node) || isBesideEvent(node) ? [] : data.places[node.at].findings);

  function visible(i) { // the key that stands for node i, and the open groups around it
    const chain = chains[i], around = [];
    for (let level = 0; level < chain.length - 1; level++) {
      const group = groups.get(chain[level]);
      if (group.members.length === 1) continue;
      if (group.kind === "line" && (groups.get(chain[0]).isScope || groups.get(chain[level + 1]).members.length === group.members.length)) continue;
      if (!open.has(chain[level])) return [chain[level], around];
      around.push(chain[level]);
    }
    return [chain[chain.length - 1], around];
  }

  function contents(key) {
    return key.startsWith("n") && !groups.has(key) ? [Number(key.slice(1))] : groups.get(key).members;
  }

  const measuring = document.createElement("canvas").getContext("2d");
  function widthOf(text, font) { measuring.font = font; return measuring.measureText(text).width; }
  const style = getComputedStyle(root);
  const CODE = `12px ${style.getPropertyValue("--code")}`, SMALL = `11px ${style.getPropertyValue("--text")}`;
  const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  function describe(key) { // what a box says
    const members = contents(key), nodes = members.map((i) => step.nodes[i]);
    const group = groups.get(key), first = nodes[0], last = nodes[nodes.length - 1];
    const badges = [], classes = [];
    let title, small;
    if (!group) {
      const place = first.at === null ? null : data.places[first.at];
      title = first.kind === "op" ? (place && place.text ? clipped(place.text, 38) : first.name) : clipped(first.name, 38);
      small = [first.kind === "op" && title !== first.name ? first.name : null, first.norm !== null ? `norm ${figure(first.norm)}` : null,
        gradientText(members)].filter(Boolean).join(" · ");
      classes.push(first.kind);
    } else {
      title = group.kind === "function" && !group.title.includes(" ") ? `${group.title}()` : group.title;
      title = clipped(group.isScope ? unquoted(title) : title, 42);
      if (group.key.startsWith("v|")) title = `${clipped(first.name, 19)} … ${clipped(last.name, 19)}`;
      const ops = nodes.filter((node) => node.kind === "op").length;
      const many = group.kind === "expression" || group.kind === "rest" ? `× ${members.length}` : group.kind === "roots" ? counted(members.length, first.kind === "variable" ? "variable" : "value") : counted(ops, "op") + (ops < members.length ? ` · ${counted(members.length - ops, "variable")}` : "");
      small = [group.kind === "line" ? `line ${group.line}` : null, many, group.kind !== "roots" && last.norm !== null ? `norm ${figure(last.norm)}` : null,
        group.kind === "roots" ? rangeText(nodes) : gradientText([members[members.length - 1]])].filter(Boolean).join(" · ");
      classes.push("group");
      if (group.kind === "roots") classes.push(first.kind);
    }
    const kinds = new Set(nodes.flatMap((node) => node.marks.map(([kind]) => kind)));
    const numbers = new Map();
    for (const node of nodes) for (const [finding, causing] of findingsAt(node)) numbers.set(finding, numbers.get(finding) || causing);
    const causing = [...numbers.values()].some(Boolean);
    if (kinds.has("target")) badges.push(["blue", "target"]);
    if (kinds.has("source")) badges.push(["blue", "source"]);
    if (kinds.has("failed")) { badges.push(["red", "fails here"]); classes.push("born"); }
    if (kinds.has("born")) { badges.push(["red", "inf or nan born"]); classes.push("born"); }
    if (kinds.has("cut")) { badges.push(["red", "path cut"]); classes.push("cut"); }
    if (kinds.has("vanished")) { badges.push([causing ? "red" : "amber", "gradient vanishes"]); classes.push("vanished"); }
    else if (nodes.some(hasFaded)) badges.push(["amber", "gradient fades"]);
    if (numbers.size) {
      if (causing) classes.push("causing");
      for (const [finding, isCause] of [...numbers].slice(0, 4)) badges.push([isCause ? "red" : "", `${finding + 1}`]);
    }
    if (nodes.every((node) => !node.leads)) classes.push("aside");
    if (first.kind === "variable" && nodes.some((node) => node.gradient === null && node.marks.some(([kind]) => kind === "source"))) classes.push("cut");
    const width = Math.max(widthOf(title, CODE), widthOf(small, SMALL), 46) + 26;
    return { key, members, title, small, badges, classes, width, height: small ? 42 : 28, group };
  }

  function gradientText(members) { // what arrived from the ops that used a value, one figure for each
    const node = step.nodes[members[0]];
    if (node.gradient !== null) return `∇ ${figure(node.gradient)}`;
    if (node.marks.some(([kind]) => kind === "source") && node.kind !== "op") return "∇ None";
    const arrived = incoming.get(members[0]) || [], bad = arrived.includes("nan") ? "nan" : arrived.find((each) => typeof each === "string");
    if (!arrived.length || bad) return bad ? `∇ ${bad}` : null;
    const sizes = arrived.filter((each) => each !== 0).map(figure);
    return `∇ ${sizes.slice(0, 2).join(" + ") || "0"}${sizes.length > 2 ? " + …" : ""}`;
  }
  function rangeText(sources) { // of the gradients of several sources
    const given = sources.filter((node) => node.marks.some(([kind]) => kind === "source")).map((node) => node.gradient);
    if (!given.length) return null;
    const missing = given.filter((each) => each === null).length;
    if (missing) return missing === given.length ? "∇ None" : `∇ None for ${missing}`;
    return sizesText(given);
  }
  function sizesText(given) {
    const bad = given.find((each) => typeof each === "string");
    if (bad !== undefined) return `∇ ${bad}`;
    const sizes = [...given].sort((a, b) => a - b), least = figure(sizes[0]), most = figure(sizes[sizes.length - 1]);
    return least === most ? `∇ ${least}` : `∇ ${least} to ${most}`;
  }
  let incoming = new Map();

  function collect() { // boxes and edges between them
    const boxes = new Map(), edges = new Map(), parents = new Map(), standing = [];
    incoming = new Map();
    step.nodes.forEach((node) => node.links.forEach(([origin, , gradient]) => {
      if (gradient === null) return;
      if (!incoming.has(origin)) incoming.set(origin, []);
      incoming.get(origin).push(gradient);
    }));
    step.nodes.forEach((node, i) => {
      const [key, around] = visible(i);
      standing[i] = key;
      if (!boxes.has(key)) boxes.set(key, describe(key));
      let inner = key;
      for (let level = around.length - 1; level >= 0; level--) { parents.set(inner, around[level]); inner = around[level]; }
    });
    step.nodes.forEach((node, i) => node.links.forEach(([origin, shape, gradient]) => {
      const from = standing[origin], to = standing[i];
      if (from === to) return;
      const name = `${from}\n${to}`;
      if (!edges.has(name)) edges.set(name, { from, to, shapes: new Set(), gradients: [], count: 0 });
      const edge = edges.get(name);
      edge.shapes.add(shape); edge.count += 1;
      if (gradient !== null) edge.gradients.push(gradient);
    }));
    return { boxes, edges, parents };
  }

  function edgeText(edge) {
    const shape = [...edge.shapes][0] + (edge.shapes.size > 1 ? ` +${edge.shapes.size - 1}` : edge.count > 1 ? ` × ${edge.count}` : "");
    const given = edge.gradients;
    let kind = "none", gradient = "";
    if (given.length) {
      kind = given.some((each) => typeof each === "string") ? "bad" : given.every((each) => each === 0) ? "zero" : "flows";
      gradient = sizesText(given);
    }
    return { shape, gradient, kind };
  }

  function layOut({ boxes, edges, parents }, compound) {
    const graph = new dagre.graphlib.Graph({ compound, multigraph: false });
    const many = boxes.size > 120;
    graph.setGraph({ rankdir: "TB", nodesep: 26, ranksep: many ? 26 : 34, edgesep: 14, marginx: 20, marginy: 20, ranker: many ? "longest-path" : "network-simplex" });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const box of boxes.values()) graph.setNode(box.key, { width: box.width, height: box.height });
    if (compound) for (const [inner, outer] of parents) {
      if (!graph.hasNode(outer)) graph.setNode(outer, {});
      graph.setParent(inner, outer);
    }
    for (const edge of edges.values()) {
      const text = edgeText(edge);
      const width = Math.max(widthOf(text.shape, SMALL), widthOf(text.gradient, SMALL)) + 8;
      graph.setEdge(edge.from, edge.to, { ...text, width, height: text.gradient ? 28 : 15, labelpos: "c" });
    }
    dagre.layout(graph);
    return graph;
  }

  function smooth(points) {
    let path = `M${points[0].x},${points[0].y}`;
    for (let i = 1; i + 1 < points.length; i++) {
      const middle = { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
      const end = i + 2 === points.length ? points[i + 1] : middle;
      path += ` Q${points[i].x},${points[i].y} ${end.x},${end.y}`;
    }
    return points.length === 2 ? `${path} L${points[1].x},${points[1].y}` : path;
  }

  function draw(keepView) {
    const pane = byId("graph");
    canvas.replaceChildren();
    drawn = new Map(); neighbours = new Map();
    if (!step || !step.nodes.length) return;
    const content = collect();
    let graph;
    try { graph = layOut(content, true); } catch { graph = layOut(content, false); } // a group can be impossible to draw as a frame
    const layer = drawing("g");
    for (const kind of ["flows", "zero", "bad", "none"]) {
      canvas.append(drawing("marker", { id: `arrow-${kind}`, class: `arrow ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" }, drawing("path", { d: "M0,0.8 L8,4 L0,7.2 z" })));
    }
    const depth = { function: 0, roots: 0, line: 1, expression: 2 };
    const frames = graph.nodes().filter((key) => !content.boxes.has(key));
    frames.sort((a, b) => depth[groups.get(a).kind] - depth[groups.get(b).kind]); // the outer ones first, below the others
    for (const key of frames) {
      const at = graph.node(key), group = groups.get(key);
      if (at.x === undefined || !at.width) continue;
      const name = group.kind === "function" ? unquoted(group.title) : clipped(group.title, 60);
      const frame = drawing("g", { class: `cluster ${group.kind}`, tabindex: 0, role: "button", "aria-label": `close ${name}` },
        drawing("rect", { x: at.x - at.width / 2, y: at.y - at.height / 2 - TITLE, width: at.width, height: at.height + TITLE, rx: 8 }),
        drawing("text", { x: at.x - at.width / 2 + 10, y: at.y - at.height / 2 + 15 - TITLE }, `– ${name}`));
      frame.addEventListener("click", (event) => { event.stopPropagation(); toggle(key); });
      frame.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); toggle(key); } });
      layer.append(frame);
    }
    for (const edge of graph.edges()) {
      const { points, x, y, shape, gradient, kind } = graph.edge(edge);
      const { width, height } = graph.edge(edge);
      const label = drawing("g", {}, drawing("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 4 }));
      const lines = drawing("text", { x, y: gradient ? y - 2 : y + 4 }, drawing("tspan", { x }, shape));
      label.append(lines);
      if (gradient) lines.append(drawing("tspan", { x, dy: 13, class: "g" }, gradient));
      layer.append(drawing("g", { class: `edge ${kind}` }, drawing("path", { d: smooth(points), "marker-end": `url(#arrow-${kind})` }), label));
      if (!neighbours.has(edge.v)) neighbours.set(edge.v, { next: [], last: [] });
      if (!neighbours.has(edge.w)) neighbours.set(edge.w, { next: [], last: [] });
      neighbours.get(edge.v).next.push(edge.w);
      neighbours.get(edge.w).last.push(edge.v);
    }
    for (const box of content.boxes.values()) {
      const at = graph.node(box.key), left = at.x - box.width / 2, top = at.y - box.height / 2;
      const group = drawing("g", { class: `node ${box.classes.join(" ")}`, tabindex: 0, role: "button", "data-key": box.key, "aria-label": `${box.title} ${box.small}`, transform: `translate(${left},${top})` });
      if (box.group) group.append(drawing("rect", { class: "stack", x: 4, y: 4, width: box.width, height: box.height, rx: 6 }));
      group.append(drawing("rect", { class: "box", width: box.width, height: box.height, rx: box.classes.includes("variable") ? 14 : 6 }));
      group.append(drawing("text", { x: 13, y: 18 }, box.title));
      if (box.small) group.append(drawing("text", { class: "small", x: 13, y: 34 }, box.small));
      let right = box.width - 6;
      for (const [colour, text] of [...box.badges].reverse()) {
        const width = widthOf(text, `600 10.5px ${style.getPropertyValue("--text")}`) + 12;
        right -= width;
        group.append(drawing("g", { class: `badge ${colour}`, transform: `translate(${right},-11)` },
          drawing("rect", { width, height: 17, rx: 8 }), drawing("text", { x: 6, y: 12.5 }, text)));
        right -= 3;
      }
      group.addEventListener("click", (event) => { event.stopPropagation(); choose(box.key, event.detail > 0); });
      // By the keyboard alone: were the graph moved between the press and the release of a mouse, neither would be a click on the box.
      group.addEventListener("focus", () => { if (group.matches(":focus-visible")) keepInView(box.key); });
      layer.append(group);
      drawn.set(box.key, { box, element: group, x: at.x, y: at.y });
    }
    canvas.append(layer);
    const size = graph.graph();
    bounds = { x: 0, y: -TITLE, width: size.width || 100, height: (size.height || 100) + TITLE };
    if (!keepView || !view) fit();
    highlight();
    pane.setAttribute("data-boxes", drawn.size);
  }

  function setView(next) { view = next; canvas.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`); }
  function paneSize() { const box = byId("graph").getBoundingClientRect(); return { width: box.width || 800, height: box.height || 600, known: box.width > 0 && box.height > 0 }; }
  let sizeSeen = paneSize(), beforePrint = null;
  function matchPane() { // after a change of the pane's size the scale stays, as when details open below the graph
    if (byId("graph").hidden) return;
    const now = paneSize();
    if (view && !beforePrint && !sizeSeen.known) { // a frame that was laid out after its script had run, as in notebooks
      fit();
      if (picked !== null) keepInView(picked);
    } else if (view && !beforePrint) setView({ ...view, width: (view.width * now.width) / sizeSeen.width, height: (view.height * now.height) / sizeSeen.height });
    sizeSeen = now;
  }
  const legendHeight = () => byId("legend").offsetHeight + 10; // it covers the lower edge of the pane
  function fit() { // the whole graph, but never so small that it cannot be read: then its part with the first finding
    const pane = sizeSeen = paneSize(), free = Math.max(pane.height - legendHeight(), 100);
    const all = Math.min(pane.width / bounds.width, free / bounds.height, 1.15), scale = all < 0.5 ? READABLE : all;
    const size = { width: pane.width / scale, height: free / scale };
    let x = bounds.x + bounds.width / 2, y = bounds.y + bounds.height / 2;
    if (bounds.width > size.width || bounds.height > size.height) {
      const first = [...drawn.values()].find(({ box }) => box.classes.includes("causing")) || [...drawn.values()].find(({ box }) => box.classes.includes("born") || box.classes.includes("cut")) || [...drawn.values()][0];
      x = bounds.width > size.width ? Math.min(Math.max(first.x, bounds.x + size.width / 2), bounds.x + bounds.width - size.width / 2) : x;
      y = bounds.height > size.height ? Math.min(Math.max(first.y, bounds.y + size.height / 2), bounds.y + bounds.height - size.height / 2) : y;
    }
    setView({ x: x - size.width / 2, y: y - size.height / 2, width: size.width, height: pane.height / scale });
  }
  function whole() { // everything, however small
    const pane = sizeSeen = paneSize(), free = Math.max(pane.height - legendHeight(), 100), scale = Math.min(pane.width / bounds.width, free / bounds.height);
    const size = { width: pane.width / scale, height: free / scale };
    setView({ x: bounds.x + (bounds.width - size.width) / 2, y: bounds.y + (bounds.height - size.height) / 2, width: size.width, height: pane.height / scale });
  }
  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    setView({ x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, width: view.width * factor, height: view.height * factor });
  }
  function keepInView(key) { // a box, or all boxes of an open group; what is larger than the pane shows its beginning
    const members = groups.has(key) ? new Set(groups.get(key).members) : null;
    const boxes = drawn.has(key) ? [drawn.get(key)] : [...drawn.values()].filter(({ box }) => members && box.members.some((i) => members.has(i)));
    if (!boxes.length || !view) return;
    const shifted = (from, length, low, high) => {
      const edge = Math.min(40, length / 4);
      if (high - low > length - 2 * edge || low < from + edge) return low - edge;
      return high > from + length - edge ? high - length + edge : from;
    };
    const low = (of, size) => Math.min(...boxes.map((at) => at[of] - at.box[size] / 2)), high = (of, size) => Math.max(...boxes.map((at) => at[of] + at.box[size] / 2));
    setView({ ...view, x: shifted(view.x, view.width, low("x", "width"), high("x", "width")), y: shifted(view.y, view.height, low("y", "height") - TITLE, high("y", "height")) });
  }

  function toggle(key) {
    if (!groups.has(key) || groups.get(key).kind === "rest") return;
    const before = drawn.get(key);
    if (open.has(key)) { for (const each of [...open]) if (each === key || each.includes(`|${key}`)) open.delete(each); } else open.add(key);
    draw(true);
    const after = drawn.get(key) || [...drawn.values()].find(({ box }) => box.members.some((i) => groups.get(key).members.includes(i)));
    if (before && after && view) setView({ ...view, x: view.x + after.x - before.x, y: view.y + after.y - before.y });
    keepInView(key);
    const next = after && after.element;
    if (next) next.focus({ preventScroll: true });
  }

  function choose(key) { // select a box; a second time opens it
    if (picked === key && groups.has(key)) { toggle(key); return; }
    picked = key;
    const group = groups.get(key), node = group ? null : step.nodes[contents(key)[0]];
    const place = group ? group : node.at === null ? null : data.places[node.at];
    if (place && place.file !== undefined) goToLine(place.file, place.line);
    showDetails(key);
    highlight();
    keepInView(key);
    if (group && group.kind !== "rest" && !open.has(key)) { toggle(key); picked = key; }
  }

  function pickLine(file, line) {
    goToLine(file, line);
    if (!step) return;
    const of = (number) => data.steps[number].nodes.findIndex((node) => node.at !== null && data.places[node.at].file === file && data.places[node.at].line === line);
    if (of(stepNumber) < 0) {
      const other = data.steps.findIndex((_, number) => of(number) >= 0);
      if (other < 0) { picked = null; byId("details").hidden = true; highlight(); return; }
      chooseStep(other);
    }
    const wanted = step.nodes.map((node, i) => i).filter((i) => step.nodes[i].at !== null && data.places[step.nodes[i].at].file === file && data.places[step.nodes[i].at].line === line);
    reveal(wanted.find((i) => isMarked(i)) ?? wanted[wanted.length - 1], 1);
  }
  function reveal(i, levels) { // open the groups around a node, as many levels as asked
    let changed = false;
    for (const key of chains[i].slice(0, levels)) if (groups.has(key) && groups.get(key).members.length > 1 && !open.has(key)) { open.add(key); changed = true; }
    if (changed) draw(true);
    picked = visible(i)[0];
    showTab("graph");
    showDetails(picked);
    const at = drawn.get(picked);
    if (at && sizeSeen.width / view.width < READABLE / 2) zoom(sizeSeen.width / view.width / READABLE, at.x, at.y); // after `f` on a large graph
    keepInView(picked);
    highlight();
  }

  function highlight() {
    for (const [key, { element: box, box: { members } }] of drawn) {
      box.classList.toggle("picked", key === picked);
      box.classList.toggle("hit", hits.size > 0 && members.some((i) => hits.has(i)));
    }
  }

  function showDetails(key) {
    const pane = byId("details"), group = groups.get(key), members = contents(key);
    const node = step.nodes[members[members.length - 1]], place = node.at === null ? null : data.places[node.at];
    const rows = [];
    const row = (name, value) => { if (value) rows.push(element("tr", {}, element("th", {}, name), element("td", {}, value))); };
    const inside = members.map((i) => step.nodes[i]);
    if (group) {
      const ops = inside.filter((each) => each.kind === "op");
      row("ops", ops.length ? [...new Set(ops.map((each) => each.name))].slice(0, 8).join(", ") + ` (${ops.length})` : "");
      for (const i of members.filter((each) => step.nodes[each].kind === "variable").slice(0, 12)) row("variable", [`${step.nodes[i].name}: ${step.nodes[i].shape}`, gradientText([i])].filter(Boolean).join(", gradient "));
    }
    else if (node.kind === "op") row("op", node.name);
    row(group ? "last gives" : node.kind === "op" ? "gives" : "is", node.shape + (node.norm !== null ? `, norm ${figure(node.norm)}` : ""));
    node.links.forEach(([origin, shape, gradient]) => {
      const from = step.nodes[origin];
      row("from", `${from.kind === "op" ? from.name : from.name}: ${shape}${from.norm !== null ? `, norm ${figure(from.norm)}` : ""}${gradient !== null ? `; gradient back, norm ${figure(gradient)}` : "; no gradient back"}`);
    });
    const faded = inside.filter(hasFaded);
    if (faded.length) row("fades", `${faded.slice(0, 6).map((each) => each.name).join(", ")}${faded.length > 6 ? ", …" : ""}: less than a millionth of the step's largest gradient, ${figure(largest)}`);
    row("gradient", gradientText([members[members.length - 1]]));
    const marks = [...new Map(members.flatMap((i) => step.nodes[i].marks).map((mark) => [mark.join(), mark])).values()].slice(0, 6);
    const numbers = [...new Set(members.flatMap((i) => findingsAt(step.nodes[i]).map(([finding]) => finding)))].slice(0, 4);
    const heading = group ? (group.isScope ? unquoted(group.title) : group.title) : node.kind === "op" && place && place.text ? place.text : node.name;
    pane.replaceChildren(
      element("button", { class: "close", "aria-label": "close", onclick: () => { pane.hidden = true; } }, "×"),
      element("h3", {}, heading),
      place ? element("button", { class: "go", onclick: () => goToLine(place.file, place.line) }, `${data.files[place.file].name}:${place.line}`) : "",
      place && place.made ? element("button", { class: "go", onclick: () => goToLine(...place.made) }, `made at ${data.files[place.made[0]].name}:${place.made[1]}`) : "",
      element("table", {}, ...rows),
      ...marks.filter(([kind]) => kind !== "target" && kind !== "source").map(([kind, text]) => element("p", { class: `mark ${kind}` }, ...prose(text))),
      ...numbers.map((number) => element("p", { class: "mark finding" }, ...prose(`${number + 1}: ${data.findings[number].sentence}`))));
    pane.hidden = false;
    matchPane();
  }

  function listenToDivider() {
    const divider = byId("divider"), main = divider.parentElement;
    const setWidth = (width) => {
      if (width === null) main.style.removeProperty("--left");
      else main.style.setProperty("--left", `${Math.max(300, Math.min(width, innerWidth - 260))}px`);
      placeNotes();
    };
    divider.addEventListener("pointerdown", (event) => { divider.setPointerCapture(event.pointerId); divider.classList.add("dragged"); event.preventDefault(); });
    divider.addEventListener("pointermove", (event) => { if (divider.hasPointerCapture(event.pointerId)) setWidth(event.clientX); });
    divider.addEventListener("pointerup", () => divider.classList.remove("dragged"));
    divider.addEventListener("dblclick", () => setWidth(null));
    divider.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -32, ArrowRight: 32 }[event.key];
      if (move) { event.preventDefault(); setWidth(byId("source").offsetWidth + move); }
    });
  }

  function chooseStep(number) {
    stepNumber = number;
    byId("steps").value = String(number);
    byId("graph").dataset.title = data.steps[number].title; // for print, where the list of steps is left out
    prepare();
    byId("details").hidden = true;
    view = null;
    draw(false);
    if (query) search(query);
  }

  function listenToGraph() {
    let from = null, moved = false;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey || !event.shiftKey) {
        const x = view.x + ((event.clientX - box.left) / box.width) * view.width, y = view.y + ((event.clientY - box.top) / box.height) * view.height;
        zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), x, y);
      } else setView({ ...view, x: view.x + (event.deltaY * view.width) / box.width });
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, view }; moved = false; });
    canvas.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) { from = null; return; }
      const box = canvas.getBoundingClientRect();
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > 3) { moved = true; canvas.classList.add("moving"); }
      if (moved) setView({ ...from.view, x: from.view.x - ((event.clientX - from.x) / box.width) * from.view.width, y: from.view.y - ((event.clientY - from.y) / box.height) * from.view.height });
    });
    addEventListener("pointerup", () => { from = null; canvas.classList.remove("moving"); });
    canvas.addEventListener("click", (event) => { if (moved) event.stopPropagation(); }, true);
    canvas.addEventListener("keydown", (event) => {
      const key = event.target.getAttribute && event.target.getAttribute("data-key");
      if (!key) return;
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(key); return; }
      const here = drawn.get(key), near = neighbours.get(key) || { next: [], last: [] };
      let to = null;
      if (event.key === "ArrowDown") [to] = near.next;
      else if (event.key === "ArrowUp") [to] = near.last;
      else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        const side = event.key === "ArrowLeft" ? -1 : 1;
        const beside = [...drawn].filter(([, at]) => (at.x - here.x) * side > 4 && Math.abs(at.y - here.y) < 90);
        beside.sort(([, a], [, b]) => Math.hypot(a.x - here.x, (a.y - here.y) * 3) - Math.hypot(b.x - here.x, (b.y - here.y) * 3));
        to = beside.length ? beside[0][0] : null;
      } else return;
      event.preventDefault();
      if (to && drawn.has(to)) drawn.get(to).element.focus({ preventScroll: true });
    });
  }

  // -- search --
  let query = "", found = [], position = -1;
  function search(text) {
    query = text.trim().toLowerCase();
    hits = new Set(); found = []; position = -1;
    for (const line of document.querySelectorAll(".line.hit")) line.classList.remove("hit");
    for (const row of document.querySelectorAll("#variables tr.hit")) row.classList.remove("hit");
    if (query) {
      const inPlace = data.places.map((place) => `${place.text} ${place.function}`.toLowerCase().includes(query));
      const lines = new Map();
      (step ? step.nodes : []).forEach((node, i) => {
        if (!`${node.name} ${node.shape}`.toLowerCase().includes(query) && !(node.at !== null && node.kind === "op" && inPlace[node.at])) return;
        hits.add(i);
        const place = node.at === null ? null : data.places[node.at];
        const key = place && node.kind === "op" ? `${place.file}:${place.line}` : `n${i}`;
        if (!lines.has(key)) { lines.set(key, { node: i }); found.push(lines.get(key)); }
      });
      data.files.forEach((file, f) => file.lines.forEach((line, i) => {
        if (!line.toLowerCase().includes(query)) return;
        lineElements.get(`${f}:${i + 1}`).classList.add("hit");
        if (!lines.has(`${f}:${i + 1}`)) found.push({ file: f, line: i + 1 });
      }));
      data.variables.forEach((variable, i) => { if (variable.name.toLowerCase().includes(query)) byId(`variable-${i}`).classList.add("hit"); });
    }
    byId("found").textContent = query ? (found.length ? `${found.length} found` : "not found") : "";
    highlight();
  }
  function nextHit(direction) {
    if (!found.length) return;
    position = (position + direction + found.length) % found.length;
    const hit = found[position];
    byId("found").textContent = `${position + 1} of ${found.length}`;
    if (hit.node === undefined) { goToLine(hit.file, hit.line); return; }
    reveal(hit.node, 1);
    const at = step.nodes[hit.node].at;
    if (at !== null) goToLine(data.places[at].file, data.places[at].line);
  }

  // -- variables --
  function plot(points, of, log) {
    const width = 116, height = 26, svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    const first = points[0].step, last = points[points.length - 1].step, x = (point) => 2 + ((point.step - first) / Math.max(last - first, 1)) * (width - 4);
    const scale = (value) => (log ? Math.log10(Math.max(value, 1e-30)) : value);
    const numbers = points.map(of).filter((value) => typeof value === "number" && (!log || value > 0)).map(scale);
    const low = log ? Math.min(...numbers) : 0, high = log ? Math.max(...numbers) : 1;
    const y = (value) => height - 3 - ((scale(value) - low) / Math.max(high - low, 1e-9)) * (height - 6) * (high > low || !log ? 1 : 0) - (high > low || !log ? 0 : (height - 6) / 2);
    svg.append(drawing("line", { class: "axis", x1: 2, x2: width - 2, y1: height - 1, y2: height - 1 }));
    let run = [];
    const flush = () => {
      if (run.length > 1) svg.append(drawing("polyline", { points: run.map(([a, b]) => `${a},${b}`).join(" ") }));
      else if (run.length) svg.append(drawing("circle", { cx: run[0][0], cy: run[0][1], r: 1.8 }));
      run = [];
    };
    for (const point of points) {
      const value = of(point);
      if (typeof value === "number") run.push([x(point), log && value === 0 ? height - 2 : y(value)]);
      else { flush(); svg.append(drawing("line", { x1: x(point), x2: x(point), y1: 3, y2: height - 2 })); }
    }
    flush();
    return svg;
  }
  function showVariable(variable) { // in the graph of a step that uses it, or else the line that asked for its gradient
    const of = (number) => data.steps[number].nodes.findIndex((node) => node.kind === "variable" && node.name === variable.name);
    const shown = [stepNumber, ...data.steps.keys()].find((number) => data.steps[number] && of(number) >= 0);
    if (shown === undefined) { goToLine(variable.file, variable.line); return; }
    if (shown !== stepNumber) chooseStep(shown);
    const place = data.places[step.nodes[of(shown)].at];
    if (place) goToLine(place.file, place.line);
    showTab("graph");
    reveal(of(shown), chains[of(shown)].length);
  }
  const breakable = (name) => name.split(/(?<=[/.])/).flatMap((piece) => [piece, element("wbr")]);
  function showVariables() {
    const pane = byId("variables");
    if (!data.variables.length) { pane.append(element("p", { class: "empty" }, "No gradient was taken with respect to a variable.")); return; }
    const rows = data.variables.map((variable, i) => {
      const points = variable.points.map(([number, norm, zeros, bad]) => ({ step: number, norm, zeros, bad }));
      const last = points[points.length - 1];
      const cell = (kind, of, log, text, warns) => element("td", {}, element("div", { class: `plot ${kind} ${!log && points.every((point) => of(point) === 0) ? "calm" : ""}` }, plot(points, of, log), element("span", { class: warns ? "warn" : "" }, text)));
      const steps = counted(variable.steps, "step");
      return element("tr", { id: `variable-${i}` },
        element("td", {}, element("button", { class: "name", title: "show in the graph", onclick: () => showVariable(variable) }, ...breakable(variable.name)), element("div", { class: "shape" }, [variable.shape, steps, `line ${variable.line}`].map((piece) => piece.replaceAll(" ", "\u00a0")).join(" · "))),
        cell("norm", (point) => (point.norm === null ? "none" : point.norm), true, last.norm === null ? "None" : figure(last.norm), typeof last.norm !== "number"),
        cell("zeros", (point) => point.zeros, false, percent(last.zeros), last.zeros === 1),
        cell("nonfinite", (point) => point.bad, false, percent(last.bad), last.bad > 0));
    });
    pane.append(element("table", {}, element("thead", {}, element("tr", {}, ...["variable", "norm of the gradient", "zeros", "inf or nan"].map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)));
  }

  // -- all together --
  function showTab(name) {
    for (const each of ["graph", "variables"]) {
      byId(each).hidden = each !== name;
      byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    }
    if (data.steps.length) byId("tools").hidden = name !== "graph";
    byId("steps").hidden = name !== "graph" || data.steps.length < 1;
  }
  document.title = data.title;
  byId("title").textContent = data.title;
  byId("counts").textContent = data.counts;
  byId("tab-variables").textContent = byId("variables").dataset.title = `Variables (${data.variables.length})`;
  data.steps.forEach((each, number) => byId("steps").append(element("option", { value: number }, each.title)));
  showProgram(); showFindings(); showVariables();
  for (const name of ["graph", "variables"]) byId(`tab-${name}`).addEventListener("click", () => showTab(name));
  byId("steps").addEventListener("change", (event) => chooseStep(Number(event.target.value)));
  byId("fit").addEventListener("click", whole);
  byId("in").addEventListener("click", () => zoom(0.8));
  byId("out").addEventListener("click", () => zoom(1.25));
  byId("search").addEventListener("input", (event) => search(event.target.value));
  byId("search").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); } });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      byId("search").value = ""; search(""); byId("details").hidden = true; picked = null; highlight();
      if (document.activeElement === byId("search")) byId("search").blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    const actions = { "/": () => byId("search").focus(), n: () => goToFinding(currentFinding + 1), p: () => goToFinding(currentFinding - (currentFinding < 0 ? 0 : 1)), f: whole, "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), g: () => showTab("graph"), v: () => showTab("variables"), d: () => byId("theme").click() };
    if (actions[event.key] && (view || !"f+=-".includes(event.key))) { event.preventDefault(); actions[event.key](); }
  });
  listenToGraph();
  showTab("graph");
  if (data.steps.length) chooseStep(data.shown);
  else {
    byId("graph").replaceChildren(element("p", { class: "empty" }, "No op of TensorFlow ran, so there is no graph."));
    byId("tools").remove();
  }
  placeNotes();
  addEventListener("resize", placeNotes);
  listenToDivider();
  new ResizeObserver(matchPane).observe(byId("graph"));
  if (document.fonts && document.fonts.ready) document.fonts.ready.then(placeNotes);
  addEventListener("beforeprint", () => { beforePrint = view; canvas.style.maxWidth = `${bounds.width}px`; if (view) setView({ ...bounds }); });
  addEventListener("afterprint", () => { canvas.style.maxWidth = ""; if (beforePrint) setView(beforePrint); beforePrint = null; });
  if (exception || data.findings.length) {
    const site = data.findings.length ? data.findings[0].sites[0] : exception.site;
    const line = site && lineElements.get(`${site.file}:${site.line}`);
    if (line) line.scrollIntoView({ block: "center" });
  }
  root.setAttribute("data-ready", "yes");
})();
