"""Libraries that several plugins use; they register nothing."""
