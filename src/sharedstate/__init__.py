"""Shared State Lab: one bug family, shared mutable state without isolation, seen, fixed and proved.

Importing the package is cheap on purpose; torch, matplotlib and ipywidgets are imported where they are used.
"""

__version__ = "0.1.0"
