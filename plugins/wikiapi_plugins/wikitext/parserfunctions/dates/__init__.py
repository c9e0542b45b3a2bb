"""Parser functions for dates and times: ``#time`` and its variants, and ``#formatdate``."""
