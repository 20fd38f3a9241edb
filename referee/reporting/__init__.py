"""What a tournament showed: tables, figures, one page; `command.py` is `shotclock report`."""
