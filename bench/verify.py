"""How long `shotclock verify` takes for many records, and that it finds the one that was tampered with.

The records are of 9x9 Sudoku matches on the board easy-3x3 between players that choose among the legal moves at random;
each is another match. They are made without bots or a network, by the referee's own core.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from rich.progress import track

from bench.figures import progress
from bench.headless import new
from games import Ruling
from referee.audit.folder import follow_the_parent
from referee.events import Terms
from referee.key import public_hex
from referee.timing import SECOND, TimeControl

#: For 10,000 records on two cores.
GOAL = 600.0
GOAL_RECORDS = 10_000


def make(number: int, *, folder: Path, secret: bytes) -> int:
    """The turns of the match."""
    terms = Terms(
        match_id=f"bench-{number:05}",
        game="sudoku",
        variant="classic",
        options={"board": "easy-3x3"},
        seed=number,
        time=TimeControl(turn=SECOND // 2),
        ruling=Ruling.LOSES,
    )
    rng = random.Random(number)
    path = folder / f"{terms.match_id}.match"
    table = new(path, terms, Ed25519PrivateKey.from_private_bytes(secret), sync=False).seated()
    while not table.match.over:
        moves = rng.choices(table.match.position.legal_moves(), k=3)
        for move in moves[:-1]:
            table.propose(move, after=200_000, note="the best so far")
        table.play(moves[-1], after=200_000)
    table.recorder.close()
    return len(table.match.reports)


def make_all(folder: Path, records: int) -> str:
    """The public key that seals them."""
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    with ProcessPoolExecutor(mp_context=get_context("forkserver"), initializer=follow_the_parent) as pool:
        made = pool.map(partial(make, folder=folder, secret=secret), range(records), chunksize=16)
        turns = sum(track(made, "making records", total=records, disable=not sys.stderr.isatty()))
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{records} records made: {turns / records:.1f} turns and {size / records / 1000:.1f} kB each")
    return public_hex(key)


def verify(folder: Path, key: str, *, exit_code: int) -> float:
    """Seconds it took."""
    shotclock = Path(sys.executable).with_name("shotclock")
    command = [str(shotclock), "verify", str(folder), "--key", key, "--finished"]
    print(f"$ shotclock verify {folder} --key {key[:8]}… --finished", flush=True)
    began = time.monotonic()
    ran = subprocess.run(command, check=False)
    took = time.monotonic() - began
    if ran.returncode != exit_code:
        raise SystemExit(f"the command ended with {ran.returncode}, not {exit_code}")
    return took


def tamper(folder: Path, records: int) -> None:
    """One digit of one score in the middle of one file."""
    file = folder / f"bench-{records // 2:05}.match"
    data = bytearray(file.read_bytes())
    places = [found.start() for found in re.finditer(rb"\d:\d", data)]
    place = places[len(places) // 2]
    data[place] = ord("9") if data[place] != ord("9") else ord("8")
    file.write_bytes(data)
    print(f"changed one digit of a score in {file.name}, at byte {place} of {len(data)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=300, help=f"how many; the goal is for {GOAL_RECORDS}")
    records = parser.parse_args().records
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        progress(f"making {records} records")
        key = make_all(folder, records)
        took = verify(folder, key, exit_code=0)
        share = GOAL * records / GOAL_RECORDS
        cores = len(os.sched_getaffinity(0))
        print(
            f"{took:.1f} s on {cores} cores, {1000 * took / records:.2f} ms a record; "
            f"goal {share:.0f} s: {'met' if took <= share else 'missed'}"
        )
        tamper(folder, records)
        verify(folder, key, exit_code=1)


if __name__ == "__main__":
    main()
