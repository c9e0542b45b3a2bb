"""Reads XML dumps: the elements of the format, the limits, and the records read from it."""
