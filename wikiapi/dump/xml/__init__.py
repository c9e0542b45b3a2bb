"""The format of XML dumps: its elements and limits, and the records that are read from it."""
