"""What all steps of the job use: Spark, the program, the lake; and how the job ends."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

from lake import Lake
from tasks import ProgramFile, spark_uri

# Exit codes, those of tripkpi.
USAGE, DATA, INPUT_MISSING, INTERNAL, LOCKED, CONFIGURATION = 64, 65, 66, 70, 75, 78


class Failure(Exception):
    """Ends the job with a message and an exit code."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


def log(message: str) -> None:
    print(f"tripkpi-spark: {message}", file=sys.stderr, flush=True)


class Driver:
    def __init__(self, spark: SparkSession, options: Namespace):
        self.spark = spark
        self.options = options
        self.lake = Lake(options.lake)
        self.work = Path(options.work)
        # Names the folders that this run writes to.
        self.run = time.strftime("%Y%m%dT%H%M%S-", time.gmtime()) + uuid.uuid4().hex[:8]
        program = shutil.which(options.program)
        if program is None:
            raise Failure(CONFIGURATION, "--program: there is no such program")
        self.program = ProgramFile.of(os.path.abspath(program))
        # One time in all files of a night.
        self.environment = {"SOURCE_DATE_EPOCH": str(int(time.time())), **os.environ}
        schema = json.loads(self.run_program("facts", "--schema").stdout)
        # Of facts, in their order: name, and whether it has 64 bits.
        self.columns = tuple((column["name"], column["type"] == "BIGINT") for column in schema["columns"])

    @property
    def column_names(self) -> list[str]:
        """The names of the columns of facts."""
        return [name for name, _ in self.columns]

    def run_program(self, *words: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([self.program.path, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode < 0:
            raise Failure(INTERNAL, f"tripkpi {words[0]} was ended by signal {-done.returncode}")
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if line.startswith("tripkpi:")]
            raise Failure(done.returncode, "\n".join(errors) or done.stderr.strip())
        return done

    def describe(self, step: str) -> None:
        """Names the jobs that follow, in Spark's pages and event logs."""
        self.spark.sparkContext.setJobDescription(step)

    def schema(self, *added: StructField) -> StructType:
        """The columns of facts, and others."""
        facts = [StructField(name, LongType() if is_long else IntegerType()) for name, is_long in self.columns]
        return StructType([*facts, *added])

    @property
    def fact_schema(self) -> StructType:
        """The schema of the facts in the lake."""
        return self.schema(StructField("export", StringType()), StructField("part", IntegerType()))

    def rows(self, schema: StructType, name: str, runs: Iterable[str]) -> DataFrame:
        """The rows of a kind that some runs wrote to the lake, in the columns of the schema and `run`."""
        places = [spark_uri(self.lake.of_run(name, run)) for run in sorted(runs)]
        schema = StructType([*schema, StructField("run", StringType())])
        if not places:
            return self.spark.createDataFrame([], schema)
        rows = self.spark.read.schema(schema).option("basePath", spark_uri(self.lake.folder(name))).parquet(*places)
        return rows.select(schema.names)


def sql_fields(schema: pa.Schema) -> str:
    """The columns as Spark names them."""
    types = {pa.int32(): "int", pa.int64(): "bigint", pa.string(): "string"}
    return ", ".join(f"{field.name} {types[field.type]}" for field in schema)


def private_file(path: Path) -> BinaryIO:
    """A new file that only its owner may read."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
