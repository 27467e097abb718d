"""The one door: given a log, when an order comes, then it happens once or is refused whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Thread

import pytest
from msgspec import structs

from ledger import acts, dealing
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.codec import unseal
from ledger.events import HandEnded, MemberJoined
from ledger.orders import Order
from ledger.perform import Done, perform
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.streams.club import IssueKey
from ledger.streams.table import Act, StartHand
from ledger.tiles import NUMBERS, Tiles, tile_text
from tests.world import KEY, OPTIONS, SECOND, Club, World

WALL: Tiles = tuple(range(27)) * 4
FIRST = Act(Choice(0, "discard", "1m"))


def asked(
    club: Club, key: str | None = None, *, body: int = 0, expected: int | None = None
) -> Desk:
    """The game server's desk, with a command id, a request and the version it has seen."""
    return structs.replace(club.desk, asked=Asked(key, bytes([body] * 32), expected))


def started(club: Club) -> str:
    """A table whose first hand is dealt, the dealer to discard."""
    table = club.open()
    acts.on_table(club.desk, table, (StartHand(WALL, "5e" * 32),))
    return table


def refused(desk: Desk, table: str, *commands: Act, listed: bool = False) -> Refused:
    with pytest.raises(Refused) as refusal:
        acts.on_table(desk, table, commands, listed=listed)
    return refusal.value


def test_an_order_is_written_at_the_end_of_the_log_with_who_gave_it(club: Club) -> None:
    table = started(club)
    done = acts.on_table(club.desk, table, (FIRST,))
    row = club.log()[-1]
    assert (done.last, done.version) == (row.position, row.version)
    assert (row.actor, row.role) == ("key_recorder", "recorder")


def test_a_repeated_order_is_done_once_whatever_has_happened_since(club: Club) -> None:
    """Given a retry with its old version, then it gets the first answer and nothing is written."""
    table = started(club)
    first = acts.on_table(asked(club, "k1", expected=3), table, (FIRST,))
    acts.on_table(club.desk, table, (Act(Choice(1, "discard", "6p")),))
    before = len(club.log())
    again = acts.on_table(asked(club, "k1", expected=3), table, (FIRST,))
    assert again == structs.replace(first, replayed=True)
    assert len(club.log()) == before


def test_a_command_id_is_bound_to_its_request(club: Club) -> None:
    table = started(club)
    acts.on_table(asked(club, "k1"), table, (FIRST,))
    again = refused(asked(club, "k1", body=1), table, FIRST)
    assert again.code == "idempotency_key_reused"


def test_two_callers_may_use_the_same_command_id(club: Club) -> None:
    owner = structs.replace(asked(club, "k1"), caller=club.owner)
    table = acts.open_table(asked(club, "k1"), Opening(KEY, OPTIONS, club.members, 2))
    other = acts.join_member(owner, "Ann")
    assert table.stream != other.stream


def test_a_version_that_is_not_the_tables_is_refused(club: Club) -> None:
    table = started(club)
    stale = refused(asked(club, expected=1), table, FIRST)
    assert (stale.code, stale.params["current_version"]) == ("version_stale", 3)


def test_a_list_happens_whole_or_not_at_all_and_says_where_it_failed(club: Club) -> None:
    table = started(club)
    before = club.log()
    wrong = refused(club.desk, table, FIRST, FIRST, listed=True)
    assert (wrong.code, wrong.pointer) == ("not_your_turn", "/1")
    assert club.log() == before


@pytest.mark.parametrize("trial", [False, True])
def test_in_a_wall_that_the_ledger_shuffled_a_list_ends_at_a_draw(
    club: Club, world: World, trial: bool
) -> None:
    """Whatever seat 1 is said to discard next, drawn or not: no guess is told from another."""
    table = club.open()
    club.start(table)
    first = unclaimed(club, table)
    before = club.log()
    with world.database.rehearse() as rehearsed:
        database = rehearsed if trial else world.database
        desk = structs.replace(club.desk, ledger=replace(world.ledger, database=database))
        guesses = (Act(Choice(1, "discard", tile_text(kind))) for kind in NUMBERS)
        told = [refused(desk, table, first, guess, listed=True) for guess in guesses]
    assert {(one.code, one.pointer, one.rule) for one in told} == {("list_after_draw", "/1", None)}
    assert club.log() == before
    acts.on_table(club.desk, table, (first,), listed=True)
    assert [row.type for row in club.log()[-2:]] == ["Discarded/1", "Drawn/1"]


def unclaimed(club: Club, table: str) -> Act:
    """A discard of the dealer's of which nobody else holds a pair."""
    hand = club.state(table).hand
    assert hand is not None
    own, *others = (seat.hand for seat in hand.seats)
    tile = next(tile for tile in own if all(other.count(tile) < 2 for other in others))
    return Act(Choice(0, "discard", tile_text(tile)))


def test_who_brought_the_wall_may_record_beyond_a_draw(club: Club) -> None:
    """Given a wall of his own, then a list goes on, and a trial of it stops at the draw."""
    table = started(club)
    next_one = Act(Choice(1, "discard", "6p"))
    done = acts.on_table(club.desk, table, (FIRST, next_one), listed=True)
    assert done.last - done.first == 3


def test_what_stands_already_is_not_written_again(club: Club) -> None:
    table = club.open()
    acts.end_table(club.desk, table, dissolve=True, note="rain")
    before = len(club.log())
    done = acts.end_table(club.desk, table, dissolve=True)
    assert (done.first, done.last, done.version) == (0, 0, 2)
    assert len(club.log()) == before


def test_the_end_of_a_hand_leaves_a_job_and_tells_of_it(club: Club, world: World) -> None:
    told: list[tuple[str, frozenset[str], tuple[int, ...]]] = []
    ledger = replace(world.ledger, appended=lambda *what: told.append(what))
    table = started(club)
    acts.end_table(structs.replace(club.desk, ledger=ledger), table, dissolve=True)
    ((name, types, left),) = told
    assert name == club.id
    assert sorted(types) == ["HandEnded/1", "TableClosed/1"]
    assert len(left) == 1


# --- who may ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caller", "code"),
    [
        (Caller("key_other", None, ("recorder",)), "club_unknown"),
        (Caller("key_other", "club_other", ("recorder",)), "club_unknown"),
        (operator(), "role_missing"),
    ],
)
def test_outside_his_club_nobody_plays_the_operator_neither(
    club: Club, caller: Caller, code: str
) -> None:
    table = started(club)
    assert refused(structs.replace(club.desk, caller=caller), table, FIRST).code == code


def test_only_the_recorder_of_a_table_plays_in_it(club: Club) -> None:
    table = started(club)
    told = {
        club.other_recorder: "not_the_recorder",
        club.owner: "role_missing",
        club.member(0): "role_missing",
    }
    for caller, code in told.items():
        desk = structs.replace(club.desk, caller=caller)
        assert refused(desk, table, FIRST).code == code


def test_an_owner_may_dissolve_and_close_but_opens_no_table(club: Club) -> None:
    desk = structs.replace(club.desk, caller=club.owner)
    with pytest.raises(Refused, match="role_missing"):
        acts.open_table(desk, Opening(KEY, OPTIONS, club.members, 2))
    acts.end_table(desk, started(club), dissolve=True)
    acts.end_table(desk, club.open(), dissolve=False)
    assert [row.role for row in club.log() if row.type == "TableClosed/1"] == ["owner", "owner"]


def test_a_table_that_is_not_there_is_played_by_nobody(club: Club) -> None:
    assert refused(club.desk, "tbl_none", FIRST).code == "table_unknown"
    with pytest.raises(Refused, match="table_unknown"):
        dealing.start_hand(club.desk, "tbl_none")


def test_nothing_is_done_in_a_club_that_is_not_there(world: World) -> None:
    desk = Desk(world.ledger, operator(), "club_none")
    with pytest.raises(Refused, match="club_unknown"):
        acts.end_table(desk, "tbl_none", dissolve=True)


# --- races ------------------------------------------------------------------------------------


def test_members_who_join_at_once_get_codes_of_their_own(club: Club) -> None:
    threads = [Thread(target=acts.join_member, args=(club.desk_of_owner, name)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = [row.public.decode() for row in club.log() if row.type == "MemberJoined/1"]
    assert sorted(codes) == [f'{{"code":"M-{number:04}"}}' for number in range(1, 9)]


def test_an_order_that_lost_a_race_is_decided_again(club: Club, world: World) -> None:
    """Given another event between fold and append, then the order is decided on the new state."""
    raced: list[acts.NewKey] = []

    def clock() -> int:
        if not raced:
            raced.append(acts.NewKey("", None))
            raced.append(acts.issue_key(club.desk_of_owner, ("auditor",), "the other"))
        return world.clock()

    order = Order(club.id, "club", (IssueKey("key_mine", ("owner",)),))
    done = perform(replace(world.ledger, clock=clock), club.owner, order)
    issued = [row.position for row in club.log() if row.type == "KeyIssued/1"]
    assert issued == [done.first - 1, done.first]


@pytest.mark.holds("others are faster again and again")
def test_an_order_that_was_overtaken_twice_is_decided_where_nobody_can(
    club: Club, world: World
) -> None:
    """Given a stream that moves at every look before the lock, then it is decided inside it."""
    looks: list[str] = []

    def clock() -> int:
        if len(looks) < 4 and not (len(looks) % 2):
            looks.append("mine")
            other = acts.issue_key(club.desk_of_owner, ("auditor",), "another")
            looks.append(other.key)
        return world.clock()

    order = Order(club.id, "club", (IssueKey("key_mine", ("owner",)),))
    done = perform(replace(world.ledger, clock=clock), club.owner, order)
    issued = [row.position for row in club.log() if row.type == "KeyIssued/1"]
    assert issued == [done.first - 2, done.first - 1, done.first]


@pytest.mark.holds("sixteen take people into one club at once")
def test_sixteen_who_take_members_in_at_once_are_all_served(club: Club) -> None:
    """Nobody is told that it is busy, and every code is had once."""
    desk = club.desk_of_owner
    with ThreadPoolExecutor(16) as pool:
        joined = [pool.submit(acts.join_member, desk, f"N{number}") for number in range(48)]
    facts = [unseal(row.type, row.public).fact for row in club.log()]
    codes = [fact.code for fact in facts if isinstance(fact, MemberJoined)]
    assert len({one.result().stream for one in joined}) == 48
    assert codes == [f"M-{number:04d}" for number in range(1, 53)]


# --- texts and refs ---------------------------------------------------------------------------


def test_a_ref_is_one_matchs_in_the_club(club: Club) -> None:
    opening = Opening(KEY, OPTIONS, club.members, 2, ref="lobby-7/0042", room="大厅")
    first = acts.open_table(club.desk, opening)
    with pytest.raises(Refused) as taken:
        acts.open_table(club.desk, opening)
    assert taken.value.code == "ref_taken"
    assert taken.value.params["table"] == first.stream.removeprefix("table/")


def test_no_text_of_people_stands_in_an_event(club: Club) -> None:
    acts.open_table(club.desk, Opening(KEY, OPTIONS, club.members, 2, ref="lobby-7", room="大厅"))
    club.world.club(members=1)
    written = b"".join(row.public for row in club.log())
    for text in ("lobby-7", "大厅", "Jade", "P0"):
        assert text.encode() not in written


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 65, "\u202eabc", "a\x00"])
def test_a_name_is_printable_and_not_too_long(club: Club, name: str) -> None:
    with pytest.raises(Refused, match="text_form"):
        acts.join_member(club.desk_of_owner, name)


def test_a_club_has_a_zone_that_there_is(world: World) -> None:
    with pytest.raises(Refused, match="zone_unknown"):
        acts.found_club(world.ledger, operator(), Asked(), "Jade", "Asia/Nowhere", 0)


def test_a_key_names_a_member_of_the_club(club: Club) -> None:
    with pytest.raises(Refused, match="member_unknown"):
        acts.issue_key(club.desk_of_owner, ("member",), "mine", "M-0099")
    made = acts.issue_key(club.desk_of_owner, ("member",), "mine", "M-0001")
    assert made.token is not None


# --- time, hints, order of checks -------------------------------------------------------------


def test_a_stranger_to_a_table_is_not_told_its_version(club: Club) -> None:
    """Given a caller who may not play there, then that is said before his stale version is."""
    desk = structs.replace(asked(club, expected=1), caller=club.other_recorder)
    assert refused(desk, started(club), FIRST).code == "not_the_recorder"


def test_a_hint_that_fails_undoes_nothing(club: Club, world: World) -> None:
    def broken(*_: object) -> None:
        raise OSError("no queue")

    desk = structs.replace(club.desk, ledger=replace(world.ledger, appended=broken))
    done = acts.open_table(desk, Opening(KEY, OPTIONS, club.members, 2))
    assert club.log()[-1].position == done.last


@pytest.mark.parametrize("step", [1, -3600 * SECOND])
def test_a_hand_is_booked_on_the_business_day_of_its_record(
    club: Club, world: World, step: int
) -> None:
    """Given a clock that passes the cutoff, or goes back over it, then both tell the same day."""
    club.allow_tables()
    table = started(club)
    cutoff = 1_800_046_800 * SECOND  # 05:00 in Shanghai
    times = iter([cutoff - 1 if step > 0 else cutoff, *(cutoff - 1 + step,) * 9])
    desk = structs.replace(club.desk, ledger=replace(world.ledger, clock=lambda: next(times)))
    acts.open_table(desk, Opening(KEY, OPTIONS, club.members, 2))
    acts.end_table(desk, table, dissolve=True)
    row = next(row for row in club.log() if row.type == "HandEnded/1")
    fact = unseal(row.type, row.public).fact
    assert isinstance(fact, HandEnded)
    day = "2027-01-15" if row.recorded_at < cutoff else "2027-01-16"
    assert fact.booked_date == day


def test_an_order_that_another_overtakes_into_the_next_day_is_decided_again(
    club: Club, world: World
) -> None:
    """Given an append after the cutoff between fold and append, then the hand is booked there."""
    club.allow_tables()
    table = started(club)
    cutoff = 1_800_046_800 * SECOND
    late = replace(world.ledger, clock=lambda: cutoff + SECOND)
    other: list[Done] = []

    def shuffled_clock() -> int:
        if not other:
            other.append(Done("", "", 0, 0, 0))
            opening = Opening(KEY, OPTIONS, club.members, 2)
            other.append(acts.open_table(structs.replace(club.desk, ledger=late), opening))
        return cutoff - SECOND

    early = replace(world.ledger, clock=shuffled_clock)
    acts.end_table(structs.replace(club.desk, ledger=early), table, dissolve=True)
    row = next(row for row in club.log() if row.type == "HandEnded/1")
    fact = unseal(row.type, row.public).fact
    assert isinstance(fact, HandEnded)
    assert (row.recorded_at, fact.booked_date) == (cutoff + SECOND, "2027-01-16")
