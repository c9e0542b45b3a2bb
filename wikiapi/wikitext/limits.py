"""Resources that a rendering has used, and their limits. The limit report shows both."""

from __future__ import annotations

from dataclasses import dataclass, field

from wikiapi.config import LimitsConfig
from wikiapi.texts import byte_length

_USUAL_LEVELS = LimitsConfig.expansion_depth


def expansion_levels(limits: LimitsConfig) -> int:
    """Return the limit of a wiki for expansions within each other.

    Calls in names and arguments of other calls may be nested more deeply than templates.
    """
    return max(limits.expansion_depth, _USUAL_LEVELS)


@dataclass(slots=True)
class Usage:
    """Counters of one rendering, and the site's limits for them. Sizes are bytes of UTF-8."""

    ceilings: LimitsConfig
    nodes: int = 0
    depth: int = 0
    highest_depth: int = 0
    revision_size: int = 0
    included_size: int = 0
    argument_size: int = 0
    expensive_calls: int = 0
    unstrip_depth: int = 0
    unstrip_size: int = 0
    levels: int = field(init=False)
    """The limit for ``depth``, which may be one more as in MediaWiki."""

    def __post_init__(self) -> None:
        """Take the limit from the settings."""
        self.levels = expansion_levels(self.ceilings)

    def enter(self) -> str:
        """Count the start of an expansion, and return ``""``; :meth:`leave` must follow.

        If that exceeds a limit, return its name instead: ``depth`` or ``nodes``.
        """
        if self.nodes >= self.ceilings.preprocessor_nodes:
            return "nodes"
        self.nodes += 1
        if self.depth > self.levels:
            return "depth"
        self.depth += 1
        if self.depth > self.highest_depth:
            self.highest_depth = self.depth
        return ""

    def leave(self) -> None:
        """Count the end of an expansion."""
        self.depth -= 1

    def include(self, text: str) -> bool:
        """Count text that a template or function returned; return false if that is too much."""
        size = byte_length(text)
        if self.included_size + size > self.ceilings.article_size:
            return False
        self.included_size += size
        return True

    def argument(self, text: str) -> bool:
        """Count the text of a template argument; return false if that is too much."""
        size = byte_length(text)
        if self.argument_size + size > self.ceilings.article_size:
            return False
        self.argument_size += size
        return True

    def expensive(self) -> bool:
        """Count a call of an expensive function; return false if there were too many."""
        self.expensive_calls += 1
        return self.expensive_calls <= self.ceilings.expensive_functions
