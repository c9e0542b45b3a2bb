"""Actions on whole pages: moving, deleting, protecting and the like."""
