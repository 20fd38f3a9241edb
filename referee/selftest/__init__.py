"""What `shotclock doctor` measures on this machine, and what follows from it."""
