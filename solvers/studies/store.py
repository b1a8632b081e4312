"""A study's directory: what is in it, and why a power cut cannot spoil it.

::

    manifest.json                   what the study is, and how it came about
    parts/00000012-9f86d081884c7d65.parquet   block 12, and the beginning of the file's SHA-256 checksum
    deals.parquet                   all rows in order, when the study is finished (then `parts` is removed)
    summary.json                    the result in a few numbers, when the study is finished

Every file is written under another name, forced to the disk, and then renamed. So at any moment a file
is there as a whole or not at all, and a process that is killed loses the blocks it had not written yet.
A part that was damaged later does not fit its name any more: it is named, and its block is decided anew.

While a study runs its directory is locked (where the system has `flock`), and the lock goes with the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.errors import InputError
from solvers.formats.files import shown

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "MANIFEST",
    "SUMMARY",
    "Store",
    "make_directory",
    "needed",
    "read_json",
    "read_rows",
    "write_whole",
]

MANIFEST, SUMMARY, PARTS = "manifest.json", "summary.json", "parts"
UNREPEATABLE = "seconds"
"""The one column that no second run repeats."""
ROWS_A_GROUP = 100_000
_NAME_DIGITS = 16
_UNFINISHED = ".unfinished"
_log = logging.getLogger(__name__)
_PART = re.compile(rf"([0-9]{{8,}})-([0-9a-f]{{{_NAME_DIGITS}}})\.parquet")


def needed(module: str, extra: str) -> Any:
    """Import an optional package.

    Raises
    ------
    InputError
        If it is not installed, with the command that installs it.
    """
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        install = f"pip install 'patience-lab[{extra}]', or '.[{extra}]' in a checkout"
        raise InputError(f"{package} is needed for this: {install}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Read an object from a JSON file.

    Raises
    ------
    InputError
        If the file cannot be read, or holds something else.
    """
    try:
        fields = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{shown(str(path))}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{shown(str(path))}: damaged ({error})") from None
    if not isinstance(fields, dict):
        raise InputError(f"{shown(str(path))}: damaged (no JSON object)")
    return fields


def read_rows(directory: Path) -> pyarrow.Table:
    """Read the rows of a study; of one that is not finished, those of the blocks that are.

    Raises
    ------
    InputError
        If there is no study, or a file of it is damaged.
    """
    needed("pyarrow", "studies")
    import pyarrow as pa
    import pyarrow.parquet as pq

    manifest = read_json(directory / MANIFEST)
    path = directory / f"{manifest.get('study')}.parquet"
    paths = [path] if path.exists() else sorted((directory / PARTS).glob("*.parquet"))
    if not paths:
        raise InputError(f"{shown(str(directory))}: no block of this study is finished yet")
    tables = []
    for path in paths:
        try:
            with path.open("rb") as file:  # pyarrow takes no path that is not UTF-8
                tables.append(pq.ParquetFile(file).read())
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{shown(str(path))}: damaged ({error})") from None
    return pa.concat_tables(tables)


class Store:
    """The files of one study, locked from `open` to `close`.

    Parameters
    ----------
    directory : Path
    schema : pyarrow.Schema
        Columns of the rows.
    table_name : str
        Name of the file with all rows.
    """

    def __init__(self, directory: Path, schema: pyarrow.Schema, table_name: str) -> None:
        self.directory = directory
        self.schema = schema
        self.table_path = directory / table_name
        self._parts = directory / PARTS
        self._lock = -1
        self._written: dict[int, Path] = {}
        self._latest = (-1, directory)

    def __enter__(self) -> Store:
        """Make the directory if need be, and lock it.

        Raises
        ------
        InputError
            If it cannot be made or read, belongs to something else, or another process is at work in it.
        """
        with self._explained(self.directory, "cannot be used"):
            make_directory(self.directory, MANIFEST, " of a study")
        self._take_lock()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def manifest(self) -> dict[str, Any] | None:
        """What the manifest holds; None if the study has not been begun."""
        path = self.directory / MANIFEST
        return read_json(path) if path.exists() else None

    def write_json(self, name: str, fields: Mapping[str, Any]) -> None:
        """Put a JSON file in place."""
        text = json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
        # A path that is not UTF-8 holds lone surrogates, and as JSON writes them they can be read back.
        self._write(self.directory / name, text.encode(errors="backslashreplace"))

    def read_parts(
        self, blocks: int, sources: Callable[[int], list[str]]
    ) -> Iterator[tuple[int, pyarrow.Table | None]]:
        """Read the blocks that were written by earlier runs.

        Parameters
        ----------
        blocks : int
            Number of blocks of the study.
        sources : callable
            Given the number of a block, what its first column holds.

        Yields
        ------
        number : int
        table : pyarrow.Table or None
            None if the part is damaged; its file has been removed then, and a warning logged.
        """
        for path in sorted(self._parts.iterdir()) if self._parts.exists() else ():
            named = _PART.fullmatch(path.name)
            number = int(named[1]) if named else blocks
            spare = number in self._written or path.name.endswith(_UNFINISHED)
            table = self._read_part(path) if number < blocks and not spare else None
            if table is not None and table.column(0).to_pylist() == sources(number):
                self._written[number] = path
                yield number, table
            elif number < blocks or spare:
                with self._explained(path, "cannot be removed"):
                    path.unlink()
                if not spare:
                    _log.warning("%s: damaged; its deals are decided again", shown(str(path)))
                    yield number, None

    def write_part(self, number: int, table: pyarrow.Table) -> None:
        """Put the rows of a block in place.

        Raises
        ------
        InputError
            If it cannot be written; what was written before is kept.
        """
        data = self._encoded(table)
        checksum = hashlib.sha256(data).hexdigest()[:_NAME_DIGITS]
        path = self._parts / f"{number:08}-{checksum}.parquet"
        if not self._written:
            with self._explained(self._parts, "cannot be made"):
                self._parts.mkdir(exist_ok=True)
                _sync_directory(self.directory)
        self._latest = number, path
        self._write(path, data)
        self._written[number] = path

    def wrote(self, number: int) -> bool:
        """Whether this block was handed to `write_part` last, and written before Ctrl-C came."""
        return self._latest[0] == number and self._latest[1].exists()

    def finish(self, number_of_blocks: int) -> dict[str, str]:
        """Put all rows into one file, in order.

        Returns
        -------
        dict
            `file_sha256` of that file, and `data_sha256` of all columns but `seconds`, as pyarrow writes them
            to CSV: the same for every run of the study.
        """
        paths = [self._written[number] for number in range(number_of_blocks)]
        data_digest = hashlib.sha256()
        unfinished = _unfinished(self.table_path)
        with self._explained(self.table_path, "cannot be written"):
            try:
                with unfinished.open("wb") as file:
                    self._merge(paths, file, data_digest)
                    file.flush()
                    os.fsync(file.fileno())
                file_digest = _file_digest(unfinished)
                unfinished.replace(self.table_path)
                _sync_directory(self.directory)
            finally:
                unfinished.unlink(missing_ok=True)
        return {"file_sha256": file_digest, "data_sha256": data_digest.hexdigest()}

    def check_table(self, file_sha256: str) -> None:
        """Raise InputError unless the file with all rows is there as it was written."""
        with self._explained(self.table_path, "cannot be read"):
            whole = _file_digest(self.table_path) == file_sha256
        if not whole:
            raise InputError(
                f"{shown(str(self.table_path))}: damaged, its checksum is not the one in {MANIFEST};"
                f" to decide the deals again, use another directory"
            )

    def remove_parts(self) -> None:
        """Remove the blocks: the rows are all in one file now."""
        with self._explained(self._parts, "cannot be removed"):
            for path in self._parts.iterdir() if self._parts.exists() else ():
                if _PART.fullmatch(path.name):
                    path.unlink()
            with contextlib.suppress(OSError):  # not there, or something is left that is not ours
                self._parts.rmdir()

    def _merge(self, paths: Iterable[Path], file: Any, digest: Any) -> None:
        """Write the rows of the parts to `file`, and add all but their times to `digest`."""
        import pyarrow as pa
        import pyarrow.csv
        import pyarrow.parquet as pq

        waiting: list[pa.Table] = []
        rows = 0
        options = pyarrow.csv.WriteOptions(include_header=True)
        with pq.ParquetWriter(file, self.schema, **self._layout()) as writer:

            def flush(tables: list[pa.Table]) -> None:
                table = pa.concat_tables(tables).combine_chunks()
                writer.write_table(table, row_group_size=ROWS_A_GROUP)
                text = io.BytesIO()
                repeatable = table.select([name for name in table.column_names if name != UNREPEATABLE])
                pyarrow.csv.write_csv(repeatable, text, options)
                digest.update(text.getbuffer())
                options.include_header = False

            for path in paths:
                table = self._read_part(path)
                if table is None:
                    raise OSError(f"{path.name} was damaged just now; run the same command again")
                # A group ends within a block: groups do not depend on the size of the blocks.
                while rows + table.num_rows >= ROWS_A_GROUP:
                    room = ROWS_A_GROUP - rows
                    flush([*waiting, table.slice(0, room)])
                    waiting, rows, table = [], 0, table.slice(room)
                waiting.append(table)
                rows += table.num_rows
            if rows:
                flush(waiting)

    def _encoded(self, table: pyarrow.Table) -> bytes:
        import pyarrow.parquet as pq

        buffer = io.BytesIO()
        pq.write_table(table, buffer, **self._layout())
        return buffer.getvalue()

    def _layout(self) -> dict[str, Any]:
        """How the columns are laid out.

        Times are stored plainly, without compression, dictionary or statistics: then they take the same
        room whatever they are, and two runs' files differ in the bytes of the times alone.
        """
        repeatable = [name for name in self.schema.names if name != UNREPEATABLE]
        return {
            "compression": {name: "ZSTD" if name in repeatable else "NONE" for name in self.schema.names},
            "use_dictionary": repeatable,
            "write_statistics": repeatable,
        }

    def _read_part(self, path: Path) -> pyarrow.Table | None:
        """Rows of a part; None if it is damaged."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        named = _PART.fullmatch(path.name)
        try:
            data = path.read_bytes()
            if named is None or not hashlib.sha256(data).hexdigest().startswith(named[2]):
                return None
            table = pq.ParquetFile(io.BytesIO(data)).read()
        except (OSError, pa.ArrowException):
            return None
        return table if table.schema.equals(self.schema) else None

    def _write(self, path: Path, data: bytes) -> None:
        with self._explained(path, "cannot be written"):
            write_whole(path, data)

    @contextlib.contextmanager
    def _explained(self, path: Path, fault: str) -> Iterator[None]:
        """Turn the system's errors into one line."""
        try:
            yield
        except OSError as error:
            kept = f"; {len(self._written)} finished blocks are kept" if self._written else ""
            raise InputError(f"{shown(str(path))}: {fault} ({error.strerror or error}){kept}") from None

    def _take_lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        with self._explained(self.directory, "cannot be used"):
            self._lock = os.open(self.directory, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.__exit__()
            raise InputError(
                f"{shown(str(self.directory))}: another process is at work on this study"
            ) from None
        except OSError:
            pass  # a file system without locks


def make_directory(directory: Path, mark: str, of: str = "") -> None:
    """Make a directory if need be, and refuse one that holds files, but none named `mark`.

    Raises
    ------
    InputError
        If it holds something else; `of` says what the mark would belong to.
    OSError
        If it cannot be made or read.
    """
    directory.mkdir(parents=True, exist_ok=True)
    present = {path.name for path in directory.iterdir()}
    if mark not in present and any(not name.startswith(".") for name in present):
        raise InputError(f"{shown(str(directory))}: holds other files, and no {mark}{of}")


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place so that at any moment it is there as a whole, as it was or as it is to be.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    unfinished = _unfinished(path)
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        _sync_directory(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{path.name}{_UNFINISHED}")


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_directory(directory: Path) -> None:
    """Force a rename in `directory` to the disk, where the system can."""
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # file systems that know no such thing
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
