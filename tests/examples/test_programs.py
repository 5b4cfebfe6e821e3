"""The programs in `examples/` run, learn, and write their pictures."""

import re
import subprocess
import sys

import numpy as np
import pytest

from tests.support.examples import EXAMPLES, NAMES, TRAININGS, load

pytestmark = pytest.mark.filterwarnings("error::whygrad.GradientWarning")

# The two numbers in what a program prints that training should have brought down, with how far: last < factor * first.
LEARNED = {
    "cnn_digits": (r"loss (\S+) at first, (\S+) at last", 0.3),
    "physics_fit": (r"difference (\S+) at first, (\S+) at last", 0.1),
    "pressure_projection": (r"smoke (\S+) at first, (\S+) at last", 0.7),
    "text_gru": (r"character: (\S+) at first, (\S+) at last", 0.85),
    "vae_digits": (r"first loss (\S+), last (\S+) =", 0.4),
}


def run_small(name, tmp_path, capsys):
    """What a short run of an example prints; its picture is looked at for being one."""
    picture = tmp_path / "new folder" / f"{name}.png"
    load(name).main(["--small", "--out", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    printed = capsys.readouterr()
    assert printed.err == ""  # no progress bar without a terminal, and no warning
    assert printed.out.endswith(f"picture: {picture}\n")
    return printed.out


@pytest.mark.parametrize("name", LEARNED)
def test_a_short_run_learns_and_writes_a_picture(name, tmp_path, capsys):
    printed = run_small(name, tmp_path, capsys)
    pattern, factor = LEARNED[name]
    first, last = map(float, re.search(pattern, printed).groups())
    assert last < factor * first
    if name == "cnn_digits":
        assert float(re.search(r"test accuracy (\S+):", printed)[1]) > 0.9
    if name == "physics_fit":
        for found, error, true in re.findall(r"(\S+) ± (\S+) \(true (\S+)\)", printed):
            assert abs(float(found) - float(true)) < 3 * float(error)
    if name == "text_gru":
        assert len(re.search(r"^When I.{50,}$", printed, re.MULTILINE | re.DOTALL)[0]) > 100


def test_a_short_game_of_the_gan_stays_fair(tmp_path, capsys):
    ours, theirs = map(
        float,
        re.search(r"generator (\S+), of the discriminator (\S+)", run_small("gan_digits", tmp_path, capsys)).groups(),
    )
    assert 0.2 < ours < 5
    assert 0.2 < theirs < 3


def test_every_example_is_run_and_compared():
    assert set(NAMES) == set(TRAININGS) == {*LEARNED, "gan_digits"}


def test_first_gradient():
    done = subprocess.run([sys.executable, EXAMPLES / "first_gradient.py"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("loss ")
    assert "shape (3, 8)   gradient (3, 8)" in lines[1]
    assert float(lines[-1].split()[-1]) < float(lines[0].split()[-1])


def test_the_progress_bar_is_shown_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then takes any stream for a terminal
    assert load("common").watch(iter([3.0, 2.0]), 2, "counting") == [3.0, 2.0]
    shown = capsys.readouterr().err
    assert "counting" in shown
    assert "2/2" in shown


@pytest.mark.parametrize("steps", ["0", "-1", "many"])
def test_a_number_of_steps_that_makes_no_sense_is_refused(steps, capsys):
    with pytest.raises(SystemExit) as stop:
        load("vae_digits").main(["--steps", steps])
    assert stop.value.code == 2
    assert "--steps" in capsys.readouterr().err


def test_the_gradient_of_the_constraint_violation_is_the_difference_quotient():
    flow = load("pressure_projection")
    tf = flow.tf
    rng = np.random.default_rng(3)
    velocity, direction = tf.Variable(rng.normal(size=(2, 9, 12))), rng.normal(size=(2, 9, 12))

    def violation(field):
        return tf.reduce_mean(flow.divergence(flow.project(field, iterations=10)) ** 2)

    with tf.GradientTape() as tape:
        target = violation(velocity)
    gradient = tape.gradient(target, velocity)
    assert gradient.shape == (2, 9, 12)
    step = 1e-5
    quotient = (violation(velocity + step * direction) - violation(velocity - step * direction)) / (2 * step)
    np.testing.assert_allclose(np.vdot(gradient, direction), quotient, rtol=1e-8)


def test_projection_removes_divergence():
    flow = load("pressure_projection")
    velocity = np.random.default_rng(4).normal(size=(2, 16, 16))
    before, after = (
        np.linalg.norm(flow.divergence(field)) for field in (velocity, flow.project(velocity, iterations=600))
    )
    assert after < 1e-6 * before


def test_smoke_carried_a_whole_cell_moves_a_whole_cell():
    flow = load("pressure_projection")
    smoke, _ = flow.scene(16)
    velocity = np.stack([np.ones((16, 16)), -2 * np.ones((16, 16))]).astype("float32")
    np.testing.assert_allclose(
        flow.advect(flow.tf.constant(smoke), velocity), np.roll(smoke, (-2, 1), axis=(0, 1)), rtol=1e-6
    )
