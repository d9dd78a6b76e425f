"""What the figures of PDFs have to reach, and what does not."""

from attrs import define, field, frozen


@frozen
class Floor:
    """The least that a figure may be."""

    figure: str
    least: float


WORDS = Floor("words, all", 0.97)
WORDS_MEDIAN = Floor("words, median of the files", 0.99)
HEADING_RECALL = Floor("headings, recall", 0.87)
HEADING_PRECISION = Floor("headings, precision", 0.75)
PAGES = Floor("pages", 0.99)
SPEED = Floor("speed beside bare pymupdf4llm", 0.85)


@define
class Report:
    """Says of each figure with a floor whether it holds, and remembers those that do not."""

    missed: list[str] = field(factory=list[str])

    def check(self, floor: Floor, measured: float) -> None:
        """Print a row; one that is missed is marked."""
        row = f"{floor.figure}: {measured:.3f}, {floor.least} asked for"
        # What is no number is no figure that holds.
        if measured >= floor.least:
            print(f"  holds  {row}")
            return
        print(f"  MISSED {row}")
        self.missed.append(row)
