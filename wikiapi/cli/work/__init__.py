"""What the commands do: a file for each, with the name of the file that has its options.

The options import a file of this package when the command runs, since it imports most of wikiapi,
which takes half a second that ``--help`` and completion need not take.
"""
