"""How a schedule is run: on generators, on real threads, on an event loop."""
