"""`njit` for the kernels of this package: Numba's, with a cache that cannot lie and cannot crash.

Compiling the kernels takes many seconds, so what was compiled is kept on disk. Numba has a cache of
its own (``cache=True``); it is not used here, for four reasons:

* It looks only at the file in which a function stands. A kernel that calls a kernel of another
  module, or uses a constant of one, has that other code compiled into it and keeps it after the
  other file has changed: wrong results without a word. Here the key holds a *fingerprint* of the
  kernel's own file and of every file of this package that it imports, directly or not.
* It writes an index and then the data, under a name that may still hold older data. A process
  that stops in between leaves an index that promises new code and a file that holds old code. Here
  each compiled kernel is one file, named after its whole key and put in place by one rename, so
  any number of processes may start cold together: the worst that happens is work done twice.
* A damaged file ends the program. Here each file carries its own checksum, and whatever cannot
  be read, for whatever reason, is a miss: the kernel is compiled and the file written anew.
* It raises at import when no directory takes a write. Here nothing is written before there is
  something to keep, and then the directories of `cache_directories` are tried in turn; if none
  takes it, the program goes on without.

Where the files lie: ``__pycache__/kernels`` of the package first, since a compiled kernel is derived
from the sources just as a ``.pyc`` file is: it should go when the environment goes, two environments
should not share it, and an image built with warm kernels serves a reader who may not write there.
The user's own cache directory comes second, for an install that is read-only.

Kernels never print. Who wants to tell a person that something is being compiled wraps the work
in `on_compile`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import logging
import os
import pickle
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, overload

import numba
from numba.core import config, event
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["cache_directories", "njit", "on_compile", "source_fingerprint", "working_time"]

_PACKAGE = Path(__file__).resolve().parent
_CHECKSUM_BYTES = hashlib.sha256().digest_size
_log = logging.getLogger(__name__)
_listeners: list[Callable[[str], None]] = []
_stopwatch = event.TimingListener()
event.register("numba:compile", _stopwatch)


@overload
def njit(function: Callable[..., Any], /) -> Any: ...


@overload
def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]: ...


def njit(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a kernel with Numba in nopython mode and keep the result on disk.

    Used as ``@njit`` or ``@njit(nogil=True)``. With ``NUMBA_DISABLE_JIT=1`` the function is
    returned as it is.

    Parameters
    ----------
    function : callable
        A function of a module of this package.
    **options
        Options of `numba.njit`, without ``cache``.

    Returns
    -------
    callable
        The compiled function, or a decorator if only options were given.
    """
    if function is None:
        return functools.partial(njit, **options)
    dispatcher: Any = numba.njit(**options)(function)
    if dispatcher is not function:
        dispatcher._cache = _KernelCache(function)
    return dispatcher


@contextlib.contextmanager
def on_compile(callback: Callable[[str], None]) -> Iterator[None]:
    """Inside the ``with`` block, call ``callback(name)`` just before a kernel is compiled.

    A kernel that is found in the cache is not compiled and calls nothing.
    """
    _listeners.append(callback)
    try:
        yield
    finally:
        _listeners.remove(callback)


def working_time() -> float:
    """Read a clock, in seconds, that stands still while this process compiles; only differences count."""
    compiling = float(_stopwatch.duration) if _stopwatch.done else 0.0
    return time.perf_counter() - compiling


def cache_directories() -> tuple[Path, ...]:
    """Directories in which compiled kernels are looked for, and kept in the first that can be written.

    ``NUMBA_CACHE_DIR``, if set, is the only one. Otherwise it is ``__pycache__/kernels`` of the package
    and then ``patience-lab`` in the user's cache directory (``XDG_CACHE_HOME`` or ``~/.cache``;
    ``~/Library/Caches`` on macOS; ``LOCALAPPDATA`` on Windows), if the user has one. Those that several
    installs may share have a folder for each.
    """
    here = "kernels-" + hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:16]
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return (Path(chosen) / here,)
    in_package = _PACKAGE / "__pycache__" / "kernels"
    user = _user_cache_directory()
    # Without a known home this may be relative, and would litter the working directory.
    return (in_package, user / "patience-lab" / here) if user.is_absolute() else (in_package,)


def _user_cache_directory() -> Path:
    """Where this system keeps a user's caches; relative if that is not known."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", ""))
    if sys.platform != "darwin" and os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"])
    try:
        return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    except RuntimeError:  # no HOME, and no entry in the password file
        return Path()


class _KernelCache(NullCache):  # type: ignore[misc]  # Numba is not typed
    """What Numba's dispatcher asks for, and hands over, compiled versions of one kernel.

    A file holds the SHA-256 checksum of the rest, and then the pickled compile result.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")
        # Read now, not at the first call: a file edited in between would be taken for the code that runs.
        self._fingerprint = source_fingerprint(function.__code__.co_filename)

    @property
    def cache_path(self) -> str:
        """First directory looked into."""
        return str(cache_directories()[0])

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for `sig`, or None after telling those who listen."""
        target_context.refresh()
        compiled = None
        try:
            file_name = self._file_name(sig, target_context.codegen())
            for directory in cache_directories() if file_name else ():
                payload = _read(directory / file_name)
                if payload is not None:
                    compiled = CompileResult._rebuild(target_context, *pickle.loads(payload))
                    break
        except Exception as error:  # any damage at all is a miss
            _log.debug("cannot load %s: %r", self._name, error)
        if compiled is None:
            for callback in tuple(_listeners):
                callback(self._name)
        return compiled

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compile result, if it can be kept."""
        try:
            file_name = self._file_name(sig, data.codegen)
            if not file_name or data.lifted or data.library.has_dynamic_globals:
                return
            payload = dumps(data._reduce())
            for directory in cache_directories():
                try:
                    _write(directory / file_name, payload)
                except OSError as error:
                    _log.debug("cannot keep %s in %s: %r", self._name, directory, error)
                    continue
                self._remove_outdated(directory)
                return
        except Exception as error:  # the kernel is compiled: that it cannot be kept is no reason to stop
            _log.debug("cannot keep %s: %r", self._name, error)

    def _file_name(self, sig: Any, codegen: Any) -> str:
        """Name made of everything that the machine code depends on; empty if that is not known."""
        if not self._fingerprint:
            return ""
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        key = (
            str(sig),
            codegen.magic_tuple(),  # processor and its features
            (numba.__version__, sys.implementation.cache_tag, sys.abiflags if os.name == "posix" else ""),
            (config.OPT, config.BOUNDSCHECK),
            self._function.__code__.co_code,
            dumps(cells) if cells else b"",
        )
        digest = hashlib.sha256(repr(key).encode()).hexdigest()
        return f"{self._name}-{self._fingerprint[:16]}-{digest[:24]}.nbc"

    def _remove_outdated(self, directory: Path) -> None:
        """Delete what was compiled from other sources of this kernel."""
        for path in directory.glob(f"{self._name}-*.nbc"):
            if not path.name.startswith(f"{self._name}-{self._fingerprint[:16]}-"):
                path.unlink(missing_ok=True)


def _read(path: Path) -> bytes | None:
    """Payload of a cache file, or None if it is not there or not whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
    return payload if hashlib.sha256(payload).digest() == checksum else None


def _write(path: Path, payload: bytes) -> None:
    """Put a cache file in place whole, so that no reader ever sees a part of it.

    Raises
    ------
    OSError
        If the directory cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{secrets.token_hex(8)}.tmp")
    try:
        unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@functools.cache
def source_fingerprint(file_name: str) -> str:
    """Digest of a source file and of all files of this package that it imports, directly or not.

    Empty if a source cannot be read, as in an install without sources: then nothing is kept.
    """
    found: dict[Path, bytes] = {}
    waiting = [Path(file_name).resolve()]
    try:
        while waiting:
            path = waiting.pop()
            if path not in found:
                found[path], imported = _source_and_imports(path)
                waiting += imported
    except (OSError, SyntaxError, ValueError):
        return ""
    digest = hashlib.sha256()
    for path in sorted(found):
        name = os.path.relpath(path, _PACKAGE)  # so that a package moved as a whole keeps its cache
        digest.update(f"{name}\0{len(found[path])}\0".encode() + found[path])
    return digest.hexdigest()


@functools.cache
def _source_and_imports(path: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Content of a source file, and the files of this package that its import statements name."""
    source = path.read_bytes()
    places: list[Path] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            places += [_place(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = path.parents[node.level - 1] if node.level else _PACKAGE.parent
            module = module.joinpath(*(node.module or "").split("."))
            # What is imported from a module may itself be a module.
            places += [module, *(module / alias.name for alias in node.names)]
    inside = [place for place in places if place.is_relative_to(_PACKAGE)]
    files = {file for place in inside for file in (place.with_suffix(".py"), place / "__init__.py")}
    return source, tuple(file for file in sorted(files) if file.is_file())


def _place(module: str) -> Path:
    """Where a module of the given full name would stand if it belonged to this package."""
    return _PACKAGE.parent.joinpath(*module.split("."))
