"""Cutting a note into passages, so that an edit changes few of them.

A passage lies under its nearest heading and fits the model's window. Where a section is too
large for one passage it is cut at the gaps between its blocks, a block that is too large at the
gaps between its parts (`core.parts`), down to graphemes.

Which gaps are cut depends on their surroundings only. Every gap has a priority computed from
the text beside it (those with the highest hash far around come first), and a gap is cut if and
only if what lies between its nearest gaps of a higher priority does not fit into one passage.
So an edit can change only the cuts near it, where filling passages one after the other would
shift every later one.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate, pairwise

from attrs import frozen

from notekin.core import gaps, parts
from notekin.core.note import Block, Document, Passage, Span, embedded

CountTokens = Callable[[Sequence[str]], Sequence[int]]

# Rises with every change that cuts or hashes any note differently: stored passages of another
# version are cut again.
CHUNKER_VERSION = 1

N_SPECIAL_TOKENS = 2

# What stands in front of a passage may not crowd it out.
MAX_CONTEXT_CHARACTERS = 240
MAX_CONTEXT_TOKENS = 80

_SEPARATOR = "\n\n"
_ARROW = " \u203a "  # ›
# The part of a passage's room within which a gap has to be the highest to be cut first.
_TOP_SHARE = 4


@frozen
class Limits:
    """How large a passage may be, its context and the special tokens included."""

    n_characters: int = 1200
    n_tokens: int = 256


LIMITS = Limits()


@frozen
class _Atom:
    """A piece of text that is not cut at the present level, and its size."""

    span: Span
    n_tokens: int
    kind: str


@frozen
class _Section:
    """The blocks under one heading, and what fits into one of its passages."""

    headings: tuple[str, ...]
    context: str
    blocks: tuple[Block, ...]
    room: Limits = LIMITS


def cut(
    document: Document, count_tokens: CountTokens, limits: Limits = LIMITS
) -> tuple[Passage, ...]:
    """Return the passages of `document` in document order.

    `count_tokens` gives the tokens of each of several texts, special tokens not counted. No
    passage is blank, each keeps within `limits`, and every character outside front matter that
    is not white space lies in one. Passages do not overlap.
    """
    sections = _measured(_sections(document), limits, count_tokens)
    spans = [
        (section, span)
        for section, atoms in zip(sections, _atoms(document, sections, count_tokens), strict=True)
        for span in _packed(document.text, section, atoms, count_tokens)
    ]
    return tuple(
        _passage(document.text, ordinal, section, span)
        for ordinal, (section, span) in enumerate(spans)
    )


def _passage(text: str, ordinal: int, section: _Section, span: Span) -> Passage:
    content = text[span.start : span.end]
    data = embedded(section.context, content).encode("utf-8", "surrogatepass")
    hash_ = blake2b(data, digest_size=16).digest()
    return Passage(ordinal, span, section.headings, content, section.context, hash_)


# --- sections ----------------------------------------------------------------------------


def _sections(document: Document) -> list[_Section]:
    """Group the blocks by heading; headings without a text join the section below them."""
    text = document.text
    groups: list[list[Block]] = []
    before: Block | None = None
    for block in document.blocks:
        if not text[block.span.start : block.span.end].strip():
            continue
        if block.kind != "front_matter":
            if _begins(block, before):
                groups.append([])
            groups[-1].append(block)
        before = block
    return [_section(document.title, tuple(group)) for group in groups]


def _begins(block: Block, before: Block | None) -> bool:
    """Return whether a section begins with `block`."""
    if before is None or before.kind == "front_matter":
        return True
    return before.kind != "heading" and before.headings != block.headings


def _section(title: str, blocks: tuple[Block, ...]) -> _Section:
    headings = blocks[-1].headings
    path = headings if headings[:1] == (title,) else (title, *headings)
    context = _ARROW.join(" ".join(part.split()) for part in path if part.strip())
    return _Section(headings, context, blocks)


def _measured(
    sections: Sequence[_Section], limits: Limits, count_tokens: CountTokens
) -> list[_Section]:
    """Give each section its shortened context and the room that it leaves."""
    contexts = dict.fromkeys(_shortened(section.context) for section in sections)
    room = dict(zip(contexts, count_tokens(list(contexts)), strict=True))
    measured: list[_Section] = []
    for section in sections:
        context = _shortened(section.context)
        n_tokens = room[context]
        while n_tokens > MAX_CONTEXT_TOKENS:
            context = parts.first_graphemes(context, len(context) // 2)
            n_tokens = count_tokens([context])[0]
        taken = len(context) + len(_SEPARATOR) if context else 0
        free = Limits(limits.n_characters - taken, limits.n_tokens - N_SPECIAL_TOKENS - n_tokens)
        measured.append(_Section(section.headings, context, section.blocks, free))
    return measured


def _shortened(context: str) -> str:
    return parts.first_graphemes(context, MAX_CONTEXT_CHARACTERS).rstrip()


# --- packing -----------------------------------------------------------------------------


def _atoms(
    document: Document, sections: Sequence[_Section], count_tokens: CountTokens
) -> Iterator[list[_Atom]]:
    """Yield the blocks of each section as atoms, a heading joined to the block below it."""
    pieces = [list(_joined_headings(document.text, section.blocks)) for section in sections]
    sizes = iter(
        _sizes(document.text, [span for piece in pieces for span, _ in piece], count_tokens)
    )
    for piece in pieces:
        yield [_Atom(span, next(sizes), kind) for span, kind in piece]


def _joined_headings(text: str, blocks: Sequence[Block]) -> Iterator[tuple[Span, str]]:
    start: int | None = None
    for block in blocks:
        start = block.span.start if start is None else start
        if block.kind != "heading" or block is blocks[-1]:
            yield parts.stripped(text, Span(start, block.span.end)), block.kind
            start = None


def _sizes(text: str, spans: Sequence[Span], count_tokens: CountTokens) -> list[int]:
    """Return the tokens of each span; one with too many characters anyway is not counted."""
    short = [span for span in spans if span.end - span.start <= LIMITS.n_characters]
    counts = iter(count_tokens([text[span.start : span.end] for span in short]))
    return [
        next(counts) if span.end - span.start <= LIMITS.n_characters else LIMITS.n_tokens + 1
        for span in spans
    ]


def _packed(
    text: str, section: _Section, atoms: Sequence[_Atom], count_tokens: CountTokens
) -> list[Span]:
    """Return the passages of a section: `atoms` joined where they fit, cut where they do not."""
    spans: list[Span] = []
    waiting = [(group, 0) for group in reversed(_groups(text, section, atoms))]
    while waiting:
        group, level = waiting.pop()
        if len(group) == 1 and not _fits(section, group[0].span, group[0].n_tokens):
            smaller, level = _divided(text, group[0], level, count_tokens)
            groups = _groups(text, section, smaller)
            if parts.breaks_words(group[0].kind, level - 1):
                groups = [*_counted(text, section, groups, count_tokens)]
            waiting.extend((part, level) for part in reversed(groups))
        else:
            spans.append(_span(group))
    return spans


def _counted(
    text: str, section: _Section, groups: Sequence[list[_Atom]], count_tokens: CountTokens
) -> Iterator[list[_Atom]]:
    """Yield groups that fit when counted as a whole; others atom by atom.

    Between words, tokens add up. Inside a word its parts may together have more.
    """
    sizes = _sizes(text, [_span(group) for group in groups], count_tokens)
    for group, n_tokens in zip(groups, sizes, strict=True):
        if _fits(section, _span(group), n_tokens):
            yield group
        else:
            yield from ([atom] for atom in group)


def _span(group: Sequence[_Atom]) -> Span:
    return Span(group[0].span.start, group[-1].span.end)


def _divided(
    text: str, atom: _Atom, level: int, count_tokens: CountTokens
) -> tuple[list[_Atom], int]:
    """Return the parts of an atom at the first level that divides it, and the next level."""
    spans = [atom.span]
    while len(spans) == 1:
        spans = parts.divide(text, atom.span, atom.kind, level)
        level += 1
    sizes = _sizes(text, spans, count_tokens)
    return [_Atom(s, n, atom.kind) for s, n in zip(spans, sizes, strict=True)], level


def _fits(section: _Section, span: Span, n_tokens: int) -> bool:
    n_characters = span.end - span.start
    small = n_tokens <= section.room.n_tokens and n_characters <= section.room.n_characters
    return small or n_characters == 1


def _groups(text: str, section: _Section, atoms: Sequence[_Atom]) -> list[list[_Atom]]:
    """Join `atoms` to groups that fit; an atom that does not fit stands alone.

    A gap is cut if and only if what lies between the nearest gaps of a higher priority does not
    fit. These neighbours are found for all gaps in one pass with a stack.
    """
    tokens = [0, *accumulate(atom.n_tokens for atom in atoms)]
    if len(atoms) == 1 or _fits(section, _span(atoms), tokens[-1]):
        return [list(atoms)]  # as most sections do, which are spared the priorities
    hashes = gaps.hashes(text, [atom.span for atom in atoms])
    tops = gaps.tops(hashes, tokens[1:-1], section.room.n_tokens // _TOP_SHARE)
    left, right = gaps.higher_neighbours(list(zip(tops, hashes, strict=True)))
    cuts = [
        gap + 1
        for gap in range(len(hashes))
        if not _fits(
            section,
            Span(atoms[left[gap] + 1].span.start, atoms[right[gap]].span.end),
            tokens[right[gap] + 1] - tokens[left[gap] + 1],
        )
    ]
    return [list(atoms[start:end]) for start, end in pairwise([0, *cuts, len(atoms)])]
