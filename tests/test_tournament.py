"""Whole tournaments by the command, in real processes: resumed, stopped, killed, and with bots that misbehave."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.audit.audit import State, audit_file
from referee.tournament.ledger import Game, read_games
from tests.hosting import MARK, Mark
from tests.playing import all_ended, descendants

#: For a tournament of a few short games.
PATIENCE = 60.0
#: A bot that does not look at the clock gives the same games at any time.
UNHURRIED = """
game = "sudoku"
bots = ["greedy", "minimax"]
games = 12
[options]
board = "easy-2x2"
[time]
clock = false
nodes = 60
"""


class Tournament:
    """A specification in a folder of its own, with a key of its own."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        self.out = folder / "out"
        (folder / "spec.toml").write_text(text)

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "referee", "tournament", str(self.folder / "spec.toml")),
            *("--out", str(self.out), "--jobs", "1", *arguments),
            env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)},
            cwd=self.folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )

    async def play(self, *arguments: str) -> tuple[int | None, str, str]:
        process = await self.start(*arguments)
        async with asyncio.timeout(PATIENCE):
            out, errors = await process.communicate()
        return process.returncode, out.decode(), errors.decode()

    async def until(self, process: asyncio.subprocess.Process, words: str) -> None:
        """It has said so."""
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while words not in (line := (await process.stdout.readline()).decode()):
                assert line, await process.communicate()

    def games(self) -> list[Game]:
        return read_games(self.out)


def essence(games: Iterable[Game]) -> list[tuple[object, ...]]:
    """What must not hang on when and where it was played."""
    return sorted(
        (
            game.match,
            game.winner,
            game.reason,
            tuple((side.bot, side.score, side.turns) for side in game.sides),
        )
        for game in games
    )


async def test_everybody_meets_everybody_from_both_seats(tmp_path: Path) -> None:
    """Every game is in the ledger once, with a record that is true; the same command then has nothing to do."""
    text = UNHURRIED.replace('"minimax"', '"minimax", "random"').replace("games = 12", "games = 2")
    tournament = Tournament(tmp_path, text)
    code, out, errors = await tournament.play()
    assert (code, errors) == (0, "")
    assert "3 bots, round-robin, 6 games to play, 1 at a time" in out
    games = tournament.games()
    met = sorted(tuple(side.bot for side in game.sides) for game in games)
    bots = ("greedy", "minimax", "random")
    assert met == sorted((one, other) for one in bots for other in bots if one != other)
    for game in games:
        result = audit_file(tournament.out / "records" / f"{game.match}.match")
        assert (result.state, result.flaw) == (State.OK, "")
    first = {game.match: game for game in games}
    code, again, _ = await tournament.play()
    assert code == 0
    assert "games to play" not in again
    assert {game.match: game for game in tournament.games()} == first


async def test_results_are_the_same_at_any_concurrency(tmp_path: Path) -> None:
    """Bots that do not look at the clock play the same games one at a time and two at a time."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = Tournament(tmp_path / "one", UNHURRIED), Tournament(tmp_path / "two", UNHURRIED)
    assert (await one.play())[0] == 0
    assert (await two.play("--jobs", "2"))[0] == 0
    assert essence(one.games()) == essence(two.games())


async def test_ctrl_c_finishes_what_runs_and_says_how_to_go_on(tmp_path: Path) -> None:
    """No process is left, no pair is halved, and the same command plays the rest."""
    tournament = Tournament(tmp_path, UNHURRIED)
    process = await tournament.start()
    await tournament.until(process, " of 12 games")
    started = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    async with asyncio.timeout(PATIENCE):
        out, errors = await process.communicate()
    assert process.returncode == 130, errors
    assert "to go on: shotclock tournament" in errors.decode()
    await all_ended(started)
    played = tournament.games()
    assert 0 < len(played) < 12
    assert len(played) % 2 == 0
    assert "won-drawn-lost" in out.decode()
    code, out_again, _ = await tournament.play()
    assert code == 0
    assert f"{len(played)} played before" in out_again
    assert len({game.match for game in tournament.games()}) == len(tournament.games()) == 12


async def test_it_goes_on_when_nobody_reads_any_more(tmp_path: Path) -> None:
    """As with `| head -1`: the results are what counts."""
    tournament = Tournament(tmp_path, UNHURRIED.replace("games = 12", "games = 4"))
    process = await tournament.start()
    await tournament.until(process, "games to play")
    assert process.stdout is not None
    process.stdout._transport.close()  # type: ignore[attr-defined]
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        errors = await process.stderr.read()
        code = await process.wait()
    assert (code, errors) == (0, b"")
    assert len(tournament.games()) == 4


async def test_ctrl_c_twice_stops_now(tmp_path: Path) -> None:
    """Also if a bot would think for an hour; nothing is left running."""
    mark = Mark(tmp_path)
    think = "        here()\n        time.sleep(3600)\n"
    (tmp_path / "sleeper.py").write_text(
        f"import os, time\n{MARK}\nclass Sleeper:\n    def think(self, position, turn):\n{think}"
    )
    text = 'game = "sudoku"\nbots = ["random", "sleeper.py:Sleeper"]\n[time]\nturn = "1h"\n'
    tournament = Tournament(tmp_path, text)
    process = await tournament.start()
    async with asyncio.timeout(PATIENCE):
        await mark.reached()
    mark.close()
    started = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    await tournament.until(process, "stopping")
    process.send_signal(signal.SIGINT)
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    assert process.returncode == 130, errors
    assert "stopped after 0 of 2 games" in errors.decode()
    await all_ended(started)


async def test_a_tournament_that_was_killed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    """No game is missing and none is there twice; whatever it had started dies with it."""
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole, killed = Tournament(tmp_path / "whole", UNHURRIED), Tournament(tmp_path / "killed", UNHURRIED)
    assert (await whole.play())[0] == 0
    for _ in range(2):
        process = await killed.start()
        await killed.until(process, " of 12 games")
        started = descendants(process.pid)
        process.kill()
        await process.communicate()
        await all_ended(started)
    assert (await killed.play())[0] == 0
    assert essence(killed.games()) == essence(whole.games())
    assert len({game.match for game in killed.games()}) == len(killed.games())


async def test_bots_that_misbehave_spoil_only_their_own_games(tmp_path: Path) -> None:
    """One crashes, one hangs, one cheats: their games are decided with a reason, the others' are as without them."""
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    (tmp_path / "with" / "rogues.py").write_text(
        "import os\n"
        "class Crasher:\n    def think(self, position, turn):\n        os._exit(3)\n"
        "class Hanger:\n    def think(self, position, turn):\n        while True: pass\n"
        "class Cheat:\n    def think(self, position, turn):\n        yield 'r9c9=9'\n"
    )
    rogues = ("Crasher", "Hanger", "Cheat")
    honest = 'game = "sudoku"\nruling = "loses"\n[options]\nboard = "easy-2x2"\n[time]\nturn = "300ms"\nnodes = 30\n'
    named = ", ".join(f'{{name = "{rogue}", bot = "rogues.py:{rogue}"}}' for rogue in rogues)
    honest = f'format = "gauntlet"\nrivals = ["greedy"]\n{honest}'
    mixed = Tournament(tmp_path / "with", f'bots = ["random", {named}]\n{honest}')
    pure = Tournament(tmp_path / "without", f'bots = ["random"]\n{honest}')
    assert (await mixed.play())[::2] == (0, "")
    assert (await pure.play())[0] == 0
    games = mixed.games()
    for game in games:
        names = {side.bot for side in game.sides}
        guilty = names & set(rogues)
        if len(guilty) == 1 and game.winner is not None:
            assert game.sides[game.winner - 1].bot not in guilty
            assert game.forfeited
            assert game.text
    untouched = [game for game in games if not {side.bot for side in game.sides} & set(rogues)]
    assert [one[1:] for one in essence(untouched)] == [one[1:] for one in essence(pure.games())]
    assert {fault.kind for game in games for fault in game.faults} >= {"died"}


async def test_a_test_between_two_stops_early(tmp_path: Path) -> None:
    """`greedy` beats `random` so clearly that a few of the games allowed are enough."""
    text = 'game = "sudoku"\nformat = "sprt"\nbots = ["greedy", "random"]\ngames = 200\n'
    text += '[options]\nboard = "easy-2x2"\n[time]\nclock = false\n[sprt]\nelo0 = 0\nelo1 = 200\n'
    tournament = Tournament(tmp_path, text)
    code, out, errors = await tournament.play()
    assert (code, errors) == (0, "")
    assert "at most 200 games to play" in out
    assert "greedy is stronger than random by 200 points rather than by 0" in out
    games = tournament.games()
    assert 4 <= len(games) < 100
    assert [game.pair for game in games] == [number // 2 for number in range(len(games))]
    code, _, _ = await tournament.play()
    assert code == 0
    assert tournament.games() == games


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (UNHURRIED.replace("greedy", "gredy"), "line 3: bots: unknown sudoku bot 'gredy'"),
        (UNHURRIED.replace("minimax", "minimax,depth=x"), "line 3: bots: "),
        (UNHURRIED.replace("minimax", "missing.py:Bot"), "line 3: bots: "),
    ],
)
async def test_a_bot_that_cannot_be_started_is_told_before_the_first_game(
    tmp_path: Path, text: str, sentence: str
) -> None:
    tournament = Tournament(tmp_path, text)
    code, _, errors = await tournament.play()
    assert code == 2
    assert sentence in errors
    assert errors.count("\n") == 1
    assert tournament.games() == []


async def test_a_folder_is_for_one_tournament(tmp_path: Path) -> None:
    """Another one is refused in a sentence, at the same time and later."""
    tournament = Tournament(tmp_path, UNHURRIED.replace("games = 12", "games = 4"))
    process = await tournament.start()
    await tournament.until(process, "games to play")
    code, _, errors = await tournament.play()
    assert (code, errors.count("\n")) == (2, 1)
    assert "a tournament is being played in" in errors
    async with asyncio.timeout(PATIENCE):
        await process.communicate()
    Tournament(tmp_path, UNHURRIED)
    code, _, errors = await tournament.play()
    assert (code, errors.count("\n")) == (2, 1)
    assert "holds another tournament" in errors


async def test_a_ledger_that_was_cut_off_is_mended(tmp_path: Path) -> None:
    """Half a line, as a crash may leave it, is dropped and its game played again; a damaged line is told."""
    tournament = Tournament(tmp_path, UNHURRIED.replace("games = 12", "games = 2"))
    assert (await tournament.play())[0] == 0
    whole = tournament.games()
    ledger = tournament.out / "games.jsonl"
    text = ledger.read_text()
    ledger.write_text(text[:-20])
    assert (await tournament.play())[0] == 0
    assert essence(tournament.games()) == essence(whole)
    ledger.write_text("{}\n" + text)
    code, _, errors = await tournament.play()
    assert (code, errors.count("\n")) == (2, 1)
    assert "line 1 is damaged" in errors


async def test_the_size_of_it_is_told_without_playing(tmp_path: Path) -> None:
    """A dry run leaves nothing behind."""
    tournament = Tournament(tmp_path, UNHURRIED.replace("clock = false", 'turn = "100ms"'))
    code, out, errors = await tournament.play("--dry-run")
    assert (code, errors) == (0, "")
    assert "12 games to play" in out
    assert "at most about" in out
    assert not tournament.out.exists()


@pytest.mark.parametrize("jobs", ["0", "many", "-1"])
async def test_a_wrong_number_of_jobs_is_told(tmp_path: Path, jobs: str) -> None:
    code, _, errors = await Tournament(tmp_path, UNHURRIED).play("--jobs", jobs)
    assert code == 2
    assert f"--jobs {jobs} is neither auto nor a number" in errors
