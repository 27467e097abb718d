"""The commands, as people and scripts use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner, Result

import wsgi
from ledger import access, cli, sessions, store
from ledger.access import Caller
from ledger.acts import Asked
from ledger.audit import Why
from ledger.cli import verdicts
from ledger.refusal import Refused
from ledger.rules.catalog import ruleset
from ledger.settings import load
from ledger.tiles import UNKNOWN, parse_tiles
from projections.telling import tile_sign

TREE = Path(__file__).parent.parent
VECTORS = TREE / "tests" / "vectors" / "huaihua.json"
KEY = "huaihua/1"

Run = Callable[..., Result]
Lines = list[dict[str, Any]]


@pytest.fixture
def house(sqlite_url: str, tmp_path: Path) -> Iterator[wsgi.House]:
    environ = {"PAIZHANG_DATABASE_URL": sqlite_url, "PAIZHANG_DATA": str(tmp_path / "data")}
    house = wsgi.House(load(environ))
    yield house
    house.close()


@pytest.fixture
def run(house: wsgi.House) -> Run:
    """Run a command in a house with an empty database."""

    def run(*words: object, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli.commands, list(map(str, words)), input=stdin, obj=house)

    return run


def lines(result: Result) -> Lines:
    """What a command said, a JSON object to a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(result: Result) -> str:
    """The sentence with which a command is refused."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("Error: ").strip()


# --- clubs and keys -----------------------------------------------------------------------------


def test_a_database_is_made_where_there_was_none(tmp_path: Path) -> None:
    fresh = wsgi.House(load({"PAIZHANG_DATA": str(tmp_path / "new")}))
    before = CliRunner().invoke(cli.commands, ["verify", "club_x"], obj=fresh)
    assert "db upgrade" in refused(before)
    assert CliRunner().invoke(cli.commands, ["db", "upgrade"], obj=fresh).exit_code == 0
    after = CliRunner().invoke(cli.commands, ["verify", "club_x"], obj=fresh)
    assert refused(after) == (
        "There is no such club. It was looked for in "
        f"{tmp_path}/new/paizhang.db; PAIZHANG_DATA names the data folder."
    )


def test_a_club_is_founded_with_a_key_for_its_owner(run: Run, house: wsgi.House) -> None:
    (told,) = lines(run("club", "found", "翠苑", "--cutoff", "04:30", "--json"))
    with house.database.read() as connection:
        caller = access.authenticate(connection, told["token"], 0)
        club = access.find_club(connection, told["club"])
    assert (caller.club, caller.roles) == (told["club"], ("owner",))
    assert club is not None
    assert (club.name, club.zone, club.day_cutoff) == ("翠苑", "Asia/Shanghai", 270)


def test_people_read_a_line_for_each_fact(run: Run) -> None:
    told = run("club", "found", "Jade").stdout.splitlines()
    assert [line.split()[0] for line in told] == ["club", "key", "token"]
    assert told[2].split()[1].startswith("pz_")


@pytest.mark.parametrize(
    ("option", "value"), [("--cutoff", "24:00"), ("--cutoff", "5"), ("--zone", "Moon/Crater")]
)
def test_a_club_needs_a_clock(run: Run, option: str, value: str) -> None:
    assert value in refused(run("club", "found", "Jade", option, value))


def test_a_key_has_roles_of_a_club(run: Run, house: wsgi.House) -> None:
    (club,) = lines(run("club", "found", "Jade", "--json"))
    (told,) = lines(run("key", "create", club["club"], "--role", "recorder", "--json"))
    with house.database.read() as connection:
        assert access.authenticate(connection, told["token"], 0).roles == ("recorder",)
    assert '"boss"' in refused(run("key", "create", club["club"], "--role", "boss"))
    assert "club" in refused(run("key", "create", "club_x", "--role", "owner"))
    assert "member" in refused(run("key", "create", club["club"], "--role", "member"))


def test_sqlite_has_no_roles(run: Run) -> None:
    """A role that may not change events is PostgreSQL's; a file belongs to who can read it."""
    assert "SQLite has no roles" in refused(run("db", "role", "paizhang_app"))


def test_a_revoked_key_opens_nothing(run: Run, house: wsgi.House) -> None:
    (club,) = lines(run("club", "found", "Jade", "--json"))
    revoked = run("key", "revoke", club["club"], club["key"])
    assert [line.split() for line in revoked.stdout.splitlines()] == [
        ["club", club["club"]],
        ["key", club["key"]],
        ["revoked", "True"],
    ]
    with house.database.read() as connection, pytest.raises(Refused, match="key_invalid"):
        access.authenticate(connection, club["token"], 0)
    assert "key_x" in refused(run("key", "revoke", club["club"], "key_x"))


def test_a_person_is_invited_and_let_in_again(run: Run, house: wsgi.House) -> None:
    """The operator's link opens all that is the person's, so he can set a new password."""
    (club,) = lines(run("club", "found", "Jade", "--json"))
    words = ("--role", "owner", "--label", "Ann")
    (told,) = lines(run("person", "invite", club["club"], *words, "--json"))
    ledger, nobody = house.ledger(), Caller("", None, ())
    entry = sessions.enter_by_link(ledger, nobody, Asked("first"), told["link"])
    person = entry.session.person
    ann = Caller(person, None, (), session=entry.session.session)
    sessions.set_password(ledger, ann, "ann.boss", "correct horse battery")
    for name in (person, "ann.boss"):
        (link,) = lines(run("person", "link", name, "--json"))
        entry = sessions.enter_by_link(ledger, nobody, Asked(name), link["link"])
        assert (entry.session.person, entry.session.club) == (person, None)
    again = Caller(person, None, (), session=entry.session.session)
    sessions.set_password(ledger, again, "ann.boss", "forgotten and set anew")
    assert refused(run("person", "link", "nobody")).startswith(
        "There is nobody with the id or login nobody. It was looked for in "
    )


class Elsewhere:
    """A house whose database has a password, and not the club that is asked for."""

    settings = load({"PAIZHANG_DATABASE_URL": "postgresql://ledger:hunter2@db.test/ledger"})

    def ledger(self) -> None:
        raise Refused("club_unknown", club="club_x")

    def close(self) -> None:
        """Nothing was opened."""


def test_a_refusal_names_a_database_without_its_password() -> None:
    """A URL that may hold a secret is named by its setting."""
    assert refused(CliRunner().invoke(cli.commands, ["verify", "club_x"], obj=Elsewhere())) == (
        "There is no such club. It was looked for in the database that PAIZHANG_DATABASE_URL names."
    )


@pytest.mark.parametrize(
    ("words", "roles"),
    [
        (
            ("key", "create"),
            "owner, manager, referee, treasurer, accountant, auditor, recorder, member.",
        ),
        (
            ("person", "invite"),
            "owner, manager, referee, treasurer, accountant, auditor, member.",
        ),
    ],
)
def test_the_roles_that_can_be_given_are_told(run: Run, words: tuple[str, ...], roles: str) -> None:
    """A game server's role is for keys alone."""
    assert f"One of {roles}" in " ".join(run(*words, "--help").stdout.split())


# --- simulate, settle, replay -------------------------------------------------------------------


def simulate(run: Run, *more: str, hands: int = 3) -> Result:
    return run("simulate", "--ruleset", KEY, "--hands", hands, "--seed", 1, *more)


def test_simulate_writes_a_line_for_each_hand(run: Run) -> None:
    told = lines(simulate(run))
    assert [set(line) for line in told] == [{"outcome", "settlement"}] * 3
    assert all(sum(line["settlement"]["totals"]) == 0 for line in told)
    assert lines(simulate(run)) == told


def test_simulate_plays_under_the_options_given(run: Run) -> None:
    told = lines(simulate(run, "--options", '{"players": 2}'))
    assert all(
        line["outcome"]["options"] == {**ruleset(KEY, {}).written_options, "players": 2}
        for line in told
    )


def test_simulated_hands_settle_to_the_same(run: Run) -> None:
    told = lines(simulate(run))
    outcomes = "\n".join(json.dumps(line["outcome"]) for line in told)
    assert lines(run("settle", "-", stdin=outcomes)) == [line["settlement"] for line in told]


def test_simulated_records_replay_to_the_same(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(simulate(run, "--records", "--with-legal", hands=10).stdout)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    hands = [hand for record in records for hand in record["hands"]]
    assert [len(record["hands"]) for record in records] == [8, 2]
    result = run("replay", file)
    assert result.exit_code == 0
    assert [(one["outcome"], one["totals"]) for one in lines(result)] == [
        (hand["outcome"], hand["totals"]) for hand in hands
    ]
    refs = [record["ref"] for record in records]
    assert [(one["ref"], one["hand"]) for one in lines(result)] == [
        *((refs[0], number) for number in range(1, 9)),
        *((refs[1], number) for number in range(1, 3)),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ruleset", "huaihua/9"), "no ruleset huaihua/9"),
        (("--options", '{"palyers":2}'), "no option palyers"),
        (("--options", "[2]"), "no JSON object"),
        (("--hands", "0"), "0 is not in the range"),
        (("--with-legal",), "--records"),
    ],
)
def test_simulate_refuses_in_a_sentence(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in refused(simulate(run, *words))


@pytest.mark.parametrize("region", ["haozi", "huaihua", "zhuoji"])
def test_settle_gives_the_totals_of_the_vectors(run: Run, tmp_path: Path, region: str) -> None:
    vectors = json.loads((VECTORS.parent / f"{region}.json").read_text(encoding="utf-8"))
    file = tmp_path / "outcomes.jsonl"
    file.write_text("".join(json.dumps(vector["outcome"]) + "\n" for vector in vectors))
    result = run("settle", file)
    assert result.exit_code == 0
    assert [
        (vector["id"], answer.get("totals"))
        for vector, answer in zip(vectors, lines(result), strict=True)
    ] == [(vector["id"], vector.get("totals")) for vector in vectors]


def test_settle_reads_one_outcome_over_many_lines(run: Run, tmp_path: Path) -> None:
    vector = json.loads(VECTORS.read_text(encoding="utf-8"))[0]
    file = tmp_path / "outcome.json"
    file.write_text(json.dumps(vector["outcome"], indent=2))
    assert [line["totals"] for line in lines(run("settle", file))] == [vector["totals"]]


def test_settle_answers_each_line_in_its_place(run: Run) -> None:
    answers = lines(run("settle", "-", stdin='no json\n\n[]\n{"ruleset":"huaihua/1"}\n'))
    codes = [answer["error"]["code"] for answer in answers]
    assert codes == ["json_malformed", "outcome_malformed", "outcome_malformed"]
    assert all(set(answer["error"]) == {"code", "detail"} for answer in answers)


def test_replay_names_the_lie_and_ends_with_1(run: Run, tmp_path: Path) -> None:
    (record,) = lines(simulate(run, "--records"))
    record["hands"][1]["actions"][0]["action"] = "bet"
    record["hands"][2]["totals"][0] += 1
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(record) + "\nno json\n" + json.dumps({"ref": "x"}))
    result = run("replay", file)
    first, second, third, fourth, fifth = lines(result)
    assert result.exit_code == 1
    assert "error" not in first
    assert (second["error"]["code"], second["error"]["action"]) == ("not_with_this_action", 0)
    assert (third["error"]["code"], third["error"]["action"]) == ("record_differs", None)
    assert "/totals" in third["error"]["detail"]
    assert (fourth["ref"], fourth["error"]["code"]) == (None, "json_malformed")
    assert (fifth["ref"], fifth["hand"], fifth["error"]["code"]) == ("x", None, "record_malformed")


def test_a_file_that_is_not_there(run: Run) -> None:
    assert "does not exist" in refused(run("settle", "nowhere.json"))
    assert "table" in refused(run("replay", "nowhere.jsonl"))


def test_a_reader_who_leaves_is_no_error() -> None:
    words = [sys.executable, "wsgi.py", "simulate", "--ruleset", KEY, "--hands", "100000"]
    with subprocess.Popen(
        [*words, "--seed", "1"],
        cwd=TREE,
        env={**os.environ, "PYTHONPATH": str(TREE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as simulating:
        assert simulating.stdout is not None
        assert simulating.stderr is not None
        assert json.loads(simulating.stdout.readline())
        simulating.stdout.close()
        assert simulating.stderr.read() == b""


# --- a table, step by step ----------------------------------------------------------------------


@pytest.fixture
def table(run: Run, house: wsgi.House) -> str:
    """A table of the demo club at which two hands were played."""
    (demo,) = lines(run("demo", "--hands", 2, "--members", 4, "--json"))
    with house.database.read() as connection:
        log = store.read_log(connection, demo["club"], 0, 100)
    return next(row.stream for row in log if row.type == "TableOpened/1").removeprefix("table/")


def test_a_hand_is_told_from_the_deal_to_the_payments(run: Run, table: str) -> None:
    title, *told = run("replay", table, 1).stdout.splitlines()
    assert title.startswith(f"Hand 1 of table {table}: huaihua/1, ")
    steps = [line for line in told if "left" in line]
    assert [int(line.split()[0]) for line in steps] == list(range(2, len(steps) + 2))
    assert steps[0].endswith("The tiles are dealt.")
    dealt = told.index(steps[0]) + 1
    hands = [line.split("  ")[-1].split() for line in told[dealt : dealt + 4]]
    assert sorted(map(len, hands)) == [13, 13, 13, 14]
    assert "The hand ends" in steps[-1]
    totals = [int(word) for word in told[-1].split() if word[0] in "+-"]
    assert sum(totals) == 0
    assert all("(huaihua/1 C5" in line for line in told if " -> " in line)


def test_all_hands_are_told_in_order(run: Run, table: str) -> None:
    told = run("replay", table).stdout.splitlines()
    assert [line[:6] for line in told if line.startswith("Hand")] == ["Hand 1", "Hand 2"]


def test_a_hand_that_was_not_played(run: Run, table: str) -> None:
    assert refused(run("replay", table, 3))


def test_every_tile_has_its_own_sign() -> None:
    shown = "".join(map(tile_sign, parse_tiles("19m19p19s1234567z")))
    assert shown == "🀇🀏🀙🀡🀐🀘🀀🀁🀂🀃🀄\ufe0e🀅🀆"
    assert tile_sign(UNKNOWN) == "🀫"


# --- verify -------------------------------------------------------------------------------------


def test_verify_ends_with_1_at_the_first_bad_event(run: Run, house: wsgi.House) -> None:
    (club,) = lines(run("club", "found", "Jade", "--json"))
    sound = run("verify", club["club"])
    assert (sound.exit_code, sound.stdout.split()[0]) == (0, "2")
    with house.database.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_update")
        connection.exec_driver_sql("UPDATE events SET actor = 'me' WHERE position = 2")
    changed = run("verify", club["club"])
    assert changed.exit_code == 1
    assert changed.stdout.startswith("The event at position 2 (club, version 2) was changed")
    (report,) = lines(run("verify", club["club"], "--json"))
    assert report["fault"]["position"] == 2


# --- the commands themselves --------------------------------------------------------------------


def test_every_fault_of_an_audit_has_words() -> None:
    assert set(verdicts.FAULTS) == set(get_args(Why))


@pytest.mark.parametrize("words", [(), ("simulate",), ("club", "found"), ("replay",)])
def test_every_command_explains_itself(run: Run, words: tuple[str, ...]) -> None:
    assert "Usage:" in run(*words, "--help").stdout


def test_words_that_are_not_text_are_refused_in_a_sentence() -> None:
    """Given an argument that is not UTF-8, then the command says so and shows no traceback."""
    done = subprocess.run(
        [sys.executable, str(TREE / "wsgi.py"), "verify", b"\xff"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
