"""The database engines: a class for each, with what it does differently from the others."""
