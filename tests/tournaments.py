"""Folders of tournaments, drawn by lot or played, for tests of what is said about them."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from statistics import fmean
from typing import Any

from referee.tournament.ledger import (
    LEDGER,
    RECORDS,
    Charter,
    Entry,
    Fault,
    Game,
    Side,
    line_of,
    write_charter,
)

BOARDS = ("easy-2x2", "easy-3x3", "hard-3x3")
TURNS = ("50ms", "100ms", "500ms")


def charter(
    bots: Sequence[str],
    *,
    axes: Mapping[str, Sequence[str]] | None = None,
    games: int = 4,
    form: str = "round-robin",
    sprt: dict[str, float] | None = None,
) -> Charter:
    swept = {name: tuple(values) for name, values in (axes or {}).items()}
    return Charter(
        name="spring-cup",
        format=form,
        seed=1,
        bots=tuple(Entry(bot, bot) for bot in bots),
        axes=swept,
        cells=tuple(dict(zip(swept, values, strict=True)) for values in product(*swept.values())),
        fixed={"game": "sudoku"} if "turn" in swept else {"game": "sudoku", "turn": "100ms"},
        games=games,
        command="shotclock tournament cup.toml",
        about="Who is best, and how much does time matter?",
        sprt=sprt,
    )


def drawn_games(agreed: Charter, *, seed: int = 0, trouble: bool = True) -> list[Game]:
    """Better bots stand first; the last one crashes now and then, and some games are void."""
    lots = random.Random(seed)
    games = []
    strengths = {entry.name: -0.8 * place for place, entry in enumerate(agreed.bots)}
    for cell, _ in enumerate(agreed.cells):
        for meeting, (one, other) in enumerate(combinations(strengths, 2)):
            for number in range(agreed.games):
                bots = (one, other) if number % 2 == 0 else (other, one)
                games.append(drawn_game(lots, strengths, bots, cell=cell, meeting=meeting, number=number))
    if trouble:
        return [spoilt(lots, game, agreed.bots[-1].name) for game in games]
    return games


def drawn_game(
    lots: random.Random,
    strengths: Mapping[str, float],
    bots: tuple[str, str],
    *,
    cell: int,
    meeting: int,
    number: int,
) -> Game:
    lead = strengths[bots[0]] - strengths[bots[1]] + 0.2
    chance = 1 / (1 + 2.718**-lead)
    luck = lots.random()
    winner = None if luck < 0.1 else 1 if lots.random() < chance else 2
    return Game(
        match=f"c{cell}-m{meeting}-{number + 1}",
        cell=cell,
        round=1,
        meeting=meeting,
        pair=number // 2,
        number=number % 2 + 1,
        sides=(side(lots, bots[0]), side(lots, bots[1])),
        winner=winner,
        void=False,
        reason="finished",
        text="the board is full",
        faults=(),
        tainted=int(lots.random() < 0.02),
        difference_ms=round(lots.random(), 3),
        bound_ms=round(1 + lots.random(), 3),
        seconds=round(lots.uniform(1, 3), 3),
    )


def side(lots: random.Random, bot: str) -> Side:
    quiet = bot.startswith("random")
    turns = lots.randrange(5, 12)
    return Side(
        bot=bot,
        score=lots.randrange(20),
        turns=turns,
        thought_ms=turns * lots.uniform(60, 100),
        longest_ms=lots.uniform(90, 106),
        nodes=0 if quiet else turns * lots.randrange(1000, 90_000),
        depth=None if quiet else round(lots.uniform(3, 9), 2),
    )


def spoilt(lots: random.Random, game: Game, bot: str) -> Game:
    if lots.random() < 0.03:
        return replace(game, void=True, winner=None, reason="tainted", text="the referee was too slow")
    seat = next((number for number, one in enumerate(game.sides, 1) if one.bot == bot), 0)
    if seat and lots.random() < 0.2:
        fault = Fault(seat, 3, "raised", "ZeroDivisionError: division by zero")
        return replace(
            game, winner=3 - seat, reason="crashed", text=f"player {seat} crashed", faults=(fault,)
        )
    if seat and lots.random() < 0.1:
        return replace(game, faults=(Fault(seat, 2, "killed", "did not stop"),))
    return game


def folder_of(folder: Path, agreed: Charter, games: Iterable[Game]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_charter(agreed, folder)
    (folder / LEDGER).write_text("".join(map(line_of, games)))
    return folder


def played_folder(folder: Path, series: Mapping[str, Any]) -> Path:
    """Of what `play --games N --records ELSEWHERE --json` printed."""
    games = series["games"]
    agreed = charter([bot["bot"] for bot in games[0]["bots"]], games=len(games))
    (folder / RECORDS).mkdir(parents=True)
    for game in games:
        record = Path(game["record"])
        (folder / RECORDS / record.name).write_bytes(record.read_bytes())
    return folder_of(folder, agreed, [played_game(place, game) for place, game in enumerate(games)])


def played_game(place: int, match: Mapping[str, Any]) -> Game:
    return Game(
        match=match["match"],
        cell=0,
        round=1,
        meeting=0,
        pair=place // 2,
        number=place % 2 + 1,
        sides=(played_side(match, 1), played_side(match, 2)),
        winner=match["winner"],
        void=match["result"] == "void",
        reason=match["reason"],
        text=match["text"],
        faults=tuple(Fault(**fault) for fault in match["faults"]),
        tainted=len(match["tainted"]),
        difference_ms=match["fairness"]["difference_ms"],
        bound_ms=match["fairness"]["bound_ms"],
        seconds=match["seconds"],
    )


def played_side(match: Mapping[str, Any], seat: int) -> Side:
    turns = [turn for turn in match["turns"] if turn["seat"] == seat]
    last = [turn["proposals"][-1] for turn in turns if turn["proposals"]]
    depths = [said["depth"] for said in last if "depth" in said]
    return Side(
        bot=match["bots"][seat - 1]["bot"],
        score=match["scores"][seat - 1],
        turns=len(turns),
        thought_ms=sum(turn["ended_ms"] for turn in turns),
        longest_ms=max((turn["ended_ms"] for turn in turns), default=0.0),
        nodes=sum(said.get("nodes", 0) for said in last),
        depth=fmean(depths) if depths else None,
    )
