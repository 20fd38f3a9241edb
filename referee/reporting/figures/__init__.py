"""The pictures of a report. Only what is in here imports matplotlib, which is an extra."""
