"""Times that no clock shows, as ISO 8601 and as the 14 digits of a database."""

from __future__ import annotations

IMPOSSIBLE = {
    "30 February": "2026-02-30T00:00:00Z",
    "29 February of no leap year": "2026-02-29T00:00:00Z",
    "month 99": "2026-99-01T00:00:00Z",
    "month 0": "2026-00-01T00:00:00Z",
    "day 0": "2026-01-00T00:00:00Z",
    "year 0": "0000-01-01T00:00:00Z",
    "year 999": "0999-01-01T00:00:00Z",
    "year 10000": "10000-01-01T00:00:00Z",
    "25 hours": "2026-01-01T25:61:61Z",
    "60 seconds": "2026-01-01T00:00:60Z",
    "no zone": "2026-01-01T00:00:00",
    "another zone": "2026-01-01T00:00:00+01:00",
    "digits of another script": "٢٠٢٦-٠١-٠١T٠٠:٠٠:٠٠Z",
    "digits alone": "20260101000000",
    "nothing": "",
    "words": "yesterday",
    "a line more": "2026-01-01T00:00:00Z\nx",
    "zeros": "0000-00-00T00:00:00Z",
    "very long": "2026-01-01T00:00:00" + "0" * 900 + "Z",
}
"""By name, in the form of dumps and of the API."""
STORED = (
    "20260230000000",
    "00000000000000",
    "99999999999999",
    "99991231235959",
    "00010101000000",
    "20269901000000",
    "20260101256161",
    "notatimestamp",
    "",
    "2026",
    "2026-02-30 00:00:00",
    "٢٠٢٦٠٢٣٠٠٠٠٠٠٠",
    "\0" * 14,
    "infinity",
    "20260101000000\n",
)
"""What a database may hold that was filled by others."""
