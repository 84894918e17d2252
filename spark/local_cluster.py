"""A Spark cluster on this machine, for the demo and the tests: a master and two workers on loopback, on free ports."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

FOLDER = pathlib.Path(__file__).resolve().parent
# Short jobs end before the second compiler's code is ready, and its threads take the processors of the job.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Cluster:
    def __init__(self, home: pathlib.Path, folder: pathlib.Path, workers: int):
        self.home = home
        self.folder = folder
        self.worker_count = workers
        self.processes: list[subprocess.Popen] = []
        self.workers: list[subprocess.Popen] = []
        # Nothing of the user's own Spark, and all of its files in one folder.
        self.environment = {
            **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_DIRS": str(folder / "local"), "SPARK_LOG_DIR": str(folder / "logs"),
            "SPARK_CONF_DIR": str(folder / "conf"), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_NO_DAEMONIZE": "1", "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS}
        for name in ("local", "logs", "conf", "work"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def start(self, name: str, *words: str, environment: dict[str, str] | None = None) -> subprocess.Popen:
        with open(self.folder / "logs" / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [self.home / "bin/spark-class", *words], env={**self.environment, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def wait_for(self, name: str, pattern: str, seconds: int = 60) -> None:
        log, end = self.folder / "logs" / f"{name}.log", time.monotonic() + seconds
        while not re.search(pattern, log.read_text(errors="replace")):
            if time.monotonic() > end or self.processes[-1].poll() is not None:
                raise RuntimeError(f"Spark's {name} did not start:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.2)

    def begin(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"spark://127.0.0.1:{port}"
        self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self.wait_for("master", "I have been elected leader")
        for _ in range(self.worker_count):
            self.add_worker()

    def add_worker(self, environment: dict[str, str] | None = None) -> subprocess.Popen:
        """`environment`: what is different on this worker."""
        name = f"worker{len(self.workers)}"
        self.workers.append(self.start(
            name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1",
            "--memory", "1g", "--work-dir", str(self.folder / "work"), self.url, environment=environment))
        self.wait_for(name, "Successfully registered with master")
        return self.workers[-1]

    def end(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def submission(self, *options: str, settings: dict[str, str] | None = None, is_in_one_process: bool = False) -> list[str]:
        """The command that runs the job on the cluster, or its tasks in the driver, without the start of executors."""
        own = {
            "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
            "spark.driver.extraJavaOptions": JAVA_OPTIONS, "spark.executor.extraJavaOptions": JAVA_OPTIONS,
            "spark.executor.memory": "700m", "spark.driver.memory": "700m", "spark.sql.shuffle.partitions": "4",
            "spark.default.parallelism": "4", "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false", "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.eventLog.dir": (self.folder / "logs").as_uri(), **(settings or {})}
        words = [word for name, value in own.items() for word in ("--conf", f"{name}={value}")]
        return [
            str(self.home / "bin/spark-submit"), "--master", "local[2]" if is_in_one_process else self.url, *words,
            str(FOLDER / "tripkpi_spark.py"), *options]


def spark_home() -> pathlib.Path | None:
    """Where pyspark of this Python is; None: it is not installed."""
    try:
        import pyspark
    except ImportError:
        return None
    return pathlib.Path(pyspark.__file__).parent


@contextmanager
def cluster(folder: pathlib.Path, workers: int = 2):
    """Runs until the block ends, however it ends."""
    home = spark_home()
    if home is None:
        raise RuntimeError("there is no pyspark: run scripts/bootstrap.sh spark")
    running = Cluster(home, folder, workers)
    try:
        running.begin()
        yield running
    finally:
        running.end()
