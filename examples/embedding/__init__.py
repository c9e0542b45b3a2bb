"""wikiapi inside other applications, and under servers of other people."""
