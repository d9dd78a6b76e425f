"""20,000 random passage changes in a vault of 20,000: size and query time against a fresh index.

Run with `python tests/benchmarks/churn.py [passages] [changes]`; the floor is 1.5 for each ratio.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.churn import churned

_DIM = 384
_FLOOR = 1.5


def main() -> int:
    """Print the ratios; return 1 when one of them is above the floor."""
    n_passages, n_changes = (*map(int, sys.argv[1:]), 20_000, 20_000)[:2]
    with tempfile.TemporaryDirectory() as folder:
        ratios = churned(Path(folder), n_passages, n_changes, _DIM)
    print(f"{n_changes} random passage changes in a vault of {n_passages}, against a fresh index:")
    for name in ("size", "lexical", "semantic"):
        print(f"  {name:<9} {getattr(ratios, name):.2f} x (floor {_FLOOR})")
    print(f"  doctor: {'; '.join(ratios.findings) or 'all tables agree'}")
    worst = max(ratios.size, ratios.lexical, ratios.semantic)
    return int(worst > _FLOOR or bool(ratios.findings))


if __name__ == "__main__":
    sys.exit(main())
