"""`shotclock report`: the page, the files and the command."""

import csv
import json
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from games import Mistake
from referee.reporting import command
from referee.reporting.archive import sampled, study
from referee.reporting.figures.album import pictures as pictures_of
from referee.reporting.figures.style import INK, Looks, drawing, label, rendered
from referee.reporting.figures.sweeps import heat_maps
from referee.reporting.files import json_text, safe, write_report
from referee.reporting.page import OWN_COLOURS, page
from referee.reporting.picture import Picture
from referee.reporting.report import Report, gather, report_data
from referee.reporting.results import read_results
from referee.tournament.ledger import CHARTER, LEDGER, RECORDS
from tests.playing import shotclock
from tests.tournaments import BOARDS, TURNS, charter, drawn_games, folder_of, played_folder

LONG = "alphabeta,depth=4,eval=sectors-mobility"
NASTY = "<script>alert(1)</script> & $x^2$"
VOID = {"meta", "br", "wbr", "link", "img", "input", "hr"}


def quiet(_number: int, _of: int) -> None:
    """No progress."""


def swept(folder: Path) -> Path:
    """Two axes, a name that is long and one that is nasty, faults and void games."""
    agreed = charter([LONG, "random", NASTY], axes={"board": BOARDS[:2], "turn": TURNS[:2]})
    return folder_of(folder, agreed, drawn_games(agreed, seed=3))


def report_of(folder: Path, *, curves: bool = False) -> Report:
    return gather(read_results(folder), curves=curves, sample=20, progress=quiet)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[Picture]]:
    found = report_of(swept(tmp_path_factory.mktemp("swept")))
    return found, command.draw(found)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two real games."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "kept").mkdir()
    arguments = (
        "play sudoku greedy minimax --board easy-2x2 --turn 40ms --games 2 --seed 3 --records kept --json"
    )
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments.split()],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    series = json.loads(done.stdout)
    for game in series["games"]:
        game["record"] = folder / game["record"]
    return played_folder(folder / "cup", series)


class Reader(HTMLParser):
    """What is on a page; every tag must be closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in {"src", "href", "xlink:href"}:
                self.addresses.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read_page(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_needs_nothing_else(drawn: tuple[Report, list[Picture]]) -> None:
    """No script, no address outside of it, no id twice, and every picture is in it."""
    report, pictures = drawn
    read = read_page(page(report, pictures))
    assert "script" not in read.tags
    assert all(address.startswith("#") for address in read.addresses)
    assert len(read.ids) == len(set(read.ids))
    assert read.tags.count("svg") == sum(picture.section is not None for picture in pictures)
    assert "cross" in page(report, pictures)
    assert {address.removeprefix("#") for address in read.addresses} <= set(read.ids)


def test_texts_of_strangers_are_only_texts(drawn: tuple[Report, list[Picture]]) -> None:
    """The name of a bot comes out as it is, and never as a tag."""
    report, pictures = drawn
    text = page(report, pictures)
    assert "<script" not in text
    assert NASTY in read_page(text).texts


def test_the_page_has_every_part(drawn: tuple[Report, list[Picture]]) -> None:
    """Standings, what went wrong, rivals, settings, effort, timing, faults."""
    report, pictures = drawn
    texts = read_page(page(report, pictures)).texts
    for heading in (
        "Standings",
        "What went wrong",
        "Who beat whom",
        "What the settings change",
        "What the bots did",
        "Timing and fairness",
        "Faults",
    ):
        assert heading in texts
    said = " ".join(texts)
    assert "ZeroDivisionError" not in said, "the loss tells it"
    assert f"{NASTY} crashed and left no move and lost" in said
    assert "void, by no fault of a bot" in said
    assert "Who is best, and how much does time matter?" in said


def test_pictures_are_whole_and_there_is_one_for_everything(drawn: tuple[Report, list[Picture]]) -> None:
    """SVG that can be parsed, with the names as text; PNG."""
    _, pictures = drawn
    assert [picture.name for picture in pictures] == [
        *("standings", "crosstable", "better", "seats", "heat", "score-1", "score-2"),
        *("effort", "effort-1", "effort-2", "endings", "fairness"),
    ]
    for picture in pictures:
        ET.fromstring(picture.svg)  # noqa: S314 - our own
        assert picture.png.startswith(b"\x89PNG")
        assert "mathdefault" not in picture.svg
    assert "$x^2$" in pictures[0].svg, "a name is no formula"


def test_the_same_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    """Page, data and pictures."""

    def everything() -> tuple[str, str, list[Picture]]:
        report = report_of(folder_of(tmp_path, agreed, games))
        pictures = list(islice(pictures_of(report), 3))
        return page(report, pictures), json_text(report_data(report)), pictures

    agreed = charter(["a", "b"])
    games = drawn_games(agreed)
    assert everything() == everything()


def test_the_page_gives_pictures_its_own_colours(drawn: tuple[Report, list[Picture]]) -> None:
    """So that they can be read on a dark ground; the files keep theirs."""
    report, pictures = drawn
    assert INK in OWN_COLOURS
    assert INK in pictures[0].svg
    assert INK not in page(report, pictures)


def test_files_agree_with_each_other(drawn: tuple[Report, list[Picture]], tmp_path: Path) -> None:
    """Each parses, has a line for each thing, and no number that is none."""
    report, pictures = drawn
    write_report(tmp_path, report, report_data(report), page(report, pictures), pictures)
    tables = {
        path.stem: list(csv.DictReader(path.read_text().splitlines())) for path in tmp_path.glob("*.csv")
    }
    data = json.loads((tmp_path / "report.json").read_text())
    assert {name: len(rows) for name, rows in tables.items()} == {
        "standings": 3,
        "crosstable": 6,
        "cells": 4 * 3,
        "games": 4 * 3 * 4,
    }
    assert [row["bot"] for row in tables["standings"]] == [row["bot"] for row in data["standings"]]
    assert {row["axis_board"] for row in tables["cells"]} == set(BOARDS[:2])
    assert {row["record"] for row in tables["games"]} == {
        f"records/{game['match']}.match" for game in data["games"]
    }
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {f"{picture.name}.{kind}" for picture in pictures for kind in ("svg", "png")}
    for path in tmp_path.glob("*.*"):
        assert "NaN" not in path.read_text()
        assert "nan" not in path.read_text().replace("finance", "").split(",")


def test_no_cell_of_a_table_is_a_formula() -> None:
    """A spreadsheet would run it."""
    assert safe("=cmd()") == "'=cmd()"
    assert safe("-1 is what I say") == "'-1 is what I say"
    assert safe(-1.5) == -1.5


def test_one_game_is_enough_for_a_report(tmp_path: Path) -> None:
    """Nothing divides by what is not there yet; the page says that it is unfinished."""
    agreed = replace(charter(["a", "b", "c"], axes={"board": BOARDS, "turn": TURNS[:1]}), planned=36)
    report = report_of(folder_of(tmp_path, agreed, drawn_games(agreed, trouble=False)[:1]))
    text = page(report, command.draw(report))
    json_text(report_data(report))
    assert "Unfinished: 1 of 36 games are over." in text


def test_void_games_alone_can_be_reported(tmp_path: Path) -> None:
    """There is nothing to say, and it is said."""
    agreed = charter(["a", "b"])
    games = [game for game in drawn_games(charter(["a", "b"], games=200)) if game.void][:2]
    report = report_of(folder_of(tmp_path, agreed, games))
    assert "2 games are void" in page(report, command.draw(report))


def test_a_test_has_its_curve(tmp_path: Path) -> None:
    """And a sentence on how it stands."""
    agreed = charter(
        ["a", "b"], form="sprt", games=40, sprt={"elo0": 0, "elo1": 50, "alpha": 0.05, "beta": 0.05}
    )
    report = report_of(folder_of(tmp_path, agreed, drawn_games(agreed, trouble=False)))
    pictures = list(islice(pictures_of(report), 5))
    assert pictures[-1].name == "sprt"
    assert "Sequential test, after 20 pairs" in page(report, pictures)


def test_a_third_axis_makes_a_panel_for_each_value(tmp_path: Path) -> None:
    """The heat map names it."""
    agreed = charter(
        ["a", "b"], axes={"board": BOARDS[:2], "turn": TURNS[:2], "variant": ("classic", "territory")}
    )
    report = report_of(folder_of(tmp_path, agreed, drawn_games(agreed)))
    with drawing():
        svg, _ = rendered(heat_maps(report, report.order, report.axes), "heat")
    assert svg.count(">variant territory<") == 2


def test_many_bots_are_drawn_as_far_as_they_can_be_told_apart(tmp_path: Path) -> None:
    """And the caption says that there are more."""
    agreed = charter([f"bot{number}" for number in range(30)], games=2)
    report = report_of(folder_of(tmp_path, agreed, drawn_games(agreed)))
    assert "The best 24 of 30 bots are drawn." in next(pictures_of(report)).caption


def test_colours_go_by_the_tournament_and_not_by_rank() -> None:
    """Every bot has a look of its own."""
    bots = [f"bot{number}" for number in range(21)]
    looks = Looks(bots)
    assert len({(look.colour, look.dash) for look in looks.values()}) == len(bots)


def test_a_long_name_is_broken_at_its_commas() -> None:
    """And nothing is lost unless it is very long."""
    assert label(LONG, width=22) == "alphabeta,depth=4,\neval=sectors-mobility"
    assert label("x" * 100, width=10, lines=2) == "x" * 10 + "\n" + "x" * 9 + "…"


def test_records_give_curves(played: Path) -> None:
    """Of real games; at the end of a turn everybody agrees with himself."""
    found = study(read_results(played), sample=20, progress=quiet)
    assert (found.records, found.missing, found.damaged) == (2, 0, 0)
    assert {one.bot for one in found.curves} == {"greedy", "minimax"}
    assert all(one.turns > 1 and one.same[-1] == 1 and one.records == 2 for one in found.curves)


def test_a_sample_is_the_same_every_time_and_no_larger_than_asked(tmp_path: Path) -> None:
    """In each cell."""
    results = read_results(swept(tmp_path))
    chosen = sampled(results, "random", 2)
    assert chosen == sampled(results, "random", 2)
    cells = [game.cell for game in results.games if game.match in chosen]
    assert sorted(cells) == [0, 0, 1, 1, 2, 2, 3, 3]


async def test_the_command_writes_everything_and_prints_the_standings(played: Path, tmp_path: Path) -> None:
    """By a real process, with pictures of how answers grow."""
    done = await shotclock("report", str(played), "--out", "out", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "minimax" in done.out
    assert "out/report.html" in done.out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        *("report.html", "report.json", "figures"),
        *("standings.csv", "crosstable.csv", "cells.csv", "games.csv"),
    }
    assert (tmp_path / "out" / "figures" / "agreement.svg").exists()
    assert "played on 20" in (tmp_path / "out" / "report.html").read_text()


async def test_json_is_printed_alone(played: Path, tmp_path: Path) -> None:
    """And is what the file says."""
    done = await shotclock("report", str(played), "--out", "out", "--no-figures", "--json", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == json.loads((tmp_path / "out" / "report.json").read_text())
    assert not (tmp_path / "out" / "figures").exists()


async def test_records_that_are_gone_or_damaged_are_counted(played: Path, tmp_path: Path) -> None:
    """And what is left is drawn; without curves nobody asks."""
    folder = folder_of(tmp_path / "cup", read_results(played).charter, read_results(played).games)
    (folder / RECORDS).mkdir()
    (folder / RECORDS / f"{read_results(played).games[0].match}.match").write_text("no record\n")
    done = await shotclock("report", "cup", "--no-figures", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "2 records of 2 left out of the curves: 1 missing, 1 damaged." in done.out
    without = await shotclock("report", "cup", "--no-figures", "--no-curves", folder=tmp_path)
    assert "left out" not in without.out


async def test_without_the_extra_the_tables_are_there(played: Path, tmp_path: Path) -> None:
    """And a sentence says what to install."""
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / "sitecustomize.py").write_text("import sys\nsys.modules['matplotlib'] = None\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path / "hide"))
        done = await shotclock("report", str(played), "--out", "out", folder=tmp_path)
    assert (done.code, done.err) == (
        0,
        "shotclock: pictures need the extra: pip install 'shotclock[report]'\n",
    )
    assert "<svg" not in (tmp_path / "out" / "report.html").read_text()


def test_nobody_waits_for_matplotlib_who_does_not_draw() -> None:
    """The command itself does not import it."""
    code = "import sys, referee.reporting.command; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_a_folder_without_a_tournament_is_a_mistake(tmp_path: Path) -> None:
    """One sentence, exit code 2, by a real process."""
    done = await shotclock("report", "nothing", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert (
        done.err == "shotclock: there is no tournament in nothing: name the folder that `tournament` made\n"
    )


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        (LEDGER, "", "no game of .* is over yet"),
        (LEDGER, "{}\n", "line 1 is damaged"),
        (LEDGER, "[1]\n", "line 1 is damaged"),
        (CHARTER, "no JSON", "cannot read"),
        (CHARTER, "{}", "cannot read"),
    ],
)
def test_damaged_folders_are_mistakes(file: str, content: str, sentence: str, tmp_path: Path) -> None:
    """Each is a sentence that names the file."""
    agreed = charter(["a", "b"])
    folder_of(tmp_path, agreed, drawn_games(agreed))
    (tmp_path / file).write_text(content)
    with pytest.raises(Mistake, match=sentence):
        read_results(tmp_path)


def test_half_a_line_at_the_end_is_left_out(tmp_path: Path) -> None:
    """A tournament may be under way, or may have crashed."""
    agreed = charter(["a", "b"])
    folder_of(tmp_path, agreed, drawn_games(agreed))
    ledger = tmp_path / LEDGER
    ledger.write_text(ledger.read_text()[:-20])
    assert len(read_results(tmp_path).games) == 3


def test_a_folder_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    """Here, because a file is in its place."""
    report = report_of(swept(tmp_path / "cup"))
    (tmp_path / "taken").write_text("")
    with pytest.raises(Mistake, match="cannot write the report into"):
        write_report(tmp_path / "taken", report, {}, "", [])
