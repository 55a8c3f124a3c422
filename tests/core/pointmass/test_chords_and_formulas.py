"""The textbook page's own method beside ours, and curves from typed formulas."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.pointmass.chords import ChordBall, chord_table
from ridewright.core.pointmass.formula import formula_curve
from ridewright.core.pointmass.presets import preset
from ridewright.core.pointmass.textbook import Textbook


def test_that_the_table_holds_the_curve_and_the_sum_of_its_chords() -> None:
    """A circle of radius 1 by n chords: 2 n sin(pi / n)."""
    table = chord_table(preset("circle"), 101)
    assert table.p[-1] == pytest.approx(200.0 * np.sin(np.pi / 100.0), rel=1e-12)
    assert np.hypot(table.x, table.y) == pytest.approx(1.0)
    assert np.diff(table.t) == pytest.approx(0.01)  # of its one piece, an arc over 0 to 1
    hump = chord_table(preset("hump"), 7)
    assert (hump.t[0], hump.t[-1]) == (-3.0, 3.0)
    assert hump.y == pytest.approx(3.0 - 7.0 / 6.0 * hump.x**2 + hump.x**4 / 6.0)
    with pytest.raises(InputError, match="2 rows"):
        chord_table(preset("circle"), 2)


def test_that_chords_cost_energy_and_fewer_of_them_more() -> None:
    """Ours keeps the energy to rounding; the chords lose or make it, ten times less with many more rows and steps."""
    curve = preset("hump")
    ours = Textbook(curve, s=0.5).run(10.0)
    assert np.abs(ours.total - ours.total[0]).max() < 1e-10
    apart = []
    for rows, step in ((50, 0.02), (5000, 0.0005)):
        table = chord_table(curve, rows)
        ride = ChordBall(table, False, s=0.5, step=step).run(10.0)
        apart.append(float(np.abs(ride.total - ride.total[0]).max()))
    assert apart[0] > 1e-3
    assert apart[1] < 0.1 * apart[0]


def test_that_both_methods_agree_where_there_is_nothing_to_lose() -> None:
    """A straight slope, which one chord is exactly: s = g sin(a) t^2 / 2."""
    curve = formula_curve("3*t", "-4*t", 0.0, 10.0)
    for ball in (Textbook(curve), ChordBall(chord_table(curve, 3), False, step=0.01)):
        ball.step(2.0)
        assert ball.s == pytest.approx(0.5 * 9.81 * 0.8 * 4.0, rel=1e-9)
        assert ball.position == pytest.approx((0.6 * ball.s, -0.8 * ball.s))


@pytest.mark.parametrize(
    ("x", "y", "t1"),
    [
        ("2*cos(t)", "sin(2*t)", 2.0 * np.pi),
        ("t", "exp(-t^2/4)*cos(pi*t)+tanh(t)/cosh(t)", 5.0),
        ("sqrt(1+t^2)+t", "log(2+t)/(1+t)-atan(t)^3+(1+t)**1.5-sinh(t/9)+tan(t/9)", 4.0),
    ],
)
def test_that_derivatives_of_a_formula_are_those_of_its_values(x: str, y: str, t1: float) -> None:
    curve = formula_curve(x, y, 0.0, t1)
    t = np.linspace(0.1, t1 - 0.1, 37)
    h = 1e-4
    formula = curve.pieces[0].formula
    low, (_, rate, bend), high = formula(t - h), formula(t), formula(t + h)
    assert rate == pytest.approx((high[0] - low[0]) / (2.0 * h), rel=1e-5, abs=1e-5)
    assert bend == pytest.approx((high[1] - low[1]) / (2.0 * h), rel=1e-5, abs=1e-5)
    assert curve.closed == (x == "2*cos(t)")


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ("__import__('os').system('true')", "t", "is not known here"),
        ("t.real", "t", "is not known here"),
        ("(lambda: t)()", "t", "is not known here"),
        ("[t for t in t]", "t", "is not known here"),
        ("foo(t)", "t", "'foo\\(t\\)' is not known here"),
        ("t", "t if t else t", "is not known here"),
        ("2*", "t", "not a formula"),
        ("", "t", "is empty"),
        ("9**9**9**9*t", "t", "no number|not known|stands still"),
        ("1/t", "t", "no number at t = 0"),
        ("t^3", "t^2", "stands still at t = 0"),
        ("t" + "+t" * 400, "t", "longer than"),
        ("1", "2", "stands still"),
    ],
)
def test_that_what_is_no_formula_is_refused_in_a_sentence(x: str, y: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        formula_curve(x, y, 0.0, 1.0)


def test_that_the_command_rides_both_methods_and_writes_table_and_ride(tmp_path, capsys) -> None:
    assert main(["textbook"]) == 0
    assert "cardioid" in capsys.readouterr().out.split()
    table, ride = tmp_path / "t.csv", tmp_path / "r.csv"
    arguments = [
        "--start",
        "0.5",
        "--duration",
        "5",
        "--rows",
        "50",
        "--table",
        str(table),
        "--csv",
        str(ride),
    ]
    assert main(["textbook", "hump", *arguments, "--json"]) == 0
    ours, chords = json.loads(capsys.readouterr().out)["methods"]
    assert abs(ours["energy_change"]) < 1e-10 < 1e-4 < abs(chords["energy_change"])
    assert chords["length"] < ours["length"]
    assert table.read_text().splitlines()[0] == "t,p_m,x_m,y_m"
    assert len(table.read_text().splitlines()) == 51
    rows = np.genfromtxt(ride, delimiter=",", names=True)
    assert rows["time_s"][-1] == pytest.approx(5.0)
    assert rows["total_J"] == pytest.approx(rows["kinetic_J"] + rows["potential_J"], abs=1e-7)
    assert main(["textbook", "--x", "t", "--y", "t^2", "--to", "2"]) == 0
    for wrong in (
        ["loop", "--x", "t"],
        ["--x", "t"],
        ["wave"],
        ["loop", "--start", "99"],
        ["loop", "--step", "5"],
    ):
        assert main(["textbook", *wrong]) == 2


ENDLESS = ("--duration=1e5", "--rate=1e5")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("loop", "--mass=1e999"), "mass"),
        (("loop", "--mass=nan"), "mass"),
        (("loop", "--gravity=1e300"), "Gravity"),
        (("loop", "--speed=nan"), "nan m/s"),
        (("circle", "--start=inf"), "inf m"),
        (("loop", *ENDLESS), "10,000,000,000 samples"),
        (("hump", "--duration=1e5", "--rate=1", "--step=0.2"), "1.44e+08 steps"),
        (("oval", "--duration=1e3", "--rate=1", "--step=1e-4"), "10,000,000 steps"),
        (("loop", "--damping=1e5", "--mass=0.1"), "the ball"),
        (("loop", "--damping=1e6", "--mass=1e-6"), "steps"),
        (("--x=log(t)", "--y=tan(20*t)"), "no number at t = 0"),
        (("--x=1e200*t", "--y=t"), "1e200 m far"),
        (("--x=sin(1e12*t)", "--y=t"), "at its steepest"),
    ],
)
def test_that_what_no_ball_does_is_refused_in_a_sentence(options, words: str, capsys, recwarn) -> None:
    assert main(["textbook", *options, "--json"]) == 2
    assert words in capsys.readouterr().err
    assert not recwarn.list


def test_that_a_ball_that_is_braked_hard_creeps_at_its_terminal_speed() -> None:
    """m g = b v on a vertical straight: the step follows the damping, which an explicit one would not survive."""
    ball = Textbook(preset("oval"), damping=2e4, s=2.0)
    assert ball.run(0.1).v[-1] == pytest.approx(9.81 / 2e4, rel=1e-6)
