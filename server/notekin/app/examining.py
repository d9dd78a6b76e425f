"""What doctor asks of an index: whether its tables agree, and its vectors are the model's."""

from collections.abc import Callable, Sequence

from notekin.app.errors import ModelUnavailable
from notekin.app.model_change import Models
from notekin.app.ports import Embedder, Finding, Index


def examine(
    index: Index, name: str, load: Callable[[], Embedder], *, repair: bool
) -> Sequence[Finding]:
    """Return what is wrong inside of an index, and between it and the model `name` of the settings.

    With `repair` it is mended. An index with the vectors of another model begins to change to
    the one of the settings, as when it is next opened: the vectors that it has are kept until
    all passages have new ones. Loading the model takes a second.
    """
    findings = index.check(repair=repair)
    if not all(finding.repaired for finding in findings):
        return findings
    return [*findings, *_of_model(index, name, load, repair=repair)]


def _of_model(
    index: Index, name: str, load: Callable[[], Embedder], *, repair: bool
) -> Sequence[Finding]:
    with index.read() as reader:
        stored = Models(name, served=reader.model(), building=reader.building())
    if stored.served is None:
        return []
    try:
        loaded = load().info
    except ModelUnavailable as error:
        return [Finding(str(error), mendable=False)]
    sentence = Models(name, loaded, stored.served, stored.building).mismatch
    if sentence and repair:
        writer = index.writer()
        try:
            writer.set_model(loaded)
        finally:
            writer.close()
    return [Finding(sentence, repaired=repair)] if sentence else []
