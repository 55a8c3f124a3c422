"""Limit tables: what comes with the program, what a user puts beside it, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.cli import main
from ridewright.core.injury.evaluate import criterion_ids, evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.limit_files import limit_files, tables_as_they_are
from ridewright.core.injury.limits import ScalarLimits, load_limits
from ridewright.core.injury.standards.files import load_table, table_faults, table_ids
from ridewright.core.injury.standards.listing import list_tables, table_text

OWN = {
    "kind": "acceleration limits",
    "title": "House rules",
    "short": "House",
    "prefix": "house",
    "source": "the chief engineer, 2026",
    "reported_by": "the chief engineer",
    "confidence": "medium",
    "curves": [{"name": "lift", "directions": ["-Gz"], "points": [[0.1, 1.2], [2.0, 0.6]], "rule": "page 3"}],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(tmp_path))
    return tmp_path


def put(folder, name, **changes):
    (folder / f"{name}.json").write_text(json.dumps({**OWN, **changes}), encoding="utf-8")


def ride(gz=-0.9, step=0.005):
    t = np.arange(0.0, 6.0, step)
    return History(t, np.column_stack([0 * t, 0 * t, np.where((t > 2.0) & (t < 3.0), gz, 1.0)]))


def test_that_every_table_says_where_it_is_from():
    for table in list_tables():
        assert table.title
        assert len(table.source) > 10
        assert table.confidence in ("high", "medium", "low")
        assert not table.user


def test_that_no_unconfirmed_table_is_called_by_the_name_of_the_standard_alone():
    history = ride()
    for name in table_ids():
        table = load_table(name)
        assert table.confirmed or "not confirmed" in table.shown_title
        opts = EvaluationOptions(standards=(name,) if not name.startswith("sustained") else ())
        for found in evaluate_history(history, options=opts):
            if not found.criterion.startswith(table.prefix + "_") or table.confirmed or found.limit is None:
                continue
            assert "(as transcribed)" in found.title or "not confirmed)" in found.title
            assert "not confirmed" in found.title or found.confidence == "high"
            assert "not confirmed" in found.verdict_text
            assert "not confirmed" in found.limit_source
            assert found.rule
            assert found.group
            assert found.definition
            assert found.applicability or name == "sustained_g_brulle"


def test_that_the_curves_are_those_of_the_transcriptions():
    # From the collected data: confirmed by several transcriptions, so a slip of the keyboard would show here.
    f2291 = {c.name: c for c in load_table("astm_f2291").curves}
    assert f2291["+Gz"].limit([0.2, 1.5, 3.0, 4.5, 11.8, 11.9, 12.0, 40.0]) == pytest.approx(
        [6.0, 5.0, 4.0, 3.5, 3.0, 2.5, 2.0, 2.0]
    )
    assert f2291["+Gx_base"].limit(12.0) == 2.5
    assert f2291["-Gz_base"].limit([0.35, 5.5, 9.0]) == pytest.approx([1.75, 1.3, 1.1])
    assert f2291["-Gz_extended"].limit([0.75, 2.0]) == pytest.approx([2.35, 1.85])
    assert f2291["Gy_abs"].limit([1.5, 7.0]) == pytest.approx([2.5, 2.0])
    assert np.isnan(f2291["+Gz"].limit(0.1))
    steps = f2291["+Gx_no_headrest_onset_lt_5gps"]
    assert steps.limit([3.99, 4.0, 4.01]) == pytest.approx([2.0, 1.5, 1.5])
    en = {c.name: c for c in load_table("en13814_gb8408").curves}
    # Straight on log-log scales: at the geometric mean of the durations lies that of the limits.
    assert en["Gy_abs"].limit(np.sqrt(0.01 * 0.2)) == pytest.approx(np.sqrt(10.0), rel=1e-4)
    assert en["-Gz"].limit([0.0, 0.25, 3.0]) == pytest.approx([2.0, 1.75, 1.5])
    nasa = {c.name: c for c in load_table("nasa_std_3001").curves}
    assert nasa["deconditioned"].limit(np.sqrt(5000.0 / 10.0)) == pytest.approx(8.51, abs=0.02)


def test_that_a_design_value_beside_a_standard_does_not_bear_its_name():
    found = evaluate_history(ride(), ["f2291_jerk_z"])[0]
    for words in (found.title, found.rule):
        assert words.startswith("Design")
    assert "no clause of it" in found.rule
    assert "R. Rohde" in found.limit_source
    assert "ASTM F2291 acceleration limits" not in found.limit_source


def test_that_a_limit_whose_source_was_not_read_says_so_in_the_verdict():
    plain = ride(step=0.001)
    load = np.zeros((plain.time.size, 3))
    record = replace(plain, rotation_rate=load, neck_force=load, neck_moment=load)
    judged = [found for found in evaluate_history(record) if found.limit is not None]
    # Compared with the thesis, which was at hand, or with the abstracts that are named.
    read = {"hic36", "clip_3ms", "clip_3ms_cumulative", "red_out_-Gz", "lateral_+Gy", "lateral_-Gy"}
    for found in judged:
        assert ("not confirmed" in found.verdict_text) == (found.criterion not in read), found.criterion
    doubted = [found for found in judged if "recalled" in (found.limit_source or "")]
    assert {"iso2631_vdv", "iso2631_a8", "neck_tension", "hip", "ric"} <= {
        found.criterion for found in doubted
    }
    assert all(found.limit_status for found in doubted)


def test_that_a_table_of_the_user_adds_criteria_and_says_so(folder):
    before = criterion_ids()
    put(folder, "house_rules")
    assert [i for i in criterion_ids() if i not in before] == ["house_-Gz"]
    found = {r.criterion: r for r in evaluate_history(ride())}["house_-Gz"]
    assert found.limit == pytest.approx(1.2 - 0.6 * (0.995 - 0.1) / 1.9, abs=0.01)
    assert found.verdict == "within 10 %"
    assert found.group == "user limits"
    assert "user table house_rules.json: the chief engineer" in found.limit_source
    assert evaluate_history(ride(-1.1), ["house_-Gz"])[0].verdict == "outside"


def test_that_a_pair_without_a_limit_at_the_duration_of_the_rule_is_not_judged(folder):
    curves = [
        {"name": d, "directions": [d], "points": [[0.5 if d == "-Gy" else 0.1, 2.0]]}
        for d in ("+Gy", "-Gy", "+Gz", "-Gz")
    ]
    rule = {"form": "ellipse", "pairs": ["GyGz"], "at_duration": 0.2, "hold": 0.2, "rule": "page 4"}
    put(folder, "house_rules", curves=curves, combined=rule)
    found = evaluate_history(ride(), ["house_egg_GyGz"])[0]
    assert (found.value, found.verdict) == (None, "not applicable")
    assert "no curve" in found.note


def test_that_one_judgement_goes_by_the_tables_of_its_beginning(folder):
    put(folder, "house_rules")

    def limit():
        return load_table("house_rules").curves[0].points[0][1]

    with tables_as_they_are():
        assert limit() == 1.2
        put(folder, "house_rules", curves=[{**OWN["curves"][0], "points": [[0.1, 1.5]]}])
        with tables_as_they_are():
            assert limit() == 1.2
        put(folder, "more", prefix="more")
        assert "more" not in limit_files()
    assert limit() == 1.5
    assert "more" in limit_files()


def test_that_a_table_of_the_user_takes_the_place_of_one_of_the_program(folder):
    for value in (500.0, 400.0):
        text = json.dumps(
            {
                "title": "Head", "source": "house", "confidence": "low",
                "limits": [{"id": "hic15", "value": value, "unit": "1", "confidence": "low", "source": "house"}],
            }
        )  # fmt: skip
        (folder / "hic_3ms.json").write_text(text, encoding="utf-8")
        # An edit is seen at once, although tables are kept in memory.
        found = load_limits("hic_3ms", ScalarLimits)
        assert found.get("hic15").value == value
        assert found.get("hic15").source == found.source == "user table hic_3ms.json: house"
    assert limit_files()["hic_3ms"].user
    assert [t.user for t in list_tables() if t.id == "hic_3ms"] == [True]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"curves": [{"name": "a", "directions": ["-Gz"], "points": [[0.1, 1.0], [2.0, 1.5]]}]}, "must not rise"),
        ({"curves": [{"name": "a", "directions": ["-Gz"], "points": [[2.0, 1.0], [1.0, 0.5]]}]}, "not decrease"),
        ({"curves": [{"name": "a", "directions": ["up"], "points": [[0.1, 1.0]]}]}, "directions"),
        ({"curves": OWN["curves"] * 2}, "twice"),
        ({"reported_by": ""}, "reported_by"),
        ({"colour": "red"}, "colour"),
        ({"confidence": "sure"}, "confidence"),
        ({"prefix": "f2291"}, "another prefix"),
        ({"prefix": "sustained"}, "another prefix"),
        ({"combined": {"form": "polygon", "pairs": ["GyGz"], "at_duration": 0.2, "hold": 0.2, "rule": "x",
                       "vertices": [[1, 0], [0.1, 0.1], [0, 1]]}}, "convex"),
    ],
)  # fmt: skip
def test_that_a_table_that_is_none_is_named_in_one_sentence_and_the_rest_judges_on(folder, changes, words):
    put(folder, "house_rules", **changes)
    judged = evaluate_history(ride())
    assert sum(r.value is not None for r in judged) > 50
    (fault,) = table_faults()
    assert words in fault
    assert "house_rules" in fault
    assert "\n" not in fault
    assert list_tables()


def changed(name, path, value):
    """A table of the program with one entry set, or taken out when the value is None."""
    table = json.loads(limit_files()[name].path.read_text(encoding="utf-8"))
    holder = table
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return json.dumps(table)


@pytest.mark.parametrize(
    ("name", "path", "value", "words"),
    [
        ("hic_3ms", ("limits", 0, "value"), 0.0, "larger than 0"),
        ("hic_3ms", ("limits", 0, "value"), -700.0, "larger than 0"),
        ("hic_3ms", ("limits", 1), None, "hic15"),
        ("hic_risk", ("curves", 0), None, "hic36_ais1"),
        ("hic_risk", ("curves", 7, "c2"), 0.0, "larger than 0"),
        ("dri_limits", ("limits", 0, "value"), 0.0, "larger than 0"),
        ("dri", ("natural_frequency",), 0.0, "natural_frequency"),
        ("symptom_bands", ("tables", 2), None, "one for each"),
        ("symptom_bands", ("tables", 0, "bands"), [], "bands"),
        ("iso2631", ("weightings", "Wk"), None, "Wk is missing"),
        ("iso2631", ("weightings", "Wk", "f1"), 0.0, "f1"),
        ("iso2631", ("caution_8h",), [0.0, 0.0], "caution_8h"),
        ("gloc", ("threshold",), 0.5, "threshold"),
        ("gloc", ("onset", "gradual_rate"), 2.0, "gradual_rate"),
        ("gloc", ("stoll", "latest"), 1.0, "latest"),
        ("bric", ("critical", "average"), None, "average"),
        ("bric", ("critical", "average"), [0.0, 1.0, 1.0], "critical"),
        ("bric", ("scale", "AIS2+"), None, "AIS2"),
        ("damage", ("mass",), 0.0, "mass"),
        ("head_power", ("event",), 0.0, "event"),
        ("neck_nij", ("dummies", 0, "tension"), 0.0, "tension"),
        ("neck_nij", ("dummies",), [], "H3_50M"),
    ],
)
def test_that_a_table_with_a_number_that_cannot_be_is_left_out_and_named(folder, name, path, value, words):
    """The program's own takes its place, or the criteria that need it are not judged; everything else is."""
    text = changed(name, path, value)
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    # Fast enough for the filter in front of the criteria of rotation.
    plain = ride(step=0.001)
    load = np.zeros((plain.time.size, 3))
    record = replace(plain, rotation_rate=load, neck_force=load, neck_moment=load)
    judged = {r.criterion: r for r in evaluate_history(record)}
    assert set(judged) == set(criterion_ids())
    told = " ".join((*table_faults(), *(r.note for r in judged.values() if r.value is None)))
    assert words in told
    assert "\n" not in told
    whole = {r.criterion for r in judged.values() if r.value is not None}
    assert "f2291_+Gz" in whole


def test_that_a_value_in_no_comfort_band_says_so(folder):
    (folder / "iso2631.json").write_text(changed("iso2631", ("comfort",), []), encoding="utf-8")
    (found,) = evaluate_history(ride(step=0.004), ["iso2631_av"])
    assert "none of the comfort bands" in found.note


@pytest.mark.parametrize("text", ["{", "[1]", "\udcff", '{"title": "x"}'])
def test_that_a_broken_file_is_named(folder, text):
    (folder / "house_rules.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "house_rules" not in {table.id for table in list_tables()}
    (fault,) = table_faults()
    assert "house_rules.json" in fault
    assert any(r.value is not None for r in evaluate_history(ride()))
    (folder / "house_rules.json").unlink()
    assert table_faults() == ()


def test_that_unknown_standards_are_refused_with_those_there_are():
    with pytest.raises(InputError, match="astm_f2291"):
        evaluate_history(ride(), options=EvaluationOptions(standards=("astm",)))
    with pytest.raises(ValueError, match="once"):
        EvaluationOptions(standards=("eiband", "eiband"))


def test_that_the_command_lists_and_shows_the_tables(folder, capsys):
    put(folder, "house_rules")
    assert main(["limits"]) == 0
    shown = capsys.readouterr().out
    assert "house_rules" in shown
    assert "user" in shown
    assert str(folder) in shown
    assert main(["limits", "--json"]) == 0
    entries = {entry["id"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert entries["house_rules"]["confidence"] == "medium"
    assert entries["house_rules"]["user"]
    assert "not confirmed" in entries["astm_f2291"]["title"]
    assert main(["limits", "astm_f2291"]) == 0
    shown = capsys.readouterr().out
    assert "3 (11.8), 2 (12)" in shown
    assert "F2137" in shown
    assert main(["limits", "astm_f2291", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prefix"] == "f2291"
    assert main(["limits", "nothing"]) == 2
    assert "astm_f2291" in capsys.readouterr().err


def test_that_the_example_of_the_guide_is_a_table(folder):
    guide = (resources.files("ridewright.resources") / "guide" / "criteria.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```\n(\{.*?\n\})\n```", guide, re.DOTALL)
    (folder / "family.json").write_text(example, encoding="utf-8")
    found = {r.criterion: r for r in evaluate_history(ride())}["house_-Gz"]
    assert found.limit_source.startswith("House rules for family rides")
    assert found.signal.filter == "5 Hz"


def test_that_a_table_can_be_copied_and_changed(folder, monkeypatch, capsys):
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(folder / "new" / "place"))
    assert main(["limits", "astm_f2291", "--copy"]) == 0
    mine = folder / "new" / "place" / "astm_f2291.json"
    assert str(mine) in capsys.readouterr().out
    before = evaluate_history(ride(), ["f2291_-Gz"])[0]
    assert before.limit_source.count("user table astm_f2291.json") == 1
    text = mine.read_text(encoding="utf-8").replace(
        "[0.2, 2.0], [0.5, 1.5], [4.0, 1.5]", "[0.2, 0.5], [0.5, 0.5], [4.0, 0.5]"
    )
    mine.write_text(
        text.replace('[7.0, 1.1]], "rule": "-Gz, base', '[7.0, 0.4]], "rule": "-Gz, base'), encoding="utf-8"
    )
    after = evaluate_history(ride(), ["f2291_-Gz"])[0]
    assert (before.verdict, after.verdict) == ("inside", "outside")
    assert main(["limits", "astm_f2291", "--copy"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["limits", "--copy"]) == 2


def test_that_every_table_can_be_shown_as_text():
    for name in limit_files():
        text = table_text(name)
        assert "source:" in text
        assert "confidence:" in text


def test_that_a_record_is_judged_as_the_command_line_says(tmp_path, capsys):
    path = tmp_path / "ride.csv"
    t = np.arange(0.0, 8.0, 0.01)
    gx = np.where((t > 3.0) & (t < 5.0), -1.85, 0.0)
    np.savetxt(
        path, np.column_stack([t, gx, 0.0 * t, 1.0 + 0.0 * t]), "%.4f", ",", header="t,ax,ay,az", comments=""
    )

    def judged(*arguments):
        assert main(["criteria", str(path), "--unit", "g", "--json", *arguments]) == 0
        return {c["criterion"]: c for c in json.loads(capsys.readouterr().out)["criteria"]}

    assert judged()["f2291_-Gx"]["verdict"] == "outside"
    assert judged("--restraint", "over_the_shoulder")["f2291_-Gx"]["verdict"] == "within 10 %"
    assert judged("--restraint-class", "2")["f2291_restraint_class"]["verdict"] == "outside"
    assert "en13814_2019_-Gx" in judged("--standards", "en13814_2019")
    assert judged("--filter", "5 Hz")["f2291_-Gx"]["signal"]["filter"] == "none"
    assert main(["criteria", str(path), "--restraint-class", "9"]) == 2
    assert "--restraint-class" in capsys.readouterr().err
