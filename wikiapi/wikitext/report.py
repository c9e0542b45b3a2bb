"""The limit report and the transclusion report: two comments at the end of the HTML."""

from __future__ import annotations

from datetime import datetime

from wikiapi.config import LimitsConfig
from wikiapi.wikitext.output import ParserOutput

_SLOWEST = 10
_HYPHEN = "\u2010"


def limit_data(output: ParserOutput) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return pairs of a message key and a figure: its value, or its value and limit."""
    usage = output.usage
    if usage is None:
        return []
    top = usage.ceilings
    return [
        ("limitreport-cputime", (f"{output.cpu_seconds:.3f}",)),
        ("limitreport-walltime", (f"{output.real_seconds:.3f}",)),
        ("limitreport-ppvisitednodes", (usage.nodes, top.preprocessor_nodes)),
        ("limitreport-revisionsize", (usage.revision_size, top.article_size)),
        ("limitreport-postexpandincludesize", (usage.included_size, top.article_size)),
        ("limitreport-templateargumentsize", (usage.argument_size, top.article_size)),
        ("limitreport-expansiondepth", (usage.highest_depth, usage.levels)),
        ("limitreport-expensivefunctioncount", (usage.expensive_calls, top.expensive_functions)),
        ("limitreport-unstrip-depth", (usage.unstrip_depth, top.unstrip_depth)),
        ("limitreport-unstrip-size", (usage.unstrip_size, top.unstrip_size)),
        *((key, figure.values) for key, figure in output.plugin_limits.items()),
    ]


def _label(key: str, output: ParserOutput) -> tuple[str, str]:
    """Return the name of a figure, and its unit."""
    figure = output.plugin_limits.get(key)
    return (figure.label, figure.unit) if figure else _LABELS[key]


_LABELS = {
    "limitreport-cputime": ("CPU time usage", " seconds"),
    "limitreport-walltime": ("Real time usage", " seconds"),
    "limitreport-ppvisitednodes": ("Preprocessor visited node count", ""),
    "limitreport-revisionsize": ("Revision size", " bytes"),
    "limitreport-postexpandincludesize": (f"Post{_HYPHEN}expand include size", " bytes"),
    "limitreport-templateargumentsize": ("Template argument size", " bytes"),
    "limitreport-expansiondepth": ("Highest expansion depth", ""),
    "limitreport-expensivefunctioncount": ("Expensive parser function count", ""),
    "limitreport-unstrip-depth": ("Unstrip recursion depth", ""),
    "limitreport-unstrip-size": (f"Unstrip post{_HYPHEN}expand size", " bytes"),
}


def limit_rows(output: ParserOutput) -> list[tuple[str, str]]:
    """Return the figures for display: label, and value with its unit."""
    rows = []
    for key, values in limit_data(output):
        label, unit = _label(key, output)
        figures = [f"{value:,}" if isinstance(value, int) else value for value in values]
        rows.append((label.replace(_HYPHEN, "-"), "/".join(figures) + unit))
    return rows


def limit_report(output: ParserOutput, ceilings: LimitsConfig, now: datetime) -> str:
    """Return both comments for the output of a rendering."""
    expiry = output.good_for(ceilings.parser_cache_expiry)
    reduced = expiry < ceilings.parser_cache_expiry
    lines = [
        "NewPP limit report",
        f"Cached time: {now:%Y%m%d%H%M%S}",
        f"Cache expiry: {expiry}",
        f"Reduced expiry: {'true' if reduced else 'false'}",
        "Complications: []",
    ]
    for key, values in limit_data(output):
        label, unit = _label(key, output)
        lines.append(f"{label}: {'/'.join(map(str, values))}{unit}")
    report = "\n".join(lines)
    slowest = "\n".join(
        [
            "Transclusion expansion time report (%,ms,calls,template)",
            *(
                line.replace("--", _HYPHEN * 2).replace(">", "&gt;")
                for line in profile_lines(output)
            ),
        ]
    )
    return f"<!-- \n{report}\n-->\n<!--\n{slowest}\n-->\n"


def profile_lines(output: ParserOutput) -> list[str]:
    """Return a line for each of the slowest templates: per cent, milliseconds, calls, name."""
    rows = output.profile.rows(_SLOWEST) if output.profile else []
    return [
        f"{percent:6.2f}% {milliseconds:8.3f} {calls:6d} {name}"
        for percent, milliseconds, calls, name in rows
    ]
