"""Actions: one module per action= value."""
