"""Checks of the tree that no other tool makes; part of `make check`, needs no network.

- No tracked file names a package registry's host or a path of the machine it was written on.
  Both are learned here and now (from pip, npm and the checkout), so that none stands in here.
- `constraints.txt` pins whatever `pyproject.toml` asks for, and is what is installed.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
OWN = {"notekin", "pip", "setuptools", "wheel"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def output(*command: str) -> str:
    """Return what a command prints; "" when it is not installed or fails."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    answer = subprocess.run(
        [program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return answer.stdout if answer.returncode == 0 else ""


def registry_hosts() -> set[str]:
    """Return the hosts that pip and npm install from, by default and as set up here."""
    defaults = (
        "from pip._internal.models.index import PyPI as default\n"
        "print(default.url, f'https://{default.file_storage_domain}')"
    )
    told = output(sys.executable, "-c", defaults)
    told += output(sys.executable, "-m", "pip", "config", "list")
    told += output("npm", "config", "get", "registry")
    hosts = (urlsplit(found[0]).hostname for found in re.finditer(r"https?://[^\s'\",]+", told))
    return {host for host in hosts if host}


def machine_paths() -> set[str]:
    """Return the folders that only this machine has: the home and what holds the checkout."""
    return {f"{folder}/" for folder in (Path.home(), ROOT.parent) if len(folder.parts) > 1}


def tracked() -> Iterator[Path]:
    """Yield the files under version control."""
    for name in output("git", "ls-files", "-z").split("\0"):
        path = ROOT / name
        if name and path.is_file():
            yield path


def leaks() -> Iterator[str]:
    """Yield a sentence for each line that names a registry or a path of this machine."""
    words = [rf"\b{re.escape(host)}\b" for host in sorted(registry_hosts())]
    words += [rf"(?<![\w./~-]){re.escape(path)}" for path in sorted(machine_paths())]
    pattern = re.compile("|".join(words))
    for path in tracked():
        text = path.read_bytes().decode("utf-8", errors="replace")
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(ROOT)}:{line}: names {match[0]}; describe it in words instead"


def canonical(name: str) -> str:
    """Return a distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, set[str]]:
    """Return the pinned versions by name; several where markers tell them apart."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        name, _, version = line.partition(";")[0].partition("==")
        if version:
            found.setdefault(canonical(name), set()).add(version.strip())
    return found


def asked_for() -> Iterator[str]:
    """Yield the names of what `pyproject.toml` depends on, extras and build included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = [project["project"]["dependencies"], project["build-system"]["requires"]]
    groups += project["project"]["optional-dependencies"].values()
    for requirement in (line for group in groups for line in group):
        match = NAME.match(requirement)
        if match:
            yield canonical(match[0])


def unpinned() -> Iterator[str]:
    """Yield a sentence for each dependency that is not pinned or not installed as pinned."""
    pinned = pins()
    for name in asked_for():
        if name not in pinned:
            yield f"constraints.txt does not pin {name}: run `make lock`"
    for distribution in distributions():
        name, version = canonical(distribution.name), distribution.version
        if name not in OWN and version not in pinned.get(name, set[str]()):
            yield f"{name} {version} is installed but not pinned: run `make lock` or `make clean`"


def main() -> int:
    """Print every problem; 1 when there is one."""
    problems = [*leaks(), *unpinned()]
    print("\n".join(problems) or "The tree is clean.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
