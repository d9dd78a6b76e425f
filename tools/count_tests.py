"""Prints `N passed, N failed` from a JUnit report, as the last line of a CI run.

Takes the report, the exit status of the checks (they count as one test) and that of the tests.
Exits 0 only when both ended well and at least one test ran.
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
    checks_ok, tests_ok = sys.argv[2] == "0", sys.argv[3] == "0"
    n_passed, n_failed = count(Path(sys.argv[1]))
    ran = n_passed > 0
    n_failed = n_failed or int(not tests_ok or not ran)
    print(f"{n_passed + checks_ok} passed, {n_failed + (not checks_ok)} failed")
    return 0 if checks_ok and not n_failed else 1


if __name__ == "__main__":
    sys.exit(main())
