"""Actions on accounts: creating them, and their passwords, groups, preferences and mail."""
