"""Recording changes: log entries, recent changes, change tags, reverts and derived data."""
