"""Patterns of ignore files that match in a time that grows with the path, whatever the pattern.

A vault comes with its ignore files, and nobody has looked at them. `pathspec` makes of a pattern
with many stars a regular expression that tries every way to share a name out among them, which
takes the name's length to the power of the stars. But all stars but the last may take as little
as they can, once and for all: whatever follows then has the most of the name left.
"""

import re
from typing import Any

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

# How `pathspec` writes what has no length of its own: `*` in a name, `**` in a path.
_STAR = "[^/]*"
_ANY_CHARACTER = "[^/]"
# Unlike git's, its `[!a]` is a slash, too.
_ANY_BUT = re.compile(r"(?=\[\^(?!/\]))")
_NO_SLASH = "(?!/)"
_FOLDERS = re.compile(r"(\(\?:\.\+/\)\?|\(\?:/\.\+\)\?)")
_LEAST_FOLDERS = {"(?:.+/)?": "(?:[^/]+/)*?", "(?:/.+)?": "(?:/[^/]+)*?"}


class LinearPattern(GitIgnoreSpecPattern):
    """A line of an ignore file."""

    @classmethod
    def pattern_to_regex(cls, pattern: Any) -> tuple[Any, bool | None]:
        """Return the regular expression of a line, and whether it leaves out or brings back;
        raises `ValueError` for a line that is no pattern.
        """
        regex, include = super().pattern_to_regex(pattern)
        if regex is None:
            return None, include
        return _linear(_ANY_BUT.sub(_NO_SLASH, regex)), include


def _linear(regex: str) -> str:
    begin, *rest = _FOLDERS.split(regex)
    made = [_with_least_stars(begin)]
    while rest:
        folders, names, *rest = rest
        names = _with_least_stars(names)
        # More folders follow, so what these names match ends with a whole name.
        made.append(f"(?>{_LEAST_FOLDERS[folders]}{names}(?=/))" if rest else folders + names)
    return "".join(made)


def _with_least_stars(names: str) -> str:
    """Return a part of a path with all stars but the last of each name taking the least."""
    begin, *rest = names.split(_STAR)
    made = [begin]
    for number, text in enumerate(rest, 1):
        if number == len(rest) or _has_slash(text):
            made.append(_STAR + text)
        elif text:  # two stars side by side are one
            made.append(f"(?>{_STAR}?{text})")
    return "".join(made)


def _has_slash(text: str) -> bool:
    return "/" in text.replace(_ANY_CHARACTER, "").replace(_NO_SLASH, "")
