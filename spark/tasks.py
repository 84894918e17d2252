"""What executors do: bytes go through the program `tripkpi`, and Arrow batches come back.

Python moves whole blocks; no row is a Python object. A task may run several times for the same input (a lost worker, a slow node): it
writes nothing but a file of its own name, with the same content each time.
"""
import io
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import IO, cast
from urllib.parse import quote

import pyarrow as pa
import pyarrow.csv
import pyarrow.fs

BLOCK_BYTES = 8 << 20
# Exit codes by which the program says that this export cannot be read, on whatever machine.
REFUSED = (65, 66)
# Those for a file that cannot be read; the reason may also be another file, such as the key.
UNREADABLE = (74, 77)

HASHES = pa.schema([("path", pa.string()), ("sha256", pa.string())])
TALLIES = pa.schema([("month", pa.int32()), ("tally", pa.string()), ("trips", pa.int64()), ("void", pa.int64())])


class ProgramFailed(RuntimeError):
    """The program ended otherwise than by a decision about the export."""


class OtherProgram(RuntimeError):
    """This machine lacks the program, or has another than the driver."""


@dataclass(frozen=True)
class ProgramFile:
    """The program `tripkpi` as the driver has it. All machines must have the same at the same place."""

    path: str
    sha256: str

    @classmethod
    def of(cls, path: str) -> "ProgramFile":
        return cls(path, _program_digest(path, *_stamp(path)))

    def check(self) -> None:
        """Two builds of one version may count differently, so the bytes are compared."""
        try:
            is_same = _program_digest(self.path, *_stamp(self.path)) == self.sha256
        except OSError:
            raise OtherProgram("a machine lacks the program, or may not read it") from None
        if not is_same:
            raise OtherProgram("not all machines have the same program")


def _stamp(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


@lru_cache
def _program_digest(path: str, size: int, modified: int) -> str:
    """Once in each process of Python, as long as the file stays the same."""
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def file_system(place: str) -> tuple[pa.fs.FileSystem, str]:
    """A folder on any file system that pyarrow knows: a local path, or a URI of HDFS, S3, GCS or ABFS."""
    if "://" not in place:
        place = "file://" + quote(os.path.abspath(place))
    return pa.fs.FileSystem.from_uri(place)


def is_local(place: str) -> bool:
    return isinstance(file_system(place)[0], pa.fs.LocalFileSystem)


def spark_uri(place: str) -> str:
    """The same folder as Spark names it, which decodes no percent signs, and has another name for S3."""
    if place.startswith("s3://"):
        return "s3a" + place[2:]
    return place if "://" in place else "file://" + os.path.abspath(place)


def write_file(place: str, name: str, content: bytes) -> None:
    """The whole file or none, also after a power failure where paths are local. The last of several writers wins."""
    files, folder = file_system(place)
    path = f"{folder}/{name}"
    files.create_dir(path.rsplit("/", 1)[0], recursive=True)
    draft = f"{path}.{os.getpid()}-{threading.get_native_id()}.part"
    with files.open_output_stream(draft) as stream:
        stream.write(content)
    if isinstance(files, pa.fs.LocalFileSystem):
        with open(draft, "rb") as written:
            os.fsync(written.fileno())
    files.move(draft, path)


def read_file(place: str, name: str) -> bytes:
    files, folder = file_system(place)
    with files.open_input_stream(f"{folder}/{name}", compression=None) as stream:
        return stream.read()


@dataclass(frozen=True)
class ReadingOptions:
    """How exports are read; the same for all tasks."""

    program: ProgramFile
    # Options of `tripkpi facts`, such as --config and --key-file.
    options: tuple[str, ...]
    # The columns of facts in their order: name, and whether it has 64 bits.
    columns: tuple[tuple[str, bool], ...]
    inbox: str
    # Where a task leaves what it found in its part of an export.
    findings: str


class Program:
    """A run of the program: what is fed to it, its lines, and how it ended."""

    def __init__(self, words: list[str], feed: Callable[[IO[bytes]], None] | None = None):
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE)
        except OSError:
            raise OtherProgram("a machine cannot run the program") from None
        # Both are pipes, so neither is None.
        self.output, errors = cast(IO[bytes], self.process.stdout), cast(IO[bytes], self.process.stderr)
        self.messages = b""
        self.failure: BaseException | None = None
        self.threads = [threading.Thread(target=self._listen, args=(errors,), daemon=True)]
        if feed and self.process.stdin:
            self.threads.append(threading.Thread(target=self._feed, args=(feed, self.process.stdin), daemon=True))
        for thread in self.threads:
            thread.start()

    def _listen(self, errors: IO[bytes]) -> None:
        self.messages = errors.read()[-4000:]

    def _feed(self, feed: Callable[[IO[bytes]], None], stdin: IO[bytes]) -> None:
        try:
            with stdin:
                feed(stdin)
        except BrokenPipeError:
            pass  # The program has ended; its exit code says why.
        except BaseException as error:  # noqa: BLE001 - raised by `end`, in the thread of the task
            self.failure = error
            self.process.kill()

    def blocks(self) -> Iterator[bytes]:
        """Its output in blocks of whole lines."""
        rest = b""
        while block := self.output.read(BLOCK_BYTES):
            cut = block.rfind(b"\n") + 1
            if cut == 0:
                rest += block
                continue
            yield rest + block[:cut]
            rest = block[cut:]
        if rest:
            # A row that is cut must not be parsed: the parser's error would quote it.
            raise ProgramFailed(f"the program ended with {self.process.wait()} within a line")

    def end(self) -> int:
        code = self.process.wait()
        for thread in self.threads:
            thread.join()
        if self.failure is not None:
            raise self.failure
        return code

    def message(self) -> str:
        """What it said; the program names no file and no value of an export."""
        return self.messages.decode(errors="replace").strip()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.output.close()


# Exports


def copy_export(files: pa.fs.FileSystem, path: str, take: Callable[[bytes], object]) -> None:
    try:
        # The bytes as they are: pyarrow would inflate a file that is called .gz.
        with files.open_input_stream(path, compression=None) as stream:
            while block := stream.read(BLOCK_BYTES):
                take(block)
    except BrokenPipeError:
        raise  # Not the file's fault: what the bytes were fed to has ended.
    except OSError as error:
        # The message of the error names the file, whose name may be that of a person.
        raise ProgramFailed(f"an export cannot be read: {os.strerror(error.errno or 5)}") from None


def hash_export(files: pa.fs.FileSystem, path: str) -> str | None:
    """Its SHA-256; None if it cannot be read."""
    digest = sha256()
    try:
        copy_export(files, path, digest.update)
    except ProgramFailed:
        return None
    return digest.hexdigest()


def hash_exports(inbox: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows of `path` get the SHA-256 of the file."""
    files, _ = file_system(inbox)
    for batch in batches:
        digests = [hash_export(files, path) for path in batch.column("path").to_pylist()]
        yield pa.RecordBatch.from_arrays([batch.column("path"), pa.array(digests, pa.string())], schema=HASHES)


def read_facts(reading: ReadingOptions, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Facts of exports or of parts of them. A row of `batches` is one: path, sha256, profile, part, options of its own."""
    for batch in batches:
        for task in batch.to_pylist():
            yield from facts_of(reading, task)


def facts_of(reading: ReadingOptions, task: dict) -> Iterator[pa.RecordBatch]:
    reading.program.check()
    files, _ = file_system(reading.inbox)
    has_path = is_local(reading.inbox)
    words = [
        reading.program.path, "facts", task["path"] if has_path else "-", "--quiet", "--jobs", "1", *reading.options,
        *task["options"]]
    digest = sha256()

    def feed(stdin: IO[bytes]) -> None:
        def take(block: bytes) -> None:
            digest.update(block)
            stdin.write(block)

        copy_export(files, task["path"], take)

    last = b""
    with Program(words, None if has_path else feed) as program:
        for block in program.blocks():
            if last:
                raise ProgramFailed("facts go on after their last line")
            begin = block.rfind(b"\n", 0, -1) + 1
            if block[begin:begin + 1] == b"#":
                block, last = block[:begin], block[begin:]
            if block:
                yield from arrow_batches(block, reading.columns, task)
        code = program.end()
        if code == 0 and not has_path and digest.hexdigest() != task["sha256"]:
            found: dict[str, object] = {"isStillWritten": True}
        elif code == 0 and last:
            found = {"summary": json.loads(last[1:])}
        elif code in REFUSED:
            found = {"refusal": program.message()}
        elif code in UNREADABLE and has_path and hash_export(files, task["path"]) is None:
            found = {"refusal": "it cannot be read"}
        else:
            # The name of the folder that names the profile may be that of a person.
            message = program.message()
            if task["profile"] is not None:
                message = message.replace(task["profile"], "(profile)")
            raise ProgramFailed(f"tripkpi facts ended with {code}: {message}")
    write_file(reading.findings, f"{task['sha256']}.{task['part']}.json", json.dumps(found).encode())


def arrow_batches(
    block: bytes, columns: tuple[tuple[str, bool], ...], task: dict
) -> Iterator[pa.RecordBatch]:
    """Lines of facts as Arrow, with the export and the part that they come from."""
    types = {name: pa.int64() if is_long else pa.int32() for name, is_long in columns}
    try:
        facts = pa.csv.read_csv(
            io.BytesIO(block),
            read_options=pa.csv.ReadOptions(column_names=list(types), use_threads=False, block_size=1 << 20),
            parse_options=pa.csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=pa.csv.ConvertOptions(column_types=types, null_values=[""]))
    except pa.ArrowException:
        # Its message quotes the row.
        raise ProgramFailed("lines of tripkpi facts are not rows of its schema") from None
    origin = [pa.scalar(task["sha256"]), pa.scalar(task["part"], pa.int32())]
    for batch in facts.to_batches():
        added = [pa.repeat(value, batch.num_rows) for value in origin]
        yield pa.RecordBatch.from_arrays([*batch.columns, *added], [*types, "export", "part"])


# Tallies


def tally(
    tripkpi: ProgramFile, options: list[str], columns: list[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Adds up the newest facts of trips, or tallies of them: a row for each month, and one with the number of trips.

    `options`: of `tripkpi tally`. `columns`: what the program reads, in its order; one that the batches lack is left empty.
    """
    tripkpi.check()
    write = pa.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")

    def feed(stdin: IO[bytes]) -> None:
        for batch in batches:
            known = set(batch.schema.names)
            arrays = [batch.column(name) if name in known else pa.nulls(batch.num_rows, pa.int32()) for name in columns]
            pa.csv.write_csv(pa.RecordBatch.from_arrays(arrays, columns), stdin, write)

    with Program([tripkpi.path, "tally", *options], feed) as program:
        lines = b"".join(program.blocks()).splitlines()
        code = program.end()
        if code != 0 or not lines or lines[-1][:1] != b"#":
            raise ProgramFailed(f"tripkpi tally ended with {code}: {program.message()}")
    counts = json.loads(lines[-1][1:])
    months = [line.split(b"\t") for line in lines[:-1]]
    yield pa.RecordBatch.from_arrays([
        pa.array([int(month) for month, _ in months] + [None], pa.int32()),
        pa.array([body.decode() for _, body in months] + [None], pa.string()),
        pa.array([None] * len(months) + [counts["trips"]], pa.int64()),
        pa.array([None] * len(months) + [counts["void"]], pa.int64()),
    ], schema=TALLIES)
