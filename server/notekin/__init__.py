"""Notekin: the search engine for your own notes."""

__version__ = "0.1.0"
