"""The ``debuginfo`` block of an answer."""
