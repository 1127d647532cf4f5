"""`python -m sharedstate` is the command line."""

from __future__ import annotations

from sharedstate.cli import main

if __name__ == "__main__":
    main()
