"""Source code in colours."""
