"""Write box.inp, two quadratic hexahedra that are skewed, with numbers of nodes that have holes, and box.csv beside it.

Its matrices were written by CalculiX 2.20 (`ccx -i box`), which leaves box.sti, box.mas and box.dof: those are kept
here, packed. Run it again with `python make_box.py`.
"""

from pathlib import Path

HERE = Path(__file__).parent
SIZES = 0.6, 0.1, 0.08  # m
CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
MIDDLES = [tuple((a + b) // 2 for a, b in zip(CORNERS[i], CORNERS[j], strict=True)) for i, j in EDGES]
END = """*MATERIAL, NAME=STEEL
*ELASTIC
2.1E11, 0.3
*DENSITY
7850.
*SOLID SECTION, ELSET=BOX, MATERIAL=STEEL
*STEP
*FREQUENCY, SOLVER=MATRIXSTORAGE

*END STEP
"""


def place(i: int, j: int, k: int) -> tuple[float, float, float]:
    """A node of a grid of half elements (m), skewed so that nothing is square."""
    x, y, z = (size * n / m for size, n, m in zip(SIZES, (i, j, k), (4, 2, 2), strict=True))
    return x + 0.1 * y, y + 0.2 * z - 0.03 * x, z + 0.05 * x


def main() -> None:
    """Write both files."""
    grid = sorted({(i + 2 * e, j, k) for e in range(2) for i, j, k in (*CORNERS, *MIDDLES)})
    number = {node: 5 + 3 * n for n, node in enumerate(grid)}
    lines = ["*NODE, NSET=ALL"]
    table = ["node,x,y,z"]
    for node, n in number.items():
        words = ", ".join(f"{x:.9g}" for x in place(*node))
        lines.append(f"{n}, {words}")
        table.append(f"{n}, {words}")
    lines.append("*ELEMENT, TYPE=C3D20, ELSET=BOX")
    for e in range(2):
        own = [str(number[i + 2 * e, j, k]) for i, j, k in (*CORNERS, *MIDDLES)]
        lines += [f"{e + 1}, {', '.join(own[:15])},", ", ".join(own[15:])]
    (HERE / "box.inp").write_text("\n".join(lines) + "\n" + END, encoding="utf-8")
    (HERE / "box.csv").write_text("\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
