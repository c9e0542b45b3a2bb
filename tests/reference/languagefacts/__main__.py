"""Generates the facts about languages in ``wikiapi/languages``, from MediaWiki's answers.

``supplement.json`` has what the answers do not tell, by CLDR and MediaWiki's documentation. In
Persian, March does not tell which form of a month's name dates have; other recorded answers do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.reference.languagefacts.casing import casing_facts
from tests.reference.languagefacts.dates import date_facts
from tests.reference.languagefacts.directions import direction_facts
from tests.reference.languagefacts.names import as_text, name_facts
from tests.reference.languagefacts.numbers import number_facts
from tests.reference.languagefacts.plurals import plural_facts
from tests.reference.languagefacts.probes import available
from tests.reference.material import MISSING, ROOT

_TARGET = ROOT / "wikiapi" / "languages" / "tables"
_NAMES = ROOT / "wikiapi" / "languages" / "facts"
_SUPPLEMENT = Path(__file__).with_name("supplement.json")


def main() -> int:
    """Write the files, or return 2 if the answers are missing."""
    if not available():
        print(MISSING, file=sys.stderr)
        return 2
    supplement = json.loads(_SUPPLEMENT.read_text("utf-8"))
    tables: dict[str, object] = {
        "numberformats": number_facts(supplement["numbers"]),
        "casing": casing_facts(supplement["casing"]),
        "dateformats": date_facts(supplement["dates"]),
        "directions": direction_facts(),
        "plurals": plural_facts(supplement["plurals"]),
    }
    for old in _NAMES.glob("*.json"):
        old.unlink()
    for code, facts in name_facts().items():
        (_NAMES / f"{code}.json").write_text(as_text(facts), encoding="utf-8")
    for name, table in tables.items():
        text = json.dumps(table, ensure_ascii=False, indent=1)
        (_TARGET / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
