"""The figures and conclusions of Viegas 2016, chapters 5 and 6, from rides of the bundled examples.

    python -m tools.thesis          writes resources/guide/thesis-comparison.md, thesis-numbers.json and the pictures

The track data of the thesis were never published: the examples are courses of the same height, length and elements, so
what depends on more than that can agree in kind only, and the comparison says where it does not.
"""
