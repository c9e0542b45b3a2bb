"""Proving to be an account, and the sessions of accounts."""
