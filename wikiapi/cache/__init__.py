"""Things kept because making them again would take longer: in this process, or shared by several.

Everything in a cache can be lost at any time, and nothing depends on its being there.
"""
