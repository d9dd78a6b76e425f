"""Which of its pages a passage is opened at."""

import pytest

from notekin.core.pages import PageRange

THREE = PageRange(7, 9, starts=((0, 7), (100, 8), (200, 9)))


@pytest.mark.parametrize(
    ("found", "page"),
    [
        ([], 7),
        ([(99, "rain")], 7),
        ([(100, "rain")], 8),
        ([(250, "rain")], 9),
        # What is asked for stands together on the second page, a word of it on the first.
        ([(5, "rain"), (120, "rain"), (130, "gauge")], 8),
        # Once and often are the same; of equal pages it is the first.
        ([(5, "rain"), (110, "gauge"), (120, "gauge")], 7),
        ([(150, "rain"), (250, "rain")], 8),
    ],
)
def test_it_is_the_one_with_the_most_of_what_was_found(
    found: list[tuple[int, str]], page: int
) -> None:
    assert THREE.best(found) == page


def test_a_passage_that_does_not_know_where_its_pages_begin_is_opened_at_the_first() -> None:
    assert PageRange(7, 8).best([(500, "rain")]) == 7
