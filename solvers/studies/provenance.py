"""Where a result comes from: the program, the machine and the time, for a study's manifest."""

from __future__ import annotations

import os
import platform
import subprocess
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import solvers

DISTRIBUTION = "patience-lab"
_PACKAGE = Path(solvers.__file__ or "").resolve().parent
_GIT_SECONDS = 10.0


def origin(module: str, command: str, parameters: dict[str, Any], libraries: Sequence[str]) -> dict[str, Any]:
    """Return a manifest as it stands before the work: what is run, by which program, on what.

    Parameters
    ----------
    module : str
        As for `program`.
    command : str
        Command line by which it is made again.
    parameters : dict
    libraries : sequence of str
        Distributions whose versions may matter.
    """
    return {
        "command": command,
        "parameters": parameters,
        "program": program(module),
        "machine": machine(),
        "libraries": library_versions(libraries),
        "start": now(),
    }


def program(module: str) -> dict[str, Any]:
    """Say which program this is.

    Parameters
    ----------
    module : str
        Full name of the module that decides the results.

    Returns
    -------
    dict
        `name` and `version` of the distribution; `commit` and `modified` (whether the sources differ from
        it), both None outside a git checkout; `sources`, the SHA-256 fingerprint of the module's source and
        of all of this package that it imports, empty if the sources are not there.
    """
    from solvers.compilation import source_fingerprint

    file = import_module(module).__file__
    commit = _git("rev-parse", "HEAD") if _git_knows_us() else None
    return {
        "name": DISTRIBUTION,
        "version": _version(),
        "commit": commit,
        "modified": None if commit is None else bool(_git("status", "--porcelain", "--", str(_PACKAGE))),
        "sources": source_fingerprint(file) if file else "",
    }


def machine() -> dict[str, Any]:
    """Say what it ran on: system, processor and Python."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor_name(),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
    }


def library_versions(names: Sequence[str]) -> dict[str, str]:
    """Versions of those of the distributions that are installed."""
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def now() -> str:
    """Time in UTC, as ISO 8601 writes it, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _version() -> str:
    """Version of the code that runs: that of the checkout if it runs from one, else the installed one's."""
    try:
        with (_PACKAGE.parent / "pyproject.toml").open("rb") as file:
            project = tomllib.load(file)["project"]
        if project["name"] == DISTRIBUTION:
            return str(project["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        pass  # installed: no project file beside the package, or somebody else's
    return library_versions([DISTRIBUTION]).get(DISTRIBUTION, "unknown")


def _git_knows_us() -> bool:
    """Whether the package lies in a checkout of its own, not just somewhere below another project's."""
    return _git("ls-files", "--error-unmatch", "--", str(_PACKAGE / "__init__.py")) is not None


def _git(*words: str) -> str | None:
    """Output of a git command on the package's checkout; None if there is none, or no git."""
    try:
        done = subprocess.run(
            ["git", "-C", str(_PACKAGE.parent), *words],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _processor_name() -> str:
    """Model of the processor, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # no Linux
    return platform.processor()
