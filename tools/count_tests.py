"""Prints `N passed, N failed` from JUnit reports, as the last line of a CI run.

Takes the exit status of the checks (they count as one test), that of the tests, and the reports.
Exits 0 only when both ended well and every report tells of at least one test.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def count(report: Path) -> tuple[int, int]:
    """Return how many tests passed and failed; a skip counts as neither."""
    try:
        suites = list(ET.parse(report).iter("testsuite"))  # noqa: S314  # our own file
    except (OSError, ET.ParseError):
        return 0, 0
    total, failures, errors, skipped = (
        sum(int(suite.get(name, "0")) for suite in suites)
        for name in ("tests", "failures", "errors", "skipped")
    )
    return total - failures - errors - skipped, failures + errors


def main() -> int:
    """Print the counts; 1 when anything failed or nothing ran."""
    checks_ok, tests_ok = sys.argv[1] == "0", sys.argv[2] == "0"
    counts = [count(Path(report)) for report in sys.argv[3:]]
    n_passed = sum(passed for passed, _ in counts)
    # A report without a test is a run that did not take place.
    n_failed = sum(failed or passed == 0 for passed, failed in counts)
    n_failed = n_failed or int(not tests_ok)
    print(f"{n_passed + checks_ok} passed, {n_failed + (not checks_ok)} failed")
    return 0 if checks_ok and not n_failed else 1


if __name__ == "__main__":
    sys.exit(main())
