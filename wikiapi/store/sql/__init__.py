"""From Peewee's queries to statements: the pieces to build them of, and how they are compiled."""
