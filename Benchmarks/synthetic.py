"""The synthetic exports that the benchmarks read."""
SEED = 42
# Each trip once.
UNIQUE = ("--corrections-per-million", "0")


def sample_command(program, rows, ending, words=(), months=24):
    """The command that writes a synthetic export to standard output."""
    return [program, "sample", "--messy", "--rows", str(rows), "--seed", str(SEED), "--months", str(months), "--from", "2023-10", "--fields", "kpi",
            "--no-structural-faults", "--format", ending.removesuffix(".gz"), *(["--gzip"] if ending.endswith(".gz") else []), *words]
