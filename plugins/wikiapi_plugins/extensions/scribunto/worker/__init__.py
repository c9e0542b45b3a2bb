"""The worker process, which runs Lua.

These modules import nothing from the rest of the project, so that a worker starts within a few
hundredths of a second.
"""
