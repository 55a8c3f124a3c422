"""How the inputs of `fuzz.py` are damaged: values, bytes, texts, tables and results files, all from a random number."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import re
import struct
from pathlib import Path
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 1e-300, -1e-300, 1e300, -1e300, 1e9, 1e6, 1e-9, 10**30, 2**31, 2**63, -0.0,
    float("nan"), float("inf"), float("-inf"), "", " ", "nan", "1e5", "1,5", "name", "\0", "<b>x</b>", "=1+1",
    "../../x", "x" * 5000, "\u202e", "\ud800", "car/1", [], {}, [[]], [0], [1, 2, 3], [0, 0, 0], [1e20, 0, 0],
    {"kind": "ride"}, [[0, 0], [0, 0]], {"a": {"a": {}}},
)  # fmt: skip
NUMBERS = (
    "", "soon", "nan", "inf", "-inf", "-1", "0", "-0", "1e-300", "1e300", "1e999", "1,5", "0x10", "1e-7", "1e7", "3",
    "0.5", "١", "1_000", "--", "1;2", "٣",
)  # fmt: skip


def leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all entries of a JSON value."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = [path] if path else []
    for key, value in entries:
        found += leaves(value, (*path, key))
    return found


def damage_json(text: str, rng: random.Random) -> bytes:
    """One to three places of a JSON text changed, or the text itself."""
    if rng.random() < 0.2:
        return damage_text(text.encode(), rng)
    data = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        paths = leaves(data)
        if not paths:
            break
        path = rng.choice(paths)
        parent = data
        for key in path[:-1]:
            parent = parent[key]
        value, how = parent[path[-1]], rng.randrange(9)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if how <= 3 and is_number:  # what is well formed goes further into the program than what is not
            size = rng.choice((0.3, 1.0, 3.0, 12.0))
            parent[path[-1]] = rng.choice(
                (value * 10.0 ** rng.uniform(-size, size), -value, 0, value + 1, rng.gauss(0, 3))
            )
        elif how <= 3:
            parent[path[-1]] = copy.deepcopy(rng.choice(NASTY))
        elif how == 4 and isinstance(parent, dict):
            del parent[path[-1]]
        elif how == 5 and isinstance(value, list) and value:
            parent[path[-1]] = value * rng.choice((2, 2, 3, 30, 300))
        elif how == 6 and isinstance(value, list):
            rng.shuffle(value)
        elif how == 7 and isinstance(value, str):
            others = [t for p in paths if isinstance(t := _at(data, p), str)]
            parent[path[-1]] = rng.choice(others)
        elif how == 8:
            parent[path[-1]] = copy.deepcopy(_at(data, rng.choice(paths)))
    try:
        return json.dumps(data).encode("utf-8", "surrogatepass")
    except RecursionError:
        return b"["


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def damage_bytes(content: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, cut, doubled, put in, or numbers of a binary file set to what is none."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if not data:
            break
        at, how = rng.randrange(len(data)), rng.randrange(7)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at:]
        elif how == 2:
            data[at:at] = rng.randbytes(rng.choice((1, 4, 100)))
        elif how == 3:
            end = min(len(data), at + rng.choice((1, 8, 200, 5000)))
            data[at:end] = data[at:end] * 2
        elif how == 4:
            del data[at : at + rng.choice((1, 2, 8, 500))]
        elif how == 5:
            wild = rng.choice((float("nan"), float("inf"), 1e300, -1.0, 1e20, 0.0, 1e-40))
            kind = rng.choice(["<d", "<f", ">d", ">f"])
            with contextlib.suppress(OverflowError):
                made = struct.pack(kind, wild)
                data[at : at + len(made)] = made
        else:
            data[at : at + 4] = struct.pack("<i", rng.choice((-1, 0, 1, 2**31 - 1, -(2**31), 10**6, 10**9)))
    return bytes(data)


def damage_text(content: bytes, rng: random.Random) -> bytes:
    """A text of rows or tags: cells, rows, separators, encodings and ends changed."""
    how = rng.randrange(14)
    text = content.decode("utf-8", "replace")
    rows = text.splitlines()
    k = rng.randrange(max(len(rows), 1))
    if how == 0:
        return damage_bytes(content, rng)
    if how == 1:
        return text.encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "latin-1")), "replace")
    if how == 2:
        text = text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\0", "\u2028")))
    elif how == 3:
        text = text.replace(
            rng.choice((",", ".", " ", "\t", '"', "<", ">", ":")), rng.choice(("", ";", ",", ", ", "\t"))
        )
    elif how == 4:
        rows.insert(k, rng.choice(rows) if rows else "x")
    elif how == 5 and rows:
        del rows[k : k + rng.choice((1, 1, 20))]
    elif how == 6 and rows:
        rows[k] = rows[k][: rng.randrange(len(rows[k]) + 1)]
    elif how == 7:
        rng.shuffle(rows)
    elif how == 8:
        rows = rows[:1] + rows[1:] * rng.choice((2, 10, 100, 400))
    elif how == 9:
        rows = [*rows[: rng.choice((0, 1, 2, 3, 4, 9))]]
    elif how in (10, 11, 12) and rows:
        for _ in range(rng.choice((1, 1, 3, 30))):
            k = rng.randrange(len(rows))
            cells = _cells(rows[k])
            numbers = [i for i, cell in enumerate(cells) if _is_number(cell)]
            if numbers:
                i = rng.choice(numbers)
                wild = (*NUMBERS, f"{float(cells[i]) * 10.0 ** rng.uniform(-9, 9):.9g}", f"-{cells[i]}")
                cells[i] = rng.choice(wild)
                rows[k] = "".join(cells)
    else:
        rows = [rows[0] if rows else ""] + [row for row in rows[1:] if rng.random() < 0.5]
    joined = text if how in (2, 3) else "\n".join(rows)
    return joined.encode("utf-8", "replace")


def _cells(row: str) -> list[str]:
    return re.split(r"([,;\t <>\"=]+)", row)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return len(cell) < 40


def damage_results(path: Path, rng: random.Random) -> None:
    """A results file with bytes flipped, or with data sets and attributes that do not fit one another."""
    if rng.random() < 0.4:
        path.write_bytes(damage_bytes(path.read_bytes(), rng))
        return
    import h5py
    import numpy as np

    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        for _ in range(rng.choice((1, 1, 2, 4))):
            name = rng.choice(names)
            if name not in file:
                continue
            node, how = file[name], rng.randrange(7)
            if how == 0:
                del file[name]
            elif how == 1 and isinstance(node, h5py.Dataset) and node.shape and node.size:
                data = node[()]
                del file[name]
                file[name] = data[: rng.randrange(len(data) + 1)]
            elif how == 2 and isinstance(node, h5py.Dataset) and node.dtype.kind == "f" and node.size:
                wild = rng.choice((np.nan, np.inf, -1e300, 0.0, 1e30))
                flat = node[()].reshape(-1)
                flat[rng.randrange(flat.size) :: rng.choice((1, 7, 10**6))] = wild
                node[...] = flat.reshape(node.shape)
            elif how == 3 and isinstance(node, h5py.Dataset):
                del file[name]
                file[name] = rng.choice(
                    (np.array("text", dtype="S4"), np.zeros((2, 3)), np.array(3), np.zeros(0))
                )
            elif how == 4:
                file.move(name, f"{name}_moved")
            elif how == 5 and isinstance(node, h5py.Group):
                del file[name]
                file[name] = np.arange(3.0)
            elif len(node.attrs):
                attribute = rng.choice(sorted(node.attrs))
                node.attrs[attribute] = rng.choice((-1, "x", 1e300, np.zeros(2), "{", 10**9))
