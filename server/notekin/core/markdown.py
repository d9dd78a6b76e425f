"""Reading Markdown: CommonMark blocks, GFM tables, front matter, and what notes add to them.

Only the block rules of markdown-it run; links and tags are looked for in the text of each
inline token, which holds no code block. Every line that is not blank ends up in a block.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import define, field
from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from notekin.core import inline
from notekin.core.front_matter import FrontMatter, read_front_matter
from notekin.core.note import Block, BlockKind, Document, Span
from notekin.core.outline import Outline
from notekin.core.text import BYTE_ORDER_MARK, line_ends

_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "math_block": "math",
    "html_block": "html",
}
_MATH = "$$"
_SEARCHED = "math_searched"


def read_markdown(text: str) -> Document:
    """Return what stands in a Markdown note.

    markdown-it ends lines where `line_ends` does, so its line numbers are ours. A byte order
    mark at the start belongs to no block.
    """
    matter = read_front_matter(text)
    start = matter.end or len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
    reader = _Reader(text, start, (0, *line_ends(text)))
    tokens = block_parser().parse(text[start:])
    body = tuple(reader.blocks(tokens))
    return Document(
        text=text,
        kind="markdown",
        title=matter.title or reader.outline.title,
        tags=tuple(dict.fromkeys((*matter.tags, *reader.tags))),
        aliases=matter.aliases,
        links=tuple(reader.links),
        blocks=(*_matter_blocks(matter, body), *body),
    )


def _matter_blocks(matter: FrontMatter, body: Sequence[Block]) -> Iterator[Block]:
    """Yield the front matter and, as a paragraph in it, its description or, where there is no
    body, its title: so that a note of nothing else can be found too.
    """
    shown = matter.description or (None if body else matter.title_line)
    if shown:
        yield Block("front_matter", Span(0, shown.start))
        yield Block("paragraph", shown)
    if matter.end:
        yield Block("front_matter", Span(shown.end if shown else 0, matter.end))


@define
class _Reader:
    """Collects blocks, tags and links of one note's tokens."""

    text: str
    start: int
    line_starts: Sequence[int]
    outline: Outline = field(factory=Outline)
    tags: dict[str, None] = field(factory=dict[str, None])
    links: dict[str, None] = field(factory=dict[str, None])

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """Yield the top-level blocks in order, and a paragraph for what the parser leaves out
        (too deep a nesting).
        """
        first = line = bisect_right(self.line_starts, self.start) - 1
        for index, token in enumerate(tokens):
            if token.type == "inline":
                self._note(token.content)
            if token.level or token.nesting < 0 or not token.map:
                continue
            begin, end = (first + number for number in token.map)
            begin = max(begin, line)
            if line < begin:
                yield from self._block("paragraph", line, begin)
            if token.type == "heading_open":
                self.outline.enter(int(token.tag[1:]), inline.plain(tokens[index + 1].content))
            yield from self._block(_KINDS.get(token.type, "paragraph"), begin, end)
            line = max(line, end)
        yield from self._block("paragraph", line, len(self.line_starts))

    def _block(self, kind: BlockKind, first: int, stop: int) -> Iterator[Block]:
        """Yield the block of lines `[first, stop)` without the blank lines at its end."""
        if first >= stop:
            return
        start = max(self.start, self.line_starts[first])
        end = self.line_starts[stop] if stop < len(self.line_starts) else len(self.text)
        content = self.text[start:end].rstrip()
        if content:
            yield Block(kind, Span(start, start + len(content)), self.outline.path)

    def _note(self, content: str) -> None:
        if "#" not in content and "[" not in content:
            return  # as in most of them
        words = inline.without_code(content)
        self.tags.update(dict.fromkeys(inline.tags(words)))
        self.links.update(dict.fromkeys(inline.links(words)))


@lru_cache(maxsize=1)
def block_parser() -> MarkdownIt:
    """Return the parser of blocks; all share it."""
    # Reference definitions stay paragraphs: nothing of a note may fall out of its blocks.
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("fence", "math_block", _math_block, {"alt": ["paragraph"]})
    parser.block.ruler.before("table", "plain_paragraph", _plain_paragraph)
    return parser


def _plain_paragraph(state: StateBlock, first: int, _stop: int, _silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Take lines that all begin with a letter, up to an empty one or the end, as a paragraph.

    No block is marked by a letter, so markdown-it's own rules find the same, after they tried all
    blocks at each of these lines, twice. Most paragraphs of prose are found here.
    """
    if state.is_code_block(first):
        return False
    last = first
    while last < state.lineMax and not state.isEmpty(last):
        if not state.src[state.bMarks[last] + state.tShift[last]].isalpha():
            return False
        last += 1
    state.line = last
    opening = state.push("paragraph_open", "p", 1)
    content = state.push("inline", "", 0)
    state.push("paragraph_close", "p", -1)
    opening.map = content.map = [first, last]
    content.content = mdTrim(state.getLines(first, last, state.blkIndent, keepLastLF=False))
    return True


def _math_block(state: StateBlock, first: int, stop: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Take `$$` … `$$` as one block, blank lines included.

    A search that found no end is remembered, so that many unclosed openings stay linear.
    """
    begin = state.bMarks[first] + state.tShift[first]
    if not state.src.startswith(_MATH, begin) or state.is_code_block(first):
        return False
    head = state.src[begin + len(_MATH) : state.eMarks[first]].rstrip()
    last = first if head.endswith(_MATH) else _closing(state, first + 1, stop)
    if last is None:
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.map = [first, last + 1]
        state.line = last + 1
    return True


def _closing(state: StateBlock, first: int, stop: int) -> int | None:
    """Return the line at or after `first` that ends with `$$`, if it is in this container."""
    searched_from, searched_to = state.env.get(_SEARCHED, (0, 0))
    line = searched_to if searched_from <= first < searched_to else first
    while line < stop and state.sCount[line] >= state.blkIndent:
        if state.src[state.bMarks[line] : state.eMarks[line]].rstrip().endswith(_MATH):
            return line
        line += 1
    state.env[_SEARCHED] = (first, line)
    return None
