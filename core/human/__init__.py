"""Human bodies of any size: who somebody is, the segments and joints that follow, and the rider made of them.

All functions are pure; the figures stand in resources/human. `make.rider` is the way in.
"""
