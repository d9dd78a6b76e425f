"""What is asked: the words of a search and the filters that hold inside both lanes."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal
from unicodedata import normalize

from attrs import frozen

from notekin.core.folding import fold_phrase
from notekin.core.note import Kind
from notekin.core.terms import query_terms, weighted_terms

Mode = Literal["hybrid", "lexical", "semantic"]

_LONGEST_QUERY = 20_000  # code points that are read; the model reads far fewer
_MOST_LOOKED_UP = 256  # distinct terms whose frequency is asked for

# How people ask their own notes for a subject: what follows is what it is about.
_ASKING = re.compile(
    r"""
    \s* (?:
        (?:what|where|when) \s+ (?:did|do|have|had) \s+ (?:i|we) \s+ (?:(?:ever|already) \s+)?
        (?:write|written|note|noted|say|said|know|have) (?:\s+down)?
      | what \s+ do \s+ (?:my|our) \s+ notes \s+ (?:say|have)
      | (?:what|everything|anything|all) \s+ (?:(?:that|which) \s+)? (?:i|we)
        (?:\s+have|'ve)? \s+ (?:wrote|written|noted|said|know) (?:\s+down)?
      | (?:(?:show|find|give) \s+ (?:me \s+)?)? (?:all \s+)? (?:my|our) \s+ notes
    )
    \s+ (?:about|on|regarding|concerning) \s+ (?=\S)
    """,
    re.IGNORECASE | re.VERBOSE,
)


@frozen
class Filters:
    """Limits on what may be a hit; an empty one lets everything through.

    `folders` are prefixes of paths relative to the vault (`""` is the vault itself, `a/b`
    matches `a/b/c.md` and not `a/bc.md`). A note passes when it lies under one of the folders,
    is of one of the kinds, and carries one of the tags or a tag below it (`a` matches `a/b`);
    tags are compared by `tag_key`.
    `without` are paths that are never returned.
    """

    folders: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


def tag_key(tag: str) -> str:
    """Return what tags are compared by: `#Food/` is `food`, as in the editors that show tags."""
    bare = tag.strip().lstrip("#").strip("/")
    return normalize("NFC", normalize("NFC", bare).casefold())


@frozen
class Question:
    """A query as read.

    `terms` are distinct, for coverage and highlights. `weighted` is what the text index is
    asked for: the same and a little more, a repeated word repeatedly. Both are empty for a
    query without words; then only its meaning can be searched.
    """

    text: str
    terms: tuple[str, ...] = ()
    weighted: tuple[str, ...] = ()

    @cached_property
    def phrase(self) -> str:
        """The whole of it, folded, to be compared with titles."""
        return fold_phrase(self.text)


def read_query(text: str) -> Question:
    """Return the question in `text`, which may be anything: nothing, syntax, a whole note."""
    text = _read(text)
    terms = query_terms(text)[:_MOST_LOOKED_UP]
    weighted = weighted_terms(text)
    known = set(tuple(dict.fromkeys(weighted))[:_MOST_LOOKED_UP]) | set(terms)
    return Question(text, terms, tuple(term for term in weighted if term in known))


def subject_of(text: str) -> str:
    """Return what a search is about: "what did I write about sleep" looks for sleep.

    That it was written, or is a note, holds of everything in a vault: the words would only bring
    notes about writing, and call the right one weak because it lacks them. Of other text all that
    is read is returned.
    """
    text = _read(text)
    asking = _ASKING.match(text)
    return text[asking.end() :] if asking else text


def _read(text: str) -> str:
    return text[:_LONGEST_QUERY].strip()


def term_weights(
    terms: Sequence[str], n_holding: Mapping[str, int], n_passages: int
) -> Mapping[str, float]:
    """Return the inverse document frequency of each term, as BM25 has it (always above 0).

    `n_holding` and `n_passages` are sums over the vaults that are searched together. A term
    that stands nowhere weighs most: a query about an unknown word is hardly answered.
    """
    return {
        term: math.log1p((n_passages - held + 0.5) / (held + 0.5))
        for term in terms
        for held in (min(n_holding.get(term, 0), n_passages),)
    }


def narrowed(
    question: Question, n_holding: Mapping[str, int], n_passages: int, limit: int
) -> Question:
    """Return `question` with at most `limit` distinct terms: the most telling that are held.

    A term tells as much as its inverse document frequency times how often it was said.
    """
    held = tuple(term for term in dict.fromkeys(question.weighted) if n_holding.get(term, 0))
    if len(held) <= limit:
        return question
    weights = term_weights(held, n_holding, n_passages)
    told = {term: weights[term] * question.weighted.count(term) for term in held}
    kept = set(sorted(held, key=lambda term: -told[term])[:limit])
    return Question(
        question.text,
        tuple(term for term in question.terms if term in kept),
        tuple(term for term in question.weighted if term in kept),
    )


def coverage(held: frozenset[str], weights: Mapping[str, float]) -> float:
    """Return the share (0..1) of a question's weight that a passage holding `held` covers."""
    total = math.fsum(weights.values())
    return math.fsum(weights[term] for term in held if term in weights) / total if total else 0.0
