"""The worker process: Lua, and as much around it as Lua needs.

Its modules import nothing of the project: a worker is started on a file system and an interpreter
alone, and is up in a few hundredths of a second.
"""
