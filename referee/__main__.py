"""`python -m referee` is the `shotclock` command."""

from referee.cli import main

main()
