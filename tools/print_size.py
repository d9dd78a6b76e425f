"""Prints how big the built extension is; 1 when it is bigger than it may be, or not there."""

import sys
from pathlib import Path

LIMIT = 3_000_000  # bytes


def main() -> int:
    """Print the size of the only `.vsix` in the folder named by the first argument."""
    found = list(Path(sys.argv[1]).glob("*.vsix"))
    if len(found) != 1:
        print(f"{sys.argv[1]} holds {len(found)} built extensions instead of one.")
        return 1
    size = found[0].stat().st_size
    print(f"{found[0]}: {size / 1e6:.2f} MB of at most {LIMIT / 1e6:.0f} MB")
    return 1 if size > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
