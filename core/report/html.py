"""The report as one HTML file that needs nothing else: figures, pictures and fonts are inside."""

from __future__ import annotations

import base64
import html
import re
from string import Template

from ..base.errors import InputError
from .document import (
    Block,
    Cell,
    Column,
    Entry,
    Facts,
    Figure,
    Moment,
    ReportContent,
    Section,
    Table,
    Text,
    TitleBlock,
)
from .figures.canvas import font_folder
from .template import template_text

WEIGHTS = {"Regular": 400, "Medium": 500}
IDS = re.compile(r'(\bid="|url\(#|href="#)')


def report_html(content: ReportContent, files: dict[str, bytes], template: str = "") -> str:
    """The report as text of an HTML file; files: drawings and pictures by the names the content uses; template: a
    folder whose report.html is taken, where it has one. Raises InputError for one with unknown places."""
    page = Template(template_text("report.html", template))
    body = "\n".join(_section(section, 2, files) for section in content.sections)
    try:
        return page.substitute(
            title=_escape(f"{content.title.project}: {content.title.subtitle}"),
            fonts=_fonts(),
            head=_head(content.title, files),
            contents="".join(_entry_of_contents(section) for section in content.sections),
            body=body,
        )
    except (KeyError, ValueError) as error:
        raise InputError(
            f"{template}/report.html: {error} is no place of the report's page; see the guide."
        ) from None


def _escape(text: str) -> str:
    return html.escape(text, quote=True)


def _fonts() -> str:
    rules = []
    for name, weight in WEIGHTS.items():
        data = base64.b64encode((font_folder() / f"Roboto-{name}.ttf").read_bytes()).decode()
        rules.append(
            f"@font-face{{font-family:Roboto;font-weight:{weight};src:url(data:font/ttf;base64,{data})}}"
        )
    return "\n".join(rules)


def _head(title: TitleBlock, files: dict[str, bytes]) -> str:
    facts = "".join(
        f"<div><span>{_escape(one.label)}</span><b>{_cell(one.cell)}</b> {_escape(one.unit)}</div>"
        for one in title.facts
    )
    rows = (
        *((("Revision", title.revision),) if title.revision else ()),
        ("Date", title.date_words),
        ("Program", title.program),
        ("Hash of the project", title.project_hash),
        ("Hash of the results", title.results_hash),
    )
    lines = "".join(f"<tr><th>{_escape(name)}</th><td>{_escape(text)}</td></tr>" for name, text in rows)
    picture = f'<p class="logo"><img src="{_inside(title.logo, files)}" alt=""></p>' if title.logo else ""
    signed = "".join(
        f"<tr><th>{_escape(one.role)}</th><td>{_escape(one.name)}</td><td>Date, signature</td></tr>"
        for one in title.signatures
    )
    signed = f'<table class="signatures">{signed}</table>' if signed else ""
    return (
        f'{picture}<p class="soft">{_escape(title.subtitle)}</p><h1>{_escape(title.project)}</h1>'
        f'<p class="soft">{_escape(title.notes)}</p>'
        f'<p class="verdict {title.verdict.tone}">{_escape(title.verdict.text)}</p>'
        f'<div class="title-facts">{facts}</div><table class="facts">{lines}</table>{signed}'
    )


def _inside(file: str, files: dict[str, bytes]) -> str:
    """A picture as part of the page."""
    kind = {"svg": "svg+xml", "jpg": "jpeg"}.get(ending := file.rpartition(".")[2], ending)
    return f"data:image/{kind};base64,{base64.b64encode(files[file]).decode()}"


def _entry_of_contents(section: Section) -> str:
    inner = "".join(_entry_of_contents(one) for one in section.sections)
    inner = f"<ol>{inner}</ol>" if inner else ""
    return f'<li><a href="#{section.id}">{section.number} {_escape(section.title)}</a>{inner}</li>'


def _section(section: Section, level: int, files: dict[str, bytes]) -> str:
    blocks = "\n".join(_block(block, files) for block in section.blocks)
    inner = "\n".join(_section(one, level + 1, files) for one in section.sections)
    head = f"<h{level}><span>{section.number}</span> {_escape(section.title)}</h{level}>"
    return f'<section id="{section.id}">{head}\n{blocks}\n{inner}</section>'


def _block(block: Block, files: dict[str, bytes]) -> str:
    match block:
        case Text():
            return f'<p class="{block.tone}">{_escape(block.text)}</p>'
        case Facts():
            return f'<table class="facts" id="{block.id}-figures">{_entries(block.entries)}</table>'
        case Table():
            return _table(block)
        case Figure():
            return (
                f'<figure id="figure-{block.id}">{_picture(block.file, block.title, files)}<figcaption><b>Figure '
                f"{block.number}. {_escape(block.title)}.</b> {_escape(block.caption)}</figcaption></figure>"
            )
        case Moment():
            return (
                f'<div class="moment" id="{block.id}"><h4><i>{_escape(block.mark)}</i> {_escape(block.title)} '
                f"{_cell(block.verdict)}</h4><div><div>{_picture(block.picture, block.title, files)}</div>"
                f'<table class="facts">{_entries(block.entries)}</table></div><p class="soft">{_escape(block.note)}'
                "</p></div>"
            )


def _entries(entries: tuple[Entry, ...]) -> str:
    return "".join(
        f"<tr><th>{_escape(one.label)}</th><td>{_cell(one.cell)} <span>{_escape(one.unit)}</span></td></tr>"
        for one in entries
    )


def _cell(cell: Cell) -> str:
    return f'<b class="{cell.tone}">{_escape(cell.text)}</b>' if cell.tone else _escape(cell.text)


def _table(table: Table) -> str:
    groups = _groups(table.columns)
    head = "".join(
        f'<th class="{column.align}">{_escape(column.title)}<span>{_escape(column.unit)}</span></th>'
        for column in table.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td class="{column.align}">{_cell(cell)}</td>'
            for column, cell in zip(table.columns, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table class="data" id="{table.id}-table"><caption><b>{table.name}. '
        f"{_escape(table.title)}.</b> {_escape(table.note)}</caption><thead>{groups}<tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _groups(columns: tuple[Column, ...]) -> str:
    """The upper line of the head: neighbours of one group under one cell; nothing where there are no groups."""
    if not any(column.group for column in columns):
        return ""
    spans: list[tuple[str, int]] = []
    for column in columns:
        if spans and column.group and spans[-1][0] == column.group:
            spans[-1] = column.group, spans[-1][1] + 1
        else:
            spans.append((column.group, 1))
    cells = "".join(f'<th colspan="{width}">{_escape(group)}</th>' for group, width in spans)
    return f'<tr class="groups">{cells}</tr>'


def _picture(file: str, title: str, files: dict[str, bytes]) -> str:
    data = files[file]
    if file.endswith(".png"):
        return f'<img alt="{_escape(title)}" src="data:image/png;base64,{base64.b64encode(data).decode()}">'
    text = data.decode("utf-8")
    # Drawings stand in one document here: names inside one may not meet those of another.
    prefix = re.sub(r"\W", "_", file.removesuffix(".svg"))
    text = IDS.sub(rf"\g<1>{prefix}-", text[text.index("<svg") :])
    return text.replace("<svg ", f'<svg role="img" aria-label="{_escape(title)}" ', 1)
