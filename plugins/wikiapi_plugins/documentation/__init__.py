"""What the modules' declarations say about them, for paraminfo and help alike."""
