"""PHP files that assign settings, which are read and never run."""
