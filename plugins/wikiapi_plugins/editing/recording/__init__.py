"""What is recorded of a change, and what follows from it."""
