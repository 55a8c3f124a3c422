"""Bad input to the newer parts and commands: exit code 2, one sentence, nothing half written, and no endless runs."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import load_project, parse_project
from ridewright.core.track import elements as e
from ridewright.core.track.build import build_track
from ridewright.core.track.check import check_track
from ridewright.core.track.clearance import self_approaches
from ridewright.core.track.description import Track
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.banked_turn import BankedTurnSection
from ridewright.core.track.elements.camelback import CamelbackSection
from ridewright.core.track.elements.cobra_roll import CobraRollSection
from ridewright.core.track.elements.corkscrew import CorkscrewSection
from ridewright.core.track.elements.force import ForceSection
from ridewright.core.track.elements.helix import HelixSection
from ridewright.core.track.elements.inline_roll import InlineRollSection
from ridewright.core.track.elements.loop import LoopSection
from ridewright.core.track.elements.railway_curve import RailwayCurveSection
from ridewright.core.track.elements.transition import TransitionSection

HERE = Path(__file__).parents[1] / "damaged"
RIDE = str(HERE / "ride.ridewright")
RIG = str(HERE / "rig.ridewright")
LIMITS = Path(__file__).parents[3] / "resources" / "limits"
KEX = Path(__file__).parents[3] / "resources" / "examples" / "kex" / "shuttle.kex"


def _load_damage():
    spec = importlib.util.spec_from_file_location("damage_parts", HERE / "damage_parts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DAMAGE = _load_damage()


def _refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    code = main(arguments)
    shown = capsys.readouterr()
    assert code == 2, f"exit code {code} of {arguments}: {shown.err}"
    assert shown.out == ""
    assert shown.err.startswith("ridewright: ")
    assert len(shown.err.splitlines()) == 1
    assert len(shown.err) < 800
    for words in ("Traceback", "Input should be a", "Value error"):
        assert words not in shown.err
    return shown.err


@pytest.mark.nightly
def test_that_what_is_damaged_was_sound(tmp_path: Path, capsys) -> None:
    for name, data in (("parts", DAMAGE.sound()), *DAMAGE.elements()):
        (tmp_path / "sound.ridewright").write_text(json.dumps(data))
        assert main(["ride-point", str(tmp_path / "sound.ridewright")]) == 0, name
    capsys.readouterr()


def test_that_every_damaged_field_is_refused_by_name(tmp_path: Path, capsys) -> None:
    cases = DAMAGE.cases()
    assert len(cases) > 900
    file = tmp_path / "damaged.ridewright"
    for k, (name, text) in enumerate(cases):
        if k % 25:  # the reader itself: the command line takes its time for a sentence
            with pytest.raises(InputError) as refusal:
                parse_project(json.loads(text), "damaged.ridewright")
            said = str(refusal.value)
        else:
            file.write_text(text)
            said = _refused(["ride-point", str(file)], capsys)
        assert "damaged.ridewright: " in said, name
        assert "Input should" not in said, said
        field = name.split(": ")[1].split(" ")[0].split(".")[-1]
        assert field in said, f"{name}: {said}"


def _bytes(path: Path, name: str) -> Path:
    content = {
        "empty": b"",
        "binary": np.random.default_rng(1).bytes(3000),
        "zeros": bytes(3000),
        "cut": Path(RIDE).read_bytes()[:700],
    }
    if name == "folder":
        path.mkdir()
    elif name in content:
        path.write_bytes(content[name])
    return path


INPUTS = ("empty", "binary", "zeros", "cut", "folder", "missing")
COMMANDS: dict[str, list[str]] = {
    "ride-point": ["ride-point", "{file}", "--csv", "{out}"],
    "design": ["design", "bank", "{file}", "--out", "{out}"],
    "export-track": ["export-track", "{file}", "{out}.csv"],
    "export-table": ["export-table", "{file}", "--out", "{out}"],
    "origin": ["origin", "{file}"],
    "report": ["report", "{file}", "-o", "{out}"],
    "criteria": ["criteria", "{file}"],
    "modes": ["modes", "{file}"],
    "spectrum": ["spectrum", "{file}", "energy"],
    "limits": ["limits", "{file}"],
    **{
        f"import {kind}": ["import-track", "{file}", "--out", "{out}", "--format", kind]
        for kind in ("nl2", "nl2elem", "kex", "table")
    },
    **{f"import *.{k}": ["import-track", "{file}." + k, "--out", "{out}"] for k in ("kex", "nl2elem", "csv", "txt")},
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_that_every_command_refuses_what_is_no_file_of_its_own(command: str, tmp_path: Path, capsys) -> None:
    for name in INPUTS:
        arguments = [a.format(file=tmp_path / name, out=tmp_path / "out") for a in COMMANDS[command]]
        _bytes(Path(next(a for a in arguments if f"/{name}" in a)), name)
        _refused(arguments, capsys)
    assert not list(tmp_path.glob("out*"))
    for name in ("", "no\0name", "x" * 3000):
        _refused([a.format(file=name, out=tmp_path / "out") for a in COMMANDS[command]], capsys)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.nightly
def test_that_a_cut_off_or_damaged_kex_file_is_refused_or_read(tmp_path: Path, capsys) -> None:
    whole = KEX.read_bytes()
    out = tmp_path / "out.ridewright"
    for k in range(24):
        (tmp_path / "cut.kex").write_bytes(whole[: len(whole) * k // 24])
        _refused(["import-track", str(tmp_path / "cut.kex"), "--out", str(out)], capsys)
        assert not out.exists()
    rng = np.random.default_rng(3)
    fill = (b"\xff" * 8, bytes(8), b"\x7f\xf0" + bytes(6), b"\x00\x00\xc0\x7f" * 2)
    refused = 0
    for k in range(40):
        content = bytearray(whole)
        at = int(rng.integers(0, len(whole) - 8))
        content[at : at + 8] = fill[k % 4]
        (tmp_path / "hit.kex").write_bytes(content)
        code = main(["import-track", str(tmp_path / "hit.kex"), "--out", str(out)])
        assert code in (0, 2), capsys.readouterr().err
        assert out.exists() == (code == 0)
        out.unlink(missing_ok=True)
        refused += code == 2
    assert refused > 5
    capsys.readouterr()


NO_NUMBERS = ("", "soon", "nan", "inf", "-1", "0", "1e999", "1e300", "1,5")
OPTIONS: dict[str, list[str]] = {
    "--max-cant": ["design", "bank", RIDE, "--out", "{out}"],
    "--roll-speed": ["design", "bank", RIDE, "--out", "{out}"],
    "--tube": ["design", "smooth", RIDE, "--out", "{out}"],
    "--reach": ["design", "close", RIDE, "--out", "{out}"],
    "--gy": ["design", "close", RIDE, "--out", "{out}"],
    "--speed": ["design", "launch", RIDE, "--out", "{out}", "--sections", "hill"],
    "--spacing": ["design", "supports", RIDE, "--out", "{out}"],
    "--step": ["export-table", RIDE, "--out", "{out}"],
    "--heartline": ["export-track", RIDE, "{out}.csv"],
    "--tolerance": ["import-track", RIDE, "--out", "{out}"],
    "--gauge": ["import-track", RIDE, "--out", "{out}"],
    "--rate": ["criteria", "{record}"],
    "--patron-height": ["criteria", "{record}"],
    "--restraint-class": ["criteria", "{record}"],
}


def _record(tmp_path: Path) -> Path:
    rows = (f"{k / 1000},0.1,0.2,{1.0 + 0.01 * k % 1}\n" for k in range(500))
    (tmp_path / "record.csv").write_text("t,ax,ay,az\n" + "".join(rows))
    return tmp_path / "record.csv"


@pytest.mark.parametrize("option", OPTIONS)
def test_that_an_option_refuses_what_is_no_sensible_number(option: str, tmp_path: Path, capsys) -> None:
    record = _record(tmp_path)
    for value in NO_NUMBERS:
        if option == "--heartline" and value in ("-1", "0"):
            continue  # on the rails, and below them under a hanging train
        arguments = [a.format(out=tmp_path / "out", record=record) for a in OPTIONS[option]]
        _refused([*arguments, f"{option}={value}"], capsys)
    assert not list(tmp_path.glob("out*"))


WRONG_LINES: list[list[str]] = [
    ["criteria", "{record}", "--yaw=--"],
    ["modes", RIDE, "--lowest=--"],
    ["design", "close", RIDE, "--out", "{out}", "--gy=--"],
    ["criteria", "{record}", "--axes", "x x x"],
    ["criteria", "{record}", "--axes", "x y -z"],
    ["criteria", "{record}", "--yaw", "nan"],
    ["criteria", "{record}", "--offset", "nan,0,0"],
    ["criteria", "{record}", "--rest", "1,0"],
    ["criteria", "{record}", "--launch", "0,1", "--brake", "1,2"],
    ["criteria", "{record}", "--standards", "none such"],
    ["criteria", "{record}", "--standards", "../limits/hic"],
    ["criteria", "{record}", "--standards", "astm_f2291,astm_f2291"],
    ["criteria", "{record}", "--rate", "1e6"],
    ["design", "bank", RIDE, "--out", "{out}", "--sections", "none such"],
    ["design", "launch", RIDE, "--out", "{out}", "--sections", "none such", "--speed", "20"],
    ["design", "supports", RIDE, "--out", "{out}", "--spacing", "1e-9"],
    ["design", "fly", RIDE, "--out", "{out}"],
    ["design", "bank", RIG, "--out", "{out}"],
    ["ride-point", RIG],
    ["export-track", RIG, "{out}.csv"],
    ["export-track", RIDE, "{out}.unknown"],
    ["export-track", RIDE, "{out}.csv", "--ride"],
    ["limits", "--copy"],
    ["report", RIDE, "--date", "yesterday"],
    ["report", RIDE, "--moments", "99"],
]


@pytest.mark.parametrize("line", WRONG_LINES, ids=[" ".join(line)[-50:] for line in WRONG_LINES])
def test_that_a_wrong_line_is_refused(line: list[str], tmp_path: Path, capsys) -> None:
    _refused([a.format(out=tmp_path / "out", record=_record(tmp_path)) for a in line], capsys)
    assert not list(tmp_path.glob("out*"))


WRITERS: list[Callable[[str], list[str]]] = [
    *(
        lambda out, kind=kind: ["export-track", RIDE, out, "--format", kind]
        for kind in ("nl2", "nl2elem", "table", "dxf", "obj", "gltf", "profile")
    ),
    lambda out: ["export-table", RIDE, "--out", out],
    lambda out: ["ride-point", RIDE, "--csv", out],
    lambda out: ["design", "supports", RIDE, "--out", out],
    lambda out: ["design", "speeds", RIDE, "--out", out],
    lambda out: ["import-track", str(KEX), "--out", out],
]


@pytest.mark.parametrize("writer", WRITERS, ids=[" ".join(w("out"))[-30:] for w in WRITERS])
def test_that_a_place_that_cannot_be_written_is_refused(writer, tmp_path: Path, capsys) -> None:
    (tmp_path / "file").write_text("x")
    outs = (f"{tmp_path}/file/x.csv", f"{tmp_path}/{'y' * 300}.csv", "", "no\0name.csv")
    for out in outs:
        _refused(writer(out), capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


EXTREMES = {
    "corkscrew of 300 m": CorkscrewSection(name="e", height=300.0),
    "loop of 300 m around 1 m": LoopSection(name="e", height=300.0, top_radius=1.0),
    "helix of 30 turns in one place": HelixSection(name="e", turns=30.0, pitch=0.0),
    "steep helix": HelixSection(name="e", turns=30.0, pitch=200.0, radius=1.0),
    "turn of 200 rad": BankedTurnSection(name="e", angle=190.0, transition=900.0, bank=0.2),
    "cobra roll of 300 m": CobraRollSection(name="e", height=300.0),
    "ten rolls in a metre": InlineRollSection(name="e", length=1.0, turns=10.0),
    "transition to 1 m": TransitionSection(name="e", length=500.0, curvature=1.0),
    "hill of 300 m": CamelbackSection(name="e", height=300.0, entry_speed=150.0, pull_up=1.1),
    "no transition to speak of": HelixSection(name="e", transition=1e-300),
    "spiral of a hair": RailwayCurveSection(name="e", spiral=3.5e-6, superelevation=0.0),
    "nothing": InlineRollSection(name="e", length=1e-300),
    "forces for no time": ForceSection(name="e", extent=1e-9),
    "forces for a micrometre": ForceSection(name="e", extent=7e-6, over="distance"),
    "forces of 50 g": ForceSection(name="e", extent=2000.0, normal_g=(e.force.Key(at=1.0, value=50.0),)),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_that_extreme_elements_end_with_a_ride_or_a_sentence(name: str) -> None:
    try:
        built = build_track(Track(name="t", sections=(EXTREMES[name],)))
        assert len(check_track(built.track, built).findings) < 1000
        ride = ride_point(built, PointRideSettings(speed=30.0))
    except InputError:
        return
    assert np.all(np.isfinite(ride.speed))
    assert np.all(np.isfinite(ride.g))


def test_that_rounds_in_one_place_are_told_quickly_and_all_of_them() -> None:
    turns = 30
    built = build_track(Track(name="t", sections=(HelixSection(name="h", turns=float(turns), pitch=0.0),)))
    found = self_approaches(built)  # this once took minutes and the memory of the machine
    rounds = {round((one.other_s - one.s) / (2.0 * np.pi * 15.0)) for one in found}
    assert len(rounds) > turns // 2


def test_that_a_ride_that_never_ends_is_cut_off() -> None:
    valley = ArcSection(name="valley", direction="up", radius=60.0, angle=1.2, pose=e.StartPose(pitch=-0.6))
    built = build_track(Track(name="t", sections=(valley,)))
    half = 0.5 * built.length
    endless = PointRideSettings(start=half, speed=5.0, mu=0.0, drag=0.0, duration=86_400.0, train_length=0.0)
    ride = ride_point(built, endless)
    assert ride.time[-1] <= endless.duration * (1.0 + 1e-9)
    assert ride.status != "arrived"


def test_that_the_files_of_the_first_release_still_load(tmp_path: Path) -> None:
    data = json.loads(Path(RIDE).read_text())
    assert not {"point_ride", "evaluation"} & set(data)
    project = load_project(RIDE)
    assert project.track is not None
    assert project.point_ride == PointRideSettings()
    assert project.track.devices == ()


@pytest.mark.parametrize(
    "table", ["en13814_gb8408", "eiband", "sustained_g_brulle", "damage", "symptom_bands"]
)
def test_that_a_damaged_table_of_the_user_is_refused(table: str, tmp_path: Path, monkeypatch, capsys) -> None:
    """At many places of a table one value that fits nowhere, and files that are no table."""
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(tmp_path))
    own = tmp_path / f"{table}.json"
    whole = (LIMITS / own.name).read_text()
    places = list(DAMAGE.leaves(json.loads(whole)))
    texts = [whole[: len(whole) // 2], "", "[]", "{}", '{"a":' * 2000, "\0"]
    texts += [
        DAMAGE.replaced(json.loads(whole), way, "1e999") for way in places[:: max(1, len(places) // 12)]
    ]
    for text in texts:
        own.write_text(text)
        assert table in _refused(
            ["limits", table, "--json"] if "1e999" in text else ["limits", table], capsys
        )
    for way in places[:: max(1, len(places) // 12)]:
        for wrong in ("true", "-5", "[]", '"x"'):
            own.write_text(DAMAGE.replaced(json.loads(whole), way, wrong))
            assert main(["limits"]) in (0, 2), (way, wrong)
            assert "Traceback" not in capsys.readouterr().err
