"""Tags, links and plain words of one piece of inline Markdown.

The expressions look for one opening mark and stop at the next, so that none of them reads a
character more than a few times, whatever the text.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

import regex

_TICKS = re.compile(r"`+")
_TAG = regex.compile(r"(?<![^\s(\[{,;>*_\"'])#(?P<tag>[\p{L}\p{M}\p{N}\p{Emoji_Presentation}_/-]+)")
_WIKILINK = re.compile(r"\[\[(?P<inside>[^\[\]\r\n]+)\]\]")
_TARGET = r"(?:<(?P<angle>[^<>\n]*)>|(?P<bare>[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))"
_LINK = re.compile(r"\]\([ \t]*" + _TARGET)
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]\n]+\]:[ \t]*" + _TARGET, re.MULTILINE)
_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
_DENDRON = "dendron://"

_SHOWN_LINK = re.compile(r"!?\[(?P<text>[^\[\]\n]*)\]\([^()\n]*\)")
_MARKS = re.compile(r"[`*]+|~~|==|(?<!\w)_+|_+(?!\w)|\\(?=[!-/:-@\[-`{-~])")
_ATTRIBUTES = re.compile(r" ?\{[#.][^{}]*\}\Z| \^[\w-]+\Z")


def without_code(content: str) -> str:
    """Return `content` with its code spans blanked out.

    A code span ends at the next run of as many backticks as began it (CommonMark 6.1).
    """
    if "`" not in content:
        return content
    runs = [match.span() for match in _TICKS.finditer(content)]
    following: defaultdict[int, int] = defaultdict(lambda: -1)
    closing = [-1] * len(runs)
    for index in reversed(range(len(runs))):
        length = runs[index][1] - runs[index][0]
        closing[index] = following[length]
        following[length] = index
    kept: list[str] = []
    position = index = 0
    while index < len(runs):
        start = runs[index][0]
        escaped = start > 0 and content[start - 1] == "\\"
        if closing[index] < 0 or escaped:
            index += 1
            continue
        kept.append(content[position:start])
        position = runs[closing[index]][1]
        index = closing[index] + 1
    kept.append(content[position:])
    return " ".join(kept)


def tags(content: str) -> Iterator[str]:
    """Yield the `#tags` of inline Markdown without code; a number (`#12`) is none."""
    if "#" not in content:
        return
    for match in _TAG.finditer(content):
        tag = match["tag"].strip("/-")
        if any(not (character.isdigit() or character in "/-_") for character in tag):
            yield tag


def links(content: str) -> Iterator[str]:
    """Yield the targets of wikilinks, embeds, links and definitions that lead to notes.

    Anchors and shown texts are cut off, percent escapes decoded. Obsidian writes the target
    before the bar and Dendron after it, so a target after a bar counts too if it has no space.
    """
    if "[" not in content:
        return
    for match in _WIKILINK.finditer(content):
        one, bar, other = match["inside"].replace("\\|", "|").partition("|")
        yield from _target(one)
        if bar and not any(map(str.isspace, other.strip())):
            yield from _target(other)
    for expression in (_LINK, _DEFINITION):
        for match in expression.finditer(content):
            target = (match["angle"] or match["bare"] or "").partition("?")[0]
            if not _SCHEME.match(target):
                yield from _target(_decoded(target.partition("#")[0]))


def plain(content: str) -> str:
    """Return the words that a heading shows, without marks, link targets and attributes."""
    text = _ATTRIBUTES.sub("", " ".join(content.split()))
    text = _SHOWN_LINK.sub(r"\g<text>", _WIKILINK.sub(_shown, text))
    return " ".join(_MARKS.sub("", text).split())


def _shown(match: re.Match[str]) -> str:
    target, bar, shown = match["inside"].partition("|")
    return shown if bar else target


def _target(written: str) -> Iterator[str]:
    target = written.strip()
    if target.startswith(_DENDRON):
        target = target.removeprefix(_DENDRON).partition("/")[2]
    target = re.split(r"[#^]", target, maxsplit=1)[0].strip()
    if target and not _SCHEME.match(target):
        yield target


def _decoded(target: str) -> str:
    return _PERCENT.sub(
        lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), target
    )
