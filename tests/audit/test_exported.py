"""What is found in an exported log: from the file alone, and what not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from ledger import telling
from ledger.access import Caller
from ledger.audit.exported import Verdict, check
from ledger.checkpoints import Checkpoint
from ledger.sight import log_told
from tests.audit.lines import OTHER, Lines, Shared, encode, masked, told
from tests.lies.forging import hashed_again, public


def found(file: Path, lines: Lines, club: str, *against: Checkpoint) -> Verdict:
    """What is found in a file of these lines."""
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return check(file, [club], against)


def fault(verdict: Verdict) -> tuple[int, str, int | None] | None:
    """Where the first fault is, what it is, and on which line."""
    one = verdict.fault
    return None if one is None else (one.position, one.why, verdict.line)


# --- a sound file -------------------------------------------------------------------------------


def test_every_order_is_decided_again_from_the_file_alone(shared: Shared, file: Path) -> None:
    """Given the whole log, then it is found as sound as the database's, up to the same hash."""
    verdict = found(file, shared.lines, shared.club, shared.sealed)
    report = shared.house.verify(shared.club)
    assert verdict == Verdict(
        club=shared.club,
        events=shared.end,
        hash=report.hash,
        hidden=0,
        running=0,
        hands=2,
        unsettled=0,
        decided=shared.end,
        agree=1,
        sealed=shared.end,
    )
    assert (report.events, report.hands) == (verdict.events, verdict.hands)


def test_blank_lines_are_heartbeats_and_ends_may_be_those_of_windows(
    shared: Shared, file: Path
) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + b"\r\n\r\n".join(shared.lines))
    assert check(file, [shared.club]).fault is None


def test_a_file_may_end_in_the_middle_of_an_order(shared: Shared, file: Path) -> None:
    """Of an end that follows, nobody can say from the file that it is missing."""
    for end in range(shared.position("HandStarted/2"), shared.position("HandStarted/2") + 6):
        verdict = found(file, shared.lines[:end], shared.club)
        assert (verdict.fault, verdict.events) == (None, end)


def test_progress_is_told_in_bytes(shared: Shared, file: Path) -> None:
    file.write_bytes(b"\n" * 1000 + b"\n".join(shared.lines))
    seen: list[tuple[int, int]] = []
    check(file, [shared.club], progress=lambda done, of: seen.append((done, of)))
    size = file.stat().st_size
    assert seen[:2] == [(500, size), (1000, size)]
    assert seen[-1] == (size, size)


# --- what is not so -----------------------------------------------------------------------------


@pytest.mark.lie("a changed byte in an exported log")
@pytest.mark.parametrize("kind", ["ClubFounded/1", "HandStarted/2", "Drawn/1", "HandSettled/1"])
def test_a_changed_byte(shared: Shared, file: Path, kind: str) -> None:
    """A line that says something else than what was hashed is named, whatever its kind."""
    position = shared.position(kind)
    lines = list(shared.lines)
    actor = shared.rows[position - 1].actor.encode()
    lines[position - 1] = lines[position - 1].replace(actor, actor[:-1] + b"_")
    assert fault(found(file, lines, shared.club)) == (position, "leaf", position)


@pytest.mark.lie("a changed private part in an exported log")
def test_a_changed_private_part(shared: Shared, file: Path) -> None:
    """Its digest no longer follows from the secret of its hand."""
    position = shared.position("Dealt/1")
    row = shared.rows[position - 1]
    tiles = json.loads(row.slots[0])["tiles"]
    swapped = tiles.replace("m", "p", 1)
    lines = list(shared.lines)
    lines[position - 1] = lines[position - 1].replace(tiles.encode(), swapped.encode())
    assert fault(found(file, lines, shared.club)) == (position, "slot", position)


@pytest.mark.lie("a line left out of an exported log")
def test_a_line_left_out(shared: Shared, file: Path) -> None:
    for gone in (1, 40, 98):
        lines = [*shared.lines[: gone - 1], *shared.lines[gone:]]
        assert fault(found(file, lines, shared.club)) == (gone, "position", gone)


@pytest.mark.lie("two lines of an exported log swapped")
def test_two_lines_swapped(shared: Shared, file: Path) -> None:
    lines = list(shared.lines)
    lines[59], lines[60] = lines[60], lines[59]
    assert fault(found(file, lines, shared.club)) == (60, "position", 60)


@pytest.mark.lie("the end of an exported log cut off")
def test_an_end_that_is_cut_off(shared: Shared, file: Path) -> None:
    """Given a kept checkpoint, then what it holds and the file does not is missing."""
    verdict = found(file, shared.lines[:-1], shared.club, shared.sealed)
    assert fault(verdict) == (shared.end, "cut", None)
    assert (verdict.agree, verdict.sealed) == (0, 0)


@pytest.mark.lie("a line of another club in an exported log")
def test_a_line_of_another_club(shared: Shared, file: Path) -> None:
    """Given an event that is the same but for the club in which it was recorded."""
    lines = list(shared.lines)
    other = hashed_again([replace(row, club=OTHER) for row in shared.rows])
    lines[69] = told(other)[69]
    assert fault(found(file, lines, shared.club)) == (70, "leaf", 70)


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda line: line[:-1],
    "more": lambda line: line + b"}",
    "indented": lambda line: b" " + line,
    "spaced": lambda line: line.replace(b'":', b'": ', 1),
    "twice": lambda line: line.replace(b'"event","id"', b'"event","object":"event","id"'),
    "another key": lambda line: line.replace(b'"role"', b'"rule"'),
    "another id": lambda line: line.replace(b'"evt_', b'"evt_0'),
    "another moment": lambda line: line.replace(b'occurred_at":"2', b'occurred_at":"1'),
    "no moment": lambda line: line.replace(b'recorded_at":"2', b'recorded_at":"x'),
    "another audience": lambda line: line.replace(b'"seat 1"', b'"seat 2"'),
    "an unknown type": lambda line: line.replace(b'"type":"', b'"type":"Un'),
    "nested": lambda line: b"[" * 100_000,
    "too long": lambda line: b'"' + b"x" * (1 << 25) + b'"',
    "no text": lambda line: b"\xff" + line,
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
@pytest.mark.lie("a line of an exported log that is no event, or written in another way")
def test_a_malformed_line(shared: Shared, file: Path, spoil: Callable[[bytes], bytes]) -> None:
    """There is one way to write an event; a key that stands twice is read by each as he likes."""
    lines = list(shared.lines)
    lines[79] = spoil(lines[79])
    assert fault(found(file, lines, shared.club)) == (80, "malformed", 80)


def test_an_empty_file_has_not_even_a_founding(shared: Shared, file: Path) -> None:
    assert fault(found(file, [], shared.club)) == (1, "position", None)


def test_the_line_is_counted_with_the_blank_ones(shared: Shared, file: Path) -> None:
    lines = [b"", *shared.lines]
    lines[50] = b"{}"
    assert fault(found(file, lines, shared.club)) == (50, "malformed", 51)


@pytest.mark.lie("an exported log hashed again, with a settlement that the rules do not give")
def test_a_log_that_is_hashed_again_is_decided_again(shared: Shared, file: Path) -> None:
    """Who writes all hashes anew still has to play by the rules."""
    position = shared.position("HandSettled/1")
    row = shared.rows[position - 1]
    totals = [
        one + step
        for one, step in zip(json.loads(row.public)["totals"], (1, -1, 0, 0), strict=True)
    ]
    rows = list(shared.rows)
    rows[position - 1] = public(row, totals=totals)
    lines = told(hashed_again(rows))
    assert fault(found(file, lines, shared.club)) == (position, "settlement", position)


@pytest.mark.lie("an exported log hashed again, in which a discard is another")
def test_an_order_before_the_last_line_is_decided_too(shared: Shared, file: Path) -> None:
    """Given a fault in the chain just behind, then the order that stands before it comes first."""
    position = shared.position("Discarded/1")
    rows = list(shared.rows[:position])
    rows[-1] = public(rows[-1], seat=3)
    lines = [*told(hashed_again(rows)), b"{}"]
    assert fault(found(file, lines, shared.club)) == (position, "refused", position)


def test_a_founding_that_cannot_be_read(shared: Shared, file: Path) -> None:
    """Whatever a line says, the check ends with a fault."""
    rows = [public(shared.rows[0], zone="Nowhere/Atall")]
    assert fault(found(file, told(hashed_again(rows)), shared.club)) == (1, "unreadable", 1)


@pytest.mark.lie("an exported log that is sound, and another than the one under a checkpoint")
def test_a_checkpoint_that_says_something_else(shared: Shared, file: Path) -> None:
    rows = list(shared.rows)
    rows[-1] = replace(rows[-1], recorded_at=rows[-1].recorded_at + 1)
    verdict = found(file, told(hashed_again(rows)), shared.club, shared.sealed)
    assert fault(verdict) == (shared.end, "root", shared.end)


# --- what is not shown --------------------------------------------------------------------------


def test_the_tiles_of_a_hand_that_runs_are_not_asked_for(shared: Shared, file: Path) -> None:
    """Given a log up to the middle of a hand, then everything beside it is checked."""
    start = shared.position("HandStarted/2")
    verdict = found(file, masked(shared.rows[: start + 20], start), shared.club)
    assert (verdict.fault, verdict.running, verdict.decided) == (None, 1, start + 20)


def test_public_parts_of_a_hand_that_runs_are_held_to_their_form(
    shared: Shared, file: Path
) -> None:
    start, position = shared.position("HandStarted/2"), shared.position("Discarded/1")
    rows = list(shared.rows[:position])
    rows[-1] = replace(rows[-1], public=rows[-1].public.replace(b'"seat":', b'"seat": '))
    lines = masked(hashed_again(rows), start)
    assert fault(found(file, lines, shared.club)) == (position, "malformed", position)


def test_nothing_is_decided_after_a_hand_that_ended_unseen(shared: Shared, file: Path) -> None:
    """Given lines that were followed while the hand ran, then its settlement cannot be checked.

    The chain is, to the last line.
    """
    start, ended = shared.position("HandStarted/2"), shared.position("HandEnded/1")
    lines = masked(shared.rows, start)
    lines[ended:] = shared.lines[ended:]
    verdict = found(file, lines, shared.club)
    assert (verdict.fault, verdict.events, verdict.hands) == (None, shared.end, 0)
    assert (verdict.decided, verdict.running) == (ended - 1, 0)
    lines[-1] = lines[-1].replace(b'"worker"', b'"wonker"')
    assert fault(found(file, lines, shared.club)) == (shared.end, "leaf", shared.end)


def read_by(shared: Shared, caller: Caller) -> Lines:
    """The log as a caller of the club reads it."""
    with shared.house.database.read() as connection:
        return list(map(encode, log_told(connection, caller, shared.club, 0, 10_000)))


def test_of_hidden_events_the_chain_alone_is_checked(shared: Shared, file: Path) -> None:
    """Given the log as one of its members reads it, then he can tell that nothing was moved."""
    member = json.loads(shared.rows[shared.position("TableOpened/1") - 1].public)["seats"][0]
    lines = read_by(shared, Caller("key_m", shared.club, ("member",), member))
    hidden = [place for place, line in enumerate(lines, 1) if b'"type":' not in line]
    verdict = found(file, lines, shared.club, shared.sealed)
    assert (verdict.fault, verdict.hidden, verdict.agree) == (None, len(hidden), 1)
    assert verdict.decided == hidden[0] - 1
    first = hidden[0]
    swapped = list(lines)
    swapped[first - 1], swapped[first] = lines[first], lines[first - 1]
    assert fault(found(file, swapped, shared.club)) == (first, "position", first)


@pytest.mark.lie("a hidden event of an exported log changed")
def test_a_hidden_event_of_another_log(shared: Shared, file: Path) -> None:
    lines = read_by(shared, Caller("key_x", shared.club, ("recorder",)))
    place = next(place for place, line in enumerate(lines, 1) if b'"type":' not in line)
    link = json.loads(lines[place - 1])
    link["leaf"] = "00" * 32
    lines[place - 1] = encode(link)
    assert fault(found(file, lines, shared.club)) == (place, "chain", place)


def test_a_stream_does_not_go_back_behind_what_is_hidden(shared: Shared, file: Path) -> None:
    """Given a version that was there already, then it does not follow whatever lies between."""
    rows = list(shared.rows[:4])
    rows[3] = replace(rows[0], position=4)
    again = hashed_again(rows)
    lines = told(again)
    lines[1] = encode(telling.link_told(again[1]))
    assert fault(found(file, lines, shared.club)) == (4, "version", 4)


# --- of which club ------------------------------------------------------------------------------


def test_of_several_clubs_it_is_that_of_its_first_event(shared: Shared, file: Path) -> None:
    file.write_bytes(b"\n".join(shared.lines))
    assert check(file, [OTHER, shared.club], [shared.sealed]).club == shared.club


def test_a_file_of_none_of_them_is_changed_from_its_first_event_on(
    shared: Shared, file: Path
) -> None:
    for first in (shared.lines[0], b"{}"):
        verdict = found(file, [first], OTHER, shared.sealed)
        assert (verdict.club, verdict.events, verdict.line) == (OTHER, 0, 1)
