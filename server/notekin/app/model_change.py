"""Whether the model that a vault's vectors come from is the one that is asked for, in words."""

from typing import Literal

from attrs import evolve, frozen

from notekin.app.ports import Counts, ModelInfo
from notekin.app.results import VaultStatus


@frozen
class Models:
    """The models around one vault at one moment: whose vectors are `served`, whose are being
    built beside them, which one is `loaded` in this process, and the name of the one it `wants`.
    """

    wants: str
    loaded: ModelInfo | None = None
    served: ModelInfo | None = None
    building: ModelInfo | None = None

    def counted(self, counts: Counts) -> Counts:
        """Return how far the index is on its way to the wanted model."""
        return evolve(counts, n_passages_pending=counts.n_passages) if self.is_awaited else counts

    @property
    def shown(self) -> ModelInfo | None:
        """The model to show."""
        return self.loaded or self._target

    @property
    def is_changing(self) -> bool:
        """Whether another model than the one served is being built, or is to be."""
        return self.served is not None and (self.building is not None or self._is_other)

    @property
    def reason(self) -> Literal["", "modelChanged"]:
        """What a status gives as the reason of its phase, "" where nothing changes."""
        return "modelChanged" if self.is_changing else ""

    @property
    def is_awaited(self) -> bool:
        """Whether the wanted model is another one, for which nothing is being built yet."""
        return self.served is not None and self._is_other

    @property
    def change(self) -> str:
        """What a change of model means for the person, "" while there is none."""
        if self.served is None or self.building is None:
            return ""
        names = f"{self.served.name} to {self.building.name}"
        if self.served.name == self.building.name:
            names = f"one {self.served.name} to another file or pooling of that name"
        return (
            f"The model changed from {names}: all passages are being embedded again, and until "
            "that is done search goes by words alone. Changing back before then costs nothing."
        )

    @property
    def mismatch(self) -> str:
        """What is wrong between the vectors and the model that is loaded, "" when nothing is."""
        if self._target is None or self.loaded is None or not self._is_other:
            return ""
        if self._target.name == self.loaded.name:
            return (
                f"The vectors were made by another file or pooling of {self.loaded.name}: all "
                "passages have to be embedded again."
            )
        return (
            f"The vectors are those of the model {self._target.name}, but the setting "
            f"notekin.model names {self.loaded.name}: all passages have to be embedded again."
        )

    @property
    def loss(self) -> str:
        """What it means that the wanted model cannot be loaded."""
        if self.served is None:
            return "Search goes by words alone until then."
        return (
            "Search goes by words alone until then; what was embedded by the model "
            f"{self.served.name} is kept."
        )

    @property
    def _target(self) -> ModelInfo | None:
        return self.building or self.served

    @property
    def _is_other(self) -> bool:
        """Whether the model of this process is not the one that vectors are made by."""
        if self._target is None:
            return False
        if self.loaded is None:
            return self._target.name.casefold() != self.wants.casefold()
        return self._target.fingerprint != self.loaded.fingerprint


def model_conflict(other: VaultStatus, wants: str, loaded: ModelInfo | None) -> str:
    """Return what it means that another process, which tells `other` of its indexing, uses another
    model than this one, which wants or has `loaded` its own; "" where it does not.
    """
    if loaded is not None and other.fingerprint:
        is_other = other.fingerprint != loaded.fingerprint
    else:
        is_other = other.model_name.casefold() != wants.casefold()
    if not is_other:
        return ""
    return (
        f"Another process indexes these notes with the model {other.model_name}, while this one "
        f"is set to {loaded.name if loaded else wants}: search goes by words alone here. Set the "
        "same model in both."
    )
