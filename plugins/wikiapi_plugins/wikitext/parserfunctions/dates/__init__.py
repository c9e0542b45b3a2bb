"""Parser functions for dates: ``#time`` and its variants, and ``#formatdate``."""
