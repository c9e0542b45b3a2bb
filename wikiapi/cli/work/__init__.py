"""The code of the commands, in modules named like those with their options.

A command imports its module of this package only when it runs. The import loads most of wikiapi,
which takes half a second that ``--help`` and completion do not need.
"""
