"""Blocks: creating, changing, lifting and enforcing them."""
