"""The parameter types, one family a file."""
