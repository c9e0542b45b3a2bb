"""Blocks: making, changing, lifting and enforcing them."""
