"""The list of keys that have signed: shown with who vouches, followed by who has an old one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.refusal import Refused
from ledger.signing import PublicKey, line_of, listed, read_line
from tests.lies.conftest import Run, running
from tests.lies.forging import House

ROTATED = re.compile(r"# ([0-9a-f]{8}), since [0-9TZ:-]{20}: (.*)")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A house with a club of one hand, under a checkpoint."""
    (tmp_path / "data").mkdir()
    made = House(tmp_path / "data")
    yield made
    made.database.close()


@pytest.fixture
def run(own: House) -> Iterator[Run]:
    with running(own.folder) as run:
        yield run


def vouched(run: Run) -> list[tuple[str, str]]:
    """What is said of each key of the list."""
    return ROTATED.findall(run("signing-key").stdout)


# --- the list -----------------------------------------------------------------------------------


def test_a_key_stands_with_the_signature_of_the_one_before(own: House, run: Run) -> None:
    own.found()
    first = own.key()
    assert run("signing-key", "rotate", "--yes").exit_code == 0
    second = own.key()
    assert vouched(run) == [
        (first.id, "the first"),
        (second.id, f"signed by the one before, {first.id}"),
    ]
    _, plain, _, linked = run("signing-key").stdout.splitlines()
    assert plain == first.text
    assert linked.startswith(f"{second.text} by {first.id} ")
    key, signature = read_line(linked)
    assert key == second
    assert signature is not None
    assert first.signed(second.text.encode(), signature)


def test_a_key_after_a_loss_is_told_as_that(own: House, run: Run) -> None:
    own.found()
    first = own.key()
    own.key_file.unlink()
    assert run("signing-key", "begin", "--yes").exit_code == 0
    second = own.key()
    assert vouched(run)[1] == (
        second.id,
        f"NOT signed by the one before, {first.id}: that was lost",
    )
    assert run("signing-key").stdout.splitlines()[3] == second.text


def test_a_line_there_and_back(own: House, run: Run) -> None:
    own.found()
    run("signing-key", "rotate", "--yes")
    with own.database.read() as connection:
        keys = listed(connection)
    assert [read_line(line_of(one)) for one in keys] == [(one.key, one.signature) for one in keys]


@pytest.mark.parametrize(
    "more",
    [" by", " by 00000000", " by 00000000 AA==", " of 00000000 " + "A" * 86 + "==", " x y z w"],
)
def test_what_is_no_line_of_a_list(more: str) -> None:
    """A signature has 64 bytes, and stands after the key that made it."""
    with pytest.raises(Refused, match="key_text_malformed"):
        read_line(PublicKey(bytes(32)).text + more)


# --- following it -------------------------------------------------------------------------------


@pytest.fixture
def later(own: House, run: Run, tmp_path: Path) -> Path:
    """A folder with the key of the first day, today's list, and a checkpoint by today's key."""
    club = own.found()
    (tmp_path / "old.txt").write_text(run("signing-key").stdout, encoding="utf-8")
    run("signing-key", "rotate", "--yes")
    own.grow(club)
    run("checkpoint", club, "--output", tmp_path / "note.txt")
    (tmp_path / "new.txt").write_text(run("signing-key").stdout, encoding="utf-8")
    return tmp_path


def test_an_old_key_and_todays_list_suffice(later: Path, run: Run, own: House) -> None:
    """The old key alone does not; what to do is said, with the key that signed."""
    words = ("verify", later / "note.txt", "--key", later / "old.txt")
    alone = run(*words)
    assert alone.exit_code == 1
    assert f"it names key {own.key().id}, and trusted are " in alone.stdout
    assert alone.stdout.endswith("get the club's list of keys and give it with --follow.\n")
    assert run(*words, "--follow", later / "new.txt").exit_code == 0


def test_an_answer_of_the_api_is_a_list_too(later: Path, run: Run, own: House) -> None:
    with own.database.read() as connection:
        keys = listed(connection)
    told = [
        {
            "object": "signing_key",
            "text": one.key.text,
            "signature": one.signature and one.signature.hex(),
        }
        for one in keys
    ]
    answer = json.dumps({"object": "list", "data": told})
    (later / "new.json").write_text(answer, encoding="utf-8")
    words = ("verify", later / "note.txt", "--key", later / "old.txt")
    assert run(*words, "--follow", later / "new.json").exit_code == 0
    assert run("verify", later / "note.txt", "--key", later / "new.json").exit_code == 0
    (later / "new.json").write_text(answer.replace(keys[0].key.text[9:], "x"), encoding="utf-8")
    assert (
        "is a key in which a letter was changed"
        in run(*words, "--follow", later / "new.json").stderr
    )


def test_a_list_that_somebody_else_made_is_not_followed(
    later: Path, run: Run, tmp_path: Path
) -> None:
    """Nothing in it is trusted by itself: its keys do not follow from the old one."""
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other")
    club = other.found()
    note = other.checkpoint(club).note
    (later / "false.txt").write_text(note, encoding="utf-8")
    with running(other.folder) as forged:
        forged("signing-key", "rotate", "--yes")
        (later / "false_list.txt").write_text(forged("signing-key").stdout, encoding="utf-8")
    other.database.close()
    words = ("verify", later / "false.txt", "--key", later / "old.txt")
    assert run(*words, "--follow", later / "false_list.txt").exit_code == 1


def test_a_list_is_followed_from_a_key(later: Path, run: Run) -> None:
    answer = run("verify", later / "note.txt", "--follow", later / "new.txt")
    assert answer.exit_code == 2
    assert "A list is followed from a key that you trust: name it with --key." in answer.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("# none\n\n", "there is no public key; one is told as paizhang+<id>+<base64>."),
        (
            "# one\npaizhang+939fd7b9+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB\n",
            "is a key in which a letter was changed or lost; get it again.",
        ),
        ("our key\n", "is no public key, which is told as paizhang+<id>+<base64>."),
    ],
)
def test_a_file_of_keys_that_are_none(later: Path, run: Run, content: str, said: str) -> None:
    """With the line that is wrong."""
    (later / "bad.txt").write_text(content, encoding="utf-8")
    answer = run("verify", later / "note.txt", "--key", later / "bad.txt")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith(f"{said}\n")
    assert f"{later}/bad.txt" in answer.stderr


# --- changing it --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["rotate", "begin"])
def test_nothing_is_changed_where_nobody_agrees(own: House, run: Run, command: str) -> None:
    """It asks first, and says what it means; where nobody answers, it is not done."""
    own.found()
    before = own.key()
    answer = run("signing-key", command)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith(
        "Error: Nothing was changed. Where nobody can answer, say --yes.\n"
    )
    asked = {
        "rotate": f"The key so far, {before.id}, signs nothing any more; it vouches for the new "
        f"one. Copies of {own.key_file} are stale then, and so are printed public keys. Go on?",
        "begin": "The key so far signs nothing any more, and nobody vouches for the new one. Go "
        "on?",
    }
    assert answer.stderr.startswith(asked[command])
    assert own.key() == before


def test_a_change_says_what_is_to_be_done(own: House, run: Run) -> None:
    own.found()
    answer = run("signing-key", "rotate", "--yes")
    assert answer.stdout.splitlines() == [
        f"key {own.key().text}",
        f"Copy {own.key_file} again to where you keep it, and to every machine that signs: the "
        "copies from before are stale.",
        "Hand out the new list: `paizhang signing-key > key.txt`. Who has an old one follows with "
        "`--key OLD --follow key.txt`.",
    ]
    machine = run("signing-key", "rotate", "--yes", "--json")
    assert json.loads(machine.stdout) == {"key": own.key().text}
