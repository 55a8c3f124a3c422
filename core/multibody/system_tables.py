"""The tables of a system as kernels read them: rows, paths, masses and elements as numbers, pooled."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array, Integers
from ..model.functions import AnalyticFunction, TimeFunction
from ..project.project import Project
from ..track.path import PathTable
from . import arrays as t
from .arrays import Arrays
from .flexible import Flexible, flexible_tables
from .layout import RIGID, TURN, Layout
from .rows import Pose, Rows


def system_arrays(
    project: Project,
    layout: Layout,
    blocks: list[Array],
    pose: Pose,
    rows: Rows,
    elements: tuple[dict[int, Integers], dict[int, Array]],
    paths: list[PathTable],
    arc: Array,
    table: bool,
    devices: tuple[dict[int, Integers], dict[int, Array]],
    flexible: tuple[Flexible, ...],
) -> Arrays:
    """All tables of a system.

    blocks: of every body its mass over its slots; elements, devices: tables of force elements and of devices; arc (ng,)
    m: where guides start; table: paths are looked up in tables.
    """
    g_row, g_col = _jacobian_pattern(layout, rows)
    counts = (layout.bodies, layout.guides, layout.coordinates, layout.multipliers)
    meta = [*counts, layout.first_row["guides"], int(table)]
    row_i, row_f = _constraint_tables(rows, paths, arc, pose)
    element_i, element_f = elements
    path_i, path_f = _path_tables(paths, table)
    whole = {
        t.META: int_table([meta], 6),
        t.SLOT: layout.slots.reshape(-1, 1),
        t.SIZE: layout.sizes.reshape(-1, 1),
        t.PLAIN: layout.plain.reshape(-1, 1),
        t.GROW: g_row.reshape(-1, 1),
        t.GCOL: g_col.reshape(-1, 1),
        **row_i,
        t.BLOCK: int_table([[b] for b in _with_more(blocks)], 1),
        **element_i,
        **path_i,
        **devices[0],
    }
    bent_i, bent_f = flexible_tables(flexible, rows, layout, _with_more(blocks)) if flexible else ({}, {})
    whole |= bent_i
    numbers = {
        t.META: _table([[*project.gravity]], 3),
        t.BODY: _table([np.diag(block)[TURN - 1 : RIGID].tolist() for block in blocks], 4),
        t.BLOCK: _block_table(layout, blocks),
        **row_f,
        **element_f,
        **path_f,
        **devices[1],
        **bent_f,
    }
    return t.pooled(whole, numbers)


def _jacobian_pattern(layout: Layout, rows: Rows) -> tuple[Integers, Integers]:
    """Compressed-row pattern of the Jacobian in the entry order of `constraint_kernels`."""
    whole, along = layout.rigid.tolist(), layout.plain.tolist()
    moves, turns = layout.rigid[:, :TURN].tolist(), layout.rigid[:, TURN:].tolist()
    cols: list[list[int]] = []
    for i, j, _, _ in rows.points:
        cols += [[moves[i][c], *turns[i], moves[j][c], *turns[j]] for c in range(3)]
    for i, j, *_ in rows.dots:
        cols.append([*turns[i], *turns[j]])
    pairs = [entry[:2] for kind in (rows.slides, rows.distances) for entry in kind]
    cols += [[*whole[i], *whole[j]] for i, j in pairs]
    for k, (body, _, _) in enumerate(rows.guides):
        cols += [[moves[body][c], *turns[body], along[k]] for c in range(3)]
    for guide, _, _ in rows.alignments:
        cols.append([*turns[rows.guides[guide][0]], along[guide]])
    for guide, _ in rows.arcs:
        cols.append([along[guide]])
    for tie in rows.ties:
        own = layout.block(tie.body)
        modal = list(range(own.start + RIGID, own.stop))
        i, j = tie.other, tie.body
        cols += [[moves[i][c], *turns[i], moves[j][c], *turns[j], *modal] for c in range(3)]
        cols += [[*turns[j], *turns[i], *modal]] * 3
    starts = np.concatenate([[0], np.cumsum([len(c) for c in cols])]).astype(np.int64)
    return starts, np.array([x for c in cols for x in c], dtype=np.int64)


def _constraint_tables(
    rows: Rows, paths: list[PathTable], arc: Array, pose: Pose
) -> tuple[dict[int, Integers], dict[int, Array]]:
    poly, span, terms = _functions(rows.functions)
    values = _alignment_values(rows, paths, arc, pose)
    numbers = {
        t.FN: poly,
        t.TERM: terms,
        t.PT: _table([[*x[2], *x[3]] for x in rows.points], 6),
        t.DOT: _table([[*x[2], *x[3], *x[4]] for x in rows.dots], 9),
        t.SL: _table([[*x[2], *x[3], *x[4]] for x in rows.slides], 9),
        t.DS: _table([[*x[2], *x[3]] for x in rows.distances], 6),
        t.GD: _table([[*x[1]] for x in rows.guides], 3),
        t.AL: _table([[*x[2], values[k]] for k, x in enumerate(rows.alignments)], 4),
    }
    return {
        t.FN: span,
        t.PT: int_table([[x[0], x[1]] for x in rows.points], 2),
        t.DOT: int_table([[x[0], x[1], x[5], x[6]] for x in rows.dots], 4),
        t.SL: int_table([[x[0], x[1], x[5]] for x in rows.slides], 3),
        t.GD: int_table([[x[0], path_index(paths, x[2])] for x in rows.guides], 2),
        t.AL: int_table([[x[0], x[1]] for x in rows.alignments], 2),
        t.AR: int_table([[x[0], x[1], int(x[0] in rows.courses)] for x in rows.arcs], 3),
    }, numbers


def _alignment_values(rows: Rows, paths: list[PathTable], arc: Array, pose: Pose) -> Array:
    """The constants of the frame alignment rows, measured as drawn (Viegas 2016, after eq. 2.26)."""
    out = np.zeros(len(rows.alignments))
    for k, (guide, vec, u) in enumerate(rows.alignments):
        if guide in rows.courses:
            continue  # wherever it is drawn: its own axes are square
        body, _, name = rows.guides[guide]
        frame = paths[path_index(paths, name)].sample(arc[guide])[0, 0]
        out[k] = float(frame[3 + 3 * vec : 6 + 3 * vec] @ (pose.A[body] @ u))
    return out


def _functions(functions: list[TimeFunction]) -> tuple[Array, Integers, Array]:
    poly, span = np.zeros((len(functions), 3)), np.zeros((len(functions), 3), dtype=np.int64)
    terms: list[list[float]] = []
    for k, f in enumerate(functions):
        span[k, 0] = len(terms)
        if isinstance(f, AnalyticFunction):
            poly[k] = f.offset, f.rate, f.half_acceleration
            terms += [[h.amplitude, h.omega, h.phase, 0.0, 0.0] for h in f.harmonics]
        else:
            from scipy.interpolate import CubicSpline  # slow to load, rarely needed

            spline = CubicSpline(f.times, f.values, bc_type="clamped")
            terms += [[x, *c[::-1]] for x, c in zip(f.times[:-1], spline.c.T, strict=True)]
            terms.append([f.times[-1], f.values[-1], 0.0, 0.0, 0.0])
            span[k, 2] = 1
        span[k, 1] = len(terms)
    return poly, span, np.array(terms, dtype=np.float64).reshape(-1, 5)


def _path_tables(paths: list[PathTable], table: bool) -> tuple[dict[int, Integers], dict[int, Array]]:
    def starts(sizes: list[int]) -> list[int]:
        return [0, *np.cumsum(sizes).tolist()]

    pieces, hints = starts([len(p.coef) for p in paths]), starts([len(p.hint) for p in paths])
    tables = starts([len(p.table) for p in paths]) if table else [0] * (len(paths) + 1)
    positions = [
        [pieces[k], pieces[k + 1], hints[k], hints[k + 1], tables[k], tables[k + 1], int(p.closed)]
        for k, p in enumerate(paths)
    ]
    hint = np.concatenate([np.zeros(0, dtype=np.int64), *(p.hint for p in paths)])
    figures = [[p.length, p.bin, p.step if table else 0.0] for p in paths]
    return {t.PATH: int_table(positions, 7), t.HINT: hint.astype(np.int64).reshape(-1, 1)}, {
        t.PATH: _table(figures, 3),
        t.KNOT: np.concatenate([np.zeros(0), *(p.knots for p in paths)]).reshape(-1, 1),
        t.COEF: np.concatenate([np.zeros((0, 54)), *(p.coef.reshape(-1, 54) for p in paths)]),
        t.TABLE: np.concatenate([np.zeros((0, 37)), *(p.table for p in paths if table)]),
    }


def path_index(paths: list[PathTable], name: str) -> int:
    return [p.name for p in paths].index(name)


def _block_table(layout: Layout, blocks: list[Array]) -> Array:
    """Rows of the table BLOCK: each block without its translation and without the diagonal of rotation."""
    index = _with_more(blocks)
    out = np.zeros((len(index), (layout.widest - TURN) ** 2))
    for k, b in enumerate(index):
        rest = blocks[b][TURN:, TURN:].copy()
        rest[range(TURN), range(TURN)] = 0.0
        out[k, : rest.size] = rest.ravel()
    return out


def _with_more(blocks: list[Array]) -> list[int]:
    """The bodies whose mass is more than a diagonal of six."""
    return [b for b, m in enumerate(blocks) if len(m) > RIGID or np.any(m != np.diag(np.diag(m)))]


def _table(rows: list[list[float]], width: int) -> Array:
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def int_table(rows: list[list[int]], width: int) -> Integers:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
