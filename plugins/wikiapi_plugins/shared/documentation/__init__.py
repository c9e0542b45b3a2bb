"""Descriptions of modules and parameters for paraminfo and help, built from the declarations."""
