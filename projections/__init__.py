"""The read side: derived from the log, deletable, made anew at any time."""
