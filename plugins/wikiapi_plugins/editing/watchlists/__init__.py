"""Watch lists: what is on them, and up to when each page was seen."""
