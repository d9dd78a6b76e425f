"""From a key to the rows on screen, in a real VS Code with a big vault; beside a bare picker.

    python tests/benchmarks/browser.py FOLDER

Needs npm and the `.vsix` that `make vsix` builds. The vault is indexed first, which takes minutes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

EXTENSION = Path(__file__).resolve().parents[2] / "vscode-extension"


def main() -> int:
    """Run it; the exit status is 1 when the floor is missed."""
    npm = shutil.which("npm")
    if npm is None:
        print("Left out, because there is no npm (install Node 20.19 or newer).")
        return 0
    env = {**os.environ, "NOTEKIN_BENCH_VAULT": str(Path(sys.argv[1]).resolve())}
    command = [npm, "run", "--silent", "test:e2e"]
    return subprocess.run(command, cwd=EXTENSION, env=env, check=False).returncode


if __name__ == "__main__":
    status = main()
    if status:
        sys.exit(status)
