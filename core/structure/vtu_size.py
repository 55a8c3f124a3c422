"""How much the packed arrays of a VTK file open to, before they are opened: a small file may hold gigabytes."""

from __future__ import annotations

import lzma
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import ParseError, fromstring

from ..base.errors import InputError

MAX_OPENED = 2 * 10**9  # bytes
PIECE = 1 << 20  # bytes that are opened at once
HEADERS = {"UInt32": 4, "UInt64": 8, "Int32": 4, "Int64": 8}


def check_vtu(file: Path, content: bytes) -> None:
    """Raise InputError for a file whose packed arrays open to more than `MAX_OPENED` bytes, or that has entities."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise InputError(f"{file}: defines entities, which no mesh does; export it again.")
    raw = re.search(rb"<AppendedData[^>]*encoding\s*=\s*.raw[^>]*>\s*_", content)
    end = content.rfind(b"</AppendedData>")
    try:
        root = fromstring(content if raw is None else content[: raw.end()] + content[end:])
    except ParseError:
        return  # meshio says what is wrong
    packed = root.get("compressor")
    if packed is None:
        return
    width = HEADERS.get(root.get("header_type", "UInt32"), 4)
    big = root.get("byte_order") == "BigEndian"
    coded = "".join((root.findtext("AppendedData") or "").split())[1:].encode("ascii", "replace")
    opened = 0
    for array in root.iter("DataArray"):
        data = "".join((array.text or "").split()).encode("ascii", "replace")
        if array.get("format") == "appended":
            offset = array.get("offset", "")
            first = int(offset) if offset.strip().isdecimal() else 0
            data = coded[first:] if raw is None else content[raw.end() + first : end]
        elif array.get("format") != "binary":
            continue
        plain = array.get("format") == "appended" and raw is not None
        for block in _blocks(data, width, big, plain):
            opened += _opened(block, packed == "vtkLZMADataCompressor", MAX_OPENED - opened)
            if opened > MAX_OPENED:
                raise InputError(
                    f"{file}: its arrays open to more than {MAX_OPENED / 1e9:g} GB; this is not a mesh that can be"
                    " reduced here."
                )


def _blocks(data: bytes, width: int, big: bool, plain: bool) -> Iterator[bytes]:
    """The blocks of an array that begins with its table: number of blocks, two sizes, packed size of each; plain: as
    they are, not as base64."""

    def cut(text: bytes, first: int, size: int) -> bytes:
        return (
            text[first : first + size]
            if plain
            else b64decode(text[first : first + 4 * ((size + 2) // 3)])[:size]
        )

    def number(k: int) -> int:
        return int.from_bytes(table[width * k : width * (k + 1)], "big" if big else "little")

    try:
        table = cut(data, 0, width)
        count = number(0)
        if count > len(data):
            return
        long = width * (3 + count)
        table = cut(data, 0, long)
        sizes = [number(k) for k in range(3, 3 + count)]
        body = cut(data, long if plain else 4 * ((long + 2) // 3), sum(sizes))
    except ValueError:
        return  # meshio says what is wrong
    at = 0
    for size in sizes:
        yield body[at : at + size]
        at += size


def _opened(block: bytes, by_lzma: bool, maximum: int) -> int:
    """How many bytes a block opens to, counted until there are more than `maximum`."""
    total = 0
    try:
        if by_lzma:
            lz = lzma.LZMADecompressor(memlimit=MAX_OPENED)
            data = lz.decompress(block, PIECE)
            while data and total <= maximum:
                total += len(data)
                data = b"" if lz.eof else lz.decompress(b"", PIECE)
            return total
        z = zlib.decompressobj()
        data = z.decompress(block, PIECE)
        while data and total <= maximum:
            total += len(data)
            data = z.decompress(z.unconsumed_tail, PIECE)
    except (zlib.error, lzma.LZMAError, EOFError, ValueError):
        pass  # meshio says what is wrong
    return total
