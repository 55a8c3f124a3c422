"""Acceleration limits of standards and of physiology: tables as data, and the rules that read them."""
