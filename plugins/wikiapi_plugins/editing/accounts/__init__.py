"""Accounts: making them, their passwords, groups, preferences and mail."""
