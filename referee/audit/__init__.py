"""An independent judge of records: of the rest of Shotclock it knows the rules of the games and nothing else."""
