"""Building Peewee queries, and compiling them to SQL statements."""
