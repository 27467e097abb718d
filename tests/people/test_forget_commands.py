"""`paizhang person forget` and `paizhang member forget`, as operators and scripts use them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import wsgi
from ledger import access, cli, people, sessions
from ledger.access import Caller
from ledger.acts import Asked
from ledger.cli import people as commands
from ledger.forgetting import Forgotten, pseudonym
from ledger.settings import load

Run = Callable[..., Result]
PASSWORD = "nine green bamboos"


@pytest.fixture
def house(sqlite_url: str, tmp_path: Path) -> Iterator[wsgi.House]:
    house = wsgi.House(load({"PAIZHANG_DATABASE_URL": sqlite_url, "PAIZHANG_DATA": str(tmp_path)}))
    yield house
    house.close()


@pytest.fixture
def run(house: wsgi.House) -> Run:
    """Run a command, with what is answered to its question."""

    def run(*words: str, answer: str = "") -> Result:
        return CliRunner().invoke(cli.commands, words, input=answer, obj=house)

    return run


@pytest.fixture
def club(run: Run) -> str:
    founded = json.loads(run("club", "found", "Jade", "--json").stdout)
    return str(founded["club"])


@pytest.fixture
def ann(run: Run, house: wsgi.House, club: str) -> str:
    """Ann, the only owner of a club, who signs in as `ann`."""
    words = ("--role", "owner", "--label", "Ann, founder")
    invited = json.loads(run("person", "invite", club, *words, "--json").stdout)
    nobody = Caller("", None, (), origin=access.Origin("req_1", "192.0.2.7", "phone 3"))
    entry = sessions.enter_by_link(
        house.ledger(), nobody, Asked("first"), invited["link"], "Ann Lee"
    )
    who = Caller(entry.session.person, None, (), session=entry.session.session)
    sessions.set_password(house.ledger(), who, "ann", PASSWORD)
    return entry.session.person


def name_of(house: wsgi.House, person: str) -> str:
    with house.database.read() as connection:
        return people.find_names(connection, [person])[person]


def refused(result: Result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.splitlines()[-1].removeprefix("Error: ")


def test_a_dry_run_shows_what_would_go_and_changes_nothing(
    run: Run, house: wsgi.House, club: str, ann: str
) -> None:
    shown = run("person", "forget", "ann", "--dry-run")
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "session     everywhere                 invitation, 192.0.2.7, phone 3",
        "name        everywhere                 Ann Lee",
        "login       everywhere                 ann",
        "password    everywhere                 its hash",
        f"role        {club}  owner",
        f"label       {club}  Ann, founder",
        f"origin      {club}  address and device of 1 of his acts",
    ]
    assert name_of(house, ann) == "Ann Lee"


def test_a_dry_run_tells_machines_the_same(run: Run, club: str, ann: str) -> None:
    told = json.loads(run("person", "forget", "ann", "--dry-run", "--json").stdout)
    assert told["id"] == ann
    assert {"what": "label", "club": club, "told": "Ann, founder"} in told["gone"]
    assert told["ownerless"] == [club]


def test_nobody_is_forgotten_without_a_yes(run: Run, house: wsgi.House, ann: str) -> None:
    """The question comes after what would go; no answer is no."""
    for answer in ("n\n", ""):
        asked = run("person", "forget", "ann", answer=answer)
        assert refused(asked) == "Nothing was changed. Where nobody can answer, say --yes."
        assert "Ann, founder" in asked.stderr
        assert f"Forget {ann} for ever?" in asked.stderr
    assert name_of(house, ann) == "Ann Lee"


def test_what_was_done_is_told_without_what_is_gone(
    run: Run, house: wsgi.House, club: str, ann: str
) -> None:
    """What is told may stand in a log; it names the club without an owner, and the exception."""
    done = run("person", "forget", "ann", answer="y\n")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"{ann} is forgotten, and called {pseudonym(ann)} from now on.",
        "Gone: session 1, name 1, login 1, password 1, role 1, label 1, origin 1.",
        f"{club} has no owner any more: `paizhang person invite {club} --role owner`.",
        "Backups made before keep the name until they are deleted.",
    ]
    assert name_of(house, ann) == pseudonym(ann)


def test_a_script_asks_nothing_and_may_ask_again(run: Run, club: str, ann: str) -> None:
    first = json.loads(run("person", "forget", "ann", "--yes", "--json").stdout)
    assert first == {
        "id": ann,
        "name": pseudonym(ann),
        "gone": {
            **{"session": 1, "name": 1, "login": 1, "password": 1},
            **{"role": 1, "label": 1, "origin": 1},
        },
        "ownerless": [club],
        "namesakes": [],
        "wiped": True,
    }
    again = run("person", "forget", ann, "--yes")
    assert again.stdout.splitlines()[1] == "Nothing was left to forget."
    shown = run("person", "forget", ann, "--dry-run")
    assert shown.stdout.splitlines() == [f"Of {ann} nothing is left to forget."]


def test_who_is_unknown_is_refused_in_a_sentence(run: Run) -> None:
    said = refused(run("person", "forget", "nobody", "--yes"))
    assert said.startswith("There is nobody with the id or login nobody. It was looked for in ")


def test_the_operator_makes_no_link_for_who_was_forgotten(run: Run, ann: str) -> None:
    run("person", "forget", "ann", "--yes")
    assert refused(run("person", "link", ann)) == (
        "This person was forgotten; who comes back is invited anew."
    )


def test_a_member_of_the_same_name_is_named(
    run: Run, house: wsgi.House, club: str, ann: str
) -> None:
    """And forgotten by a command of its own, with all that it says."""
    from ledger.acts import Desk, join_member

    desk = Desk(house.ledger(), access.operator(), club)
    member = join_member(desk, "Ann Lee").stream.removeprefix("member/")
    hint = (
        "M-0001 has the same name and no account; if that is the same person: "
        f"`paizhang member forget {club} M-0001`."
    )
    assert hint in run("person", "forget", ann, "--dry-run").stdout.splitlines()
    assert hint in run("person", "forget", ann, "--yes").stdout.splitlines()
    shown = run("member", "forget", club, "M-0001", "--dry-run")
    assert shown.stdout.splitlines() == [f"member      {club}  M-0001 Ann Lee"]
    done = run("member", "forget", club, "M-0001", "--yes")
    assert done.stdout.splitlines() == [
        f"{member} is forgotten, and called {pseudonym(member)} from now on.",
        "Gone: member 1.",
        "Backups made before keep the name until they are deleted.",
    ]


def test_a_member_with_an_account_is_not_forgotten_alone(
    run: Run, house: wsgi.House, club: str
) -> None:
    from ledger.acts import Desk, join_member

    join_member(Desk(house.ledger(), access.operator(), club), "Qian")
    words = ("--role", "member", "--member", "M-0001", "--label", "Qian", "--json")
    link = json.loads(run("person", "invite", club, *words).stdout)["link"]
    entry = sessions.enter_by_link(house.ledger(), Caller("", None, ()), Asked("in"), link)
    assert refused(run("member", "forget", club, "M-0001", "--yes")) == (
        f"M-0001 is or was {entry.session.person}, who has an account; forget the person."
    )


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "sqlite:////nowhere/paizhang.db",
            "The file could not be cleaned while others used it; this does it: "
            "`paizhang person forget per_1 --yes`.",
        ),
        (
            "postgresql://db.test/ledger",
            "PostgreSQL overwrites what was deleted some time after its next VACUUM.",
        ),
    ],
)
def test_bytes_that_linger_are_told_of(
    capsys: pytest.CaptureFixture[str], url: str, said: str
) -> None:
    house = wsgi.House(load({"PAIZHANG_DATABASE_URL": url, "PAIZHANG_DATA": "/nowhere"}))
    told = Forgotten("per_1", pseudonym("per_1"), (), wiped=False)
    commands._tell(told, house, "person forget", machine=False)
    assert capsys.readouterr().out.splitlines()[2] == said


@contextmanager
def looked_at(house: wsgi.House) -> Iterator[None]:
    """Somebody else reads in the file, and sees it as it was, while the house writes."""
    file = house.database.writer.url.database or ""
    with closing(sqlite3.connect(file)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM people").fetchall()
        yield


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a file that is locked."""
    monkeypatch.setattr("ledger.database.WAIT_SECONDS", 0)


def test_a_file_that_could_not_be_cleaned_is_cleaned_by_the_command_that_is_told(
    impatient: None, run: Run, house: wsgi.House, ann: str
) -> None:
    """The login is gone with the rest, so it names the person by her id; it ends with 1."""
    with looked_at(house):
        first = run("person", "forget", "ann", "--yes")
    again = f"paizhang person forget {ann} --yes"
    told = f"The file could not be cleaned while others used it; this does it: `{again}`."
    assert first.exit_code == 1
    assert told in first.stdout.splitlines()

    second = run(*again.split()[1:])

    assert second.exit_code == 0
    assert "cleaned" not in second.stdout


def test_a_member_is_cleaned_by_id_as_well(
    impatient: None, run: Run, house: wsgi.House, club: str
) -> None:
    """With the club; machines are told by `wiped`, and by the end with 1."""
    from ledger.acts import Desk, join_member

    desk = Desk(house.ledger(), access.operator(), club)
    member = join_member(desk, "Qian").stream.removeprefix("member/")
    with looked_at(house):
        first = run("member", "forget", club, "M-0001", "--yes", "--json")
        by_code = run("member", "forget", club, "M-0001", "--yes")
    assert (first.exit_code, json.loads(first.stdout)["wiped"]) == (1, False)
    assert f"`paizhang member forget {club} {member} --yes`." in by_code.stdout
    assert run("member", "forget", club, member, "--yes").exit_code == 0
