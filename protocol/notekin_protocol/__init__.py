"""The wire contract of Notekin, without any of its engine."""
