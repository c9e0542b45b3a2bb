"""Authentication, and the sessions of accounts."""
