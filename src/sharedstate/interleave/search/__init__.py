"""Which schedules are tried: one driver loop, and one scheduler a file."""
