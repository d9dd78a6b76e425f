"""The command line: the same engine and the same index, no editor needed."""
