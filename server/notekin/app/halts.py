"""Why the work on a vault is parked, as one frozen value."""

from typing import Final, Literal

from attrs import frozen

Halt = Literal["user", "cancelled", "onBattery"]
Order = Literal["user", "cancelled"]
"""What a person orders, for every process that has the vault open."""

# The most telling first: what a person did says more than what the machine runs on.
_BY_WEIGHT: tuple[Halt, ...] = ("user", "cancelled", "onBattery")
_ORDERS: Final[tuple[Order, ...]] = ("user", "cancelled")
_PARKS_READING = frozenset[str](_ORDERS)


@frozen
class Halts:
    """Any number of reasons at once. `user` and `cancelled` park all but saved notes and
    reported changes, `onBattery` parks only the passages without a vector and the layouts of PDFs.
    """

    reasons: frozenset[Halt] = frozenset()

    def having(self, halt: Halt) -> "Halts":
        """Return these and one more."""
        return Halts(self.reasons | frozenset[Halt]((halt,)))

    def lacking(self, halt: Halt) -> "Halts":
        """Return these but one."""
        return Halts(self.reasons - frozenset[Halt]((halt,)))

    def ordered(self, order: Order | None) -> "Halts":
        """Return these with no other order of a person than this one, or with none."""
        others = self.reasons - frozenset(_ORDERS)
        return Halts(others if order is None else others | frozenset[Halt]((order,)))

    def without(self, others: "Halts") -> "Halts":
        """Return those of these that are not among others."""
        return Halts(self.reasons - others.reasons)

    @property
    def park_reading(self) -> bool:
        """Whether files are neither compared with the index nor read by themselves."""
        return any(map(parks_reading, self.reasons))

    @property
    def park_backlog(self) -> bool:
        """Whether no passages but those of saved notes are embedded."""
        return bool(self.reasons)

    @property
    def shown(self) -> Halt | Literal[""]:
        """The reason that is told, "" when nothing is parked."""
        for halt in _BY_WEIGHT:
            if halt in self.reasons:
                return halt
        return ""


def parks_reading(reason: str) -> bool:
    """Return whether a status with this reason stands for files that are not looked at."""
    return reason in _PARKS_READING
