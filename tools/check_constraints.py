"""Proves that `constraints.txt` resolves to wheels wherever Notekin runs; asks the registry.

Not part of `make check`: it needs the network and, with an empty cache, a minute or two.
`--write` compiles the file again first (`make lock`). pip cannot be asked the same question:
it evaluates environment markers for the interpreter it runs on, whatever the target.
"""

import argparse
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
# The oldest systems that all wheels are built for: glibc 2.28, macOS 14, 64-bit Windows.
PLATFORMS = ("x86_64-manylinux_2_28", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
ENVIRONMENT = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "14.0"}
HEADER = "# Written by `make lock` from pyproject.toml; what every install and CI run uses.\n"
SOURCES = ("pyproject.toml", "--all-extras")


def compile_pins(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the resolver from the project's root; its answer stands in `stdout`."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header"]
    return subprocess.run(
        [*command, "--no-annotate", *SOURCES, *options],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )


def write() -> None:
    """Compile `constraints.txt` for all platforms at once, environment markers kept."""
    answer = compile_pins("--universal", "--python-version", PYTHONS[0], "--no-emit-index-url")
    if answer.returncode:
        sys.exit(answer.stderr)
    pins = [line for line in answer.stdout.splitlines(keepends=True) if "==" in line]
    CONSTRAINTS.write_text(HEADER + "".join(pins), encoding="utf-8")


def problem(platform: str, python: str) -> str:
    """Return why the pins do not resolve to wheels there, "" when they do."""
    target = ("--python-platform", platform, "--python-version", python)
    answer = compile_pins("--only-binary", ":all:", *target, "--constraint", str(CONSTRAINTS))
    if answer.returncode:
        return answer.stderr.strip()
    pins = {line.partition(";")[0].strip() for line in CONSTRAINTS.read_text("utf-8").splitlines()}
    loose = [line for line in answer.stdout.splitlines() if line not in pins]
    return f"not pinned: {', '.join(loose)}" if loose else ""


def main() -> int:
    """Check every platform with every Python; 1 when one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="compile the file again first")
    if parser.parse_args().write:
        write()
    n_failed = 0
    for platform, python in product(PLATFORMS, PYTHONS):
        trouble = problem(platform, python)
        n_failed += bool(trouble)
        print(f"{platform:24} {python:5} {trouble or 'resolves'}", flush=True)
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
