"""The version of the program, in one place: the number that the next release will have, or that this one has.

What is built from it has the number of its tag written in (tools/sources.py).
"""

VERSION = "0.2.0"
