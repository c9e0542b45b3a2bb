"""Actions on single revisions, log entries and change tags."""
