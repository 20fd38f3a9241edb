"""Many records, on all cores."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from games import Mistake
from referee.audit.audit import Audited, audit_file

#: Fewer are done before other processes have started.
MANY = 64
#: Handed to a process at once.
PORTION = 8


def records_in(paths: Sequence[Path]) -> list[Path]:
    """The files that are meant, each once; a folder means every record in it and below."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            records = sorted(file for file in path.rglob("*.match") if file.is_file())
            if not records:
                raise Mistake(f"there is no record in the folder {path}: records are called *.match")
        elif path.is_file():
            records = [path]
        else:
            raise Mistake(f"there is no record {path}")
        found.update(dict.fromkeys(records))
    return list(found)


def audit_all(files: Sequence[Path], keys: frozenset[str]) -> Iterator[Audited]:
    """In the order of the files, each as soon as it and those before it are done."""
    if len(files) < MANY:
        for file in files:
            yield audit_file(file, keys=keys)
        return
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    pool = ProcessPoolExecutor(
        len(os.sched_getaffinity(0)), mp_context=context, initializer=follow_the_parent
    )
    try:
        # Not by `map`, which cancels what a broken pool is ending: the pool's thread would die of it with a traceback.
        portions = [files[start : start + PORTION] for start in range(0, len(files), PORTION)]
        for checked in [pool.submit(audit_portion, portion, keys) for portion in portions]:
            yield from checked.result()
    except BrokenProcessPool:
        raise Mistake(
            "a process that checked records was killed: see that there is memory, and try again"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def audit_portion(files: Sequence[Path], keys: frozenset[str]) -> list[Audited]:
    return [audit_file(file, keys=keys) for file in files]


def follow_the_parent() -> None:
    """Ctrl-C at the terminal reaches every process and is for the parent to answer; nobody goes on without it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=end_after, args=(parent,), daemon=True).start()


def end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
