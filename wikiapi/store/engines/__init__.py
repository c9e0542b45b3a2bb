"""What each kind of database does its own way: one class for each."""
