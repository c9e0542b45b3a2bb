"""The types of parameters, with one file for each group of types."""
