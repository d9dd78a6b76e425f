"""What the model answered lately and what it is at, so that it reads nothing twice for nothing."""

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

from attrs import define, field, frozen

from notekin.app.ports import ModelInfo, Role
from notekin.core.vectors import Vector

# What a person asks is often asked again: a word more typed and taken back, the same paragraph
# hovered twice. A few hundred kilobytes remember it.
_N_REMEMBERED = 128
# Vaults that hold the same and are indexed at the same time ask for the same passages shortly
# after each other, before one can lend them to the other.
_N_RECENT = 32


@frozen
class Embedded:
    """The vectors of one text, with the model that made them: they must never meet another's."""

    model: ModelInfo
    vectors: Sequence[Vector]


class Text(NamedTuple):
    """A text as a model reads it; `fingerprint` is the model's."""

    fingerprint: str
    role: Role
    text: str


@define
class Answers:
    """Not thread-safe: the queue asks under its own lock."""

    _remembered: OrderedDict[Text, Embedded] = field(factory=OrderedDict[Text, Embedded])
    _recent: OrderedDict[Text, Embedded] = field(factory=OrderedDict[Text, Embedded])
    _in_work: dict[Text, list[Future[Embedded]]] = field(factory=dict[Text, list[Future[Embedded]]])

    def forget(self) -> None:
        """Forget all answers: another model is to give them."""
        self._remembered.clear()
        self._recent.clear()

    def remembered(self, text: Text) -> Embedded | None:
        """Return what a person who asked for `text` was answered."""
        return self._remembered.get(text)

    def recent(self, text: Text) -> Embedded | None:
        """Return what anybody who asked for `text` was answered just now."""
        return self._recent.get(text)

    def begin(self, text: Text, future: Future[Embedded]) -> bool:
        """Note who waits for `text`; return whether it is to be embedded, because nobody is at it
        yet.
        """
        waiting = self._in_work.setdefault(text, [])
        waiting.append(future)
        return len(waiting) == 1

    def end(self, text: Text) -> Sequence[Future[Embedded]]:
        """Return who waits for `text`: nobody is at it any more."""
        return self._in_work.pop(text)

    def keep(self, text: Text, answer: Embedded) -> None:
        """Keep an answer for those who ask for the same in a moment."""
        _keep(self._recent, text, answer, _N_RECENT)

    def remember(self, text: Text, answer: Embedded) -> None:
        """Keep an answer for the person who asked."""
        _keep(self._remembered, text, answer, _N_REMEMBERED)


def _keep(kept: OrderedDict[Text, Embedded], text: Text, answer: Embedded, most: int) -> None:
    kept[text] = answer
    if len(kept) > most:
        kept.popitem(last=False)
