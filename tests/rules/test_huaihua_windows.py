"""Common 3 and 4 in 怀化: who is asked for a discard, and how a claim window ends."""

from __future__ import annotations

from typing import Any

from ledger import events as e
from ledger.hand import outcome
from ledger.record import Choice
from ledger.rules.play import Moment, play
from tests.rules.table import Table, locks

B_WINS = "123m456p789s55s67p"
C_WINS = "234m234p888s99s67p"
D_PUNGS = "88p"
"""B and C wait for 5p and 8p, D has a pair of 8p."""


def claimed(**more: Any) -> Table:
    """A discards 8p, which B and C may win and D may pung."""
    hands = {"A": "8p", "B": B_WINS, "C": C_WINS, "D": D_PUNGS} | more.pop("hands", {})
    table = Table("9s", hands=hands, win_mode="discard", **more)
    table.does("A discard 8p")
    return table


# --- who is asked -----------------------------------------------------------------------------


def test_every_seat_with_a_claim_is_asked_and_no_other() -> None:
    table = claimed()
    assert table.log[-1] == "offered: B win, C win, D pung"
    assert table.asked() == "BCD"
    assert table.may("B") == ["win", "pass"]
    assert table.may("D") == ["pung", "pass"]


def test_where_nobody_has_a_claim_no_window_opens() -> None:
    table = Table("9s", hands={"A": "8p"})
    assert table.does("A discard 8p") == ["A discards 8p", "B draws 9s"]


def test_a_seat_with_three_may_kong_or_pung() -> None:
    table = Table(hands={"A": "8p", "D": "888p"})
    table.does("A discard 8p")
    assert table.may("D") == ["pung", "kong", "pass"]


def test_one_prompt_holds_all_that_a_seat_may_do() -> None:
    table = Table(hands={"A": "8p", "B": "123m456m77s67888p"}, win_mode="discard")
    table.does("A discard 8p")
    assert table.may("B") == ["win", "pung", "kong", "touzi", "pass"]


def test_offers_and_answers_lie_in_the_slot_of_their_seat_alone() -> None:
    table = claimed()
    offered = table.events[-1]
    assert offered.fact == e.Offered(table.hand.at, 0)
    assert offered.slots == (
        None,
        e.Offer(("win",)),
        e.Offer(("win",)),
        e.Offer(("pung",)),
        None,
    )
    table.does("C pass")
    answered = table.events[-1]
    assert answered.fact == e.Answered(table.hand.at)
    assert [part is not None for part in answered.slots] == [False, False, True, False, False]


# --- answers ----------------------------------------------------------------------------------


def test_answers_come_in_any_order_and_nothing_moves_before_the_window_closes() -> None:
    table = claimed()
    assert table.does("D pung") == ["answered: D pung"]
    assert table.does("C pass") == ["answered: C pass"]
    assert table.hand.seats[3].melds == ()
    assert table.does("B pass") == ["answered: B pass", "D pungs 8p of A"]


def test_when_all_pass_the_next_seat_draws() -> None:
    table = claimed()
    table.does("C pass", "D pass")
    assert table.does("B pass") == ["answered: B pass", "B draws 9s"]


def test_a_win_comes_before_a_pung() -> None:
    table = claimed()
    table.does("D pung", "B pass")
    assert table.does("C win") == ["answered: C win", "C wins 8p discard of A", "ended: win"]


def test_once_somebody_wins_a_seat_that_can_only_pung_is_not_asked_any_more() -> None:
    table = claimed()
    table.does("B win")
    assert table.asked() == "C"
    assert table.refuses("D pung") == "claim_outranked, common 4"
    assert table.refuses("D pass") == "claim_outranked, common 4"


def test_a_window_closes_when_no_answer_can_change_its_result() -> None:
    table = claimed()
    table.does("B win")
    assert table.does("C pass") == ["answered: C pass", "B wins 8p discard of A", "ended: win"]


def test_several_seats_may_win_one_discard() -> None:
    table = claimed()
    table.does("C win")
    assert table.does("B win") == [
        "answered: B win",
        "B wins 8p discard of A",
        "C wins 8p discard of A",
        "ended: win",
    ]
    found = outcome(table.hand)
    assert [(win.seat, win.tile, win.from_seat) for win in found.wins] == [
        (1, "8p", 0),
        (2, "8p", 0),
    ]
    assert found.seats[0].river == ""


def test_once_somebody_wins_a_seat_that_may_win_too_is_offered_only_win_and_pass() -> None:
    table = claimed(hands={"D": "", "B": "123m456p789s88p99p"})
    assert table.may("B") == ["win", "pung", "pass"]
    table.does("C win")
    assert table.may("B") == ["win", "pass"]
    assert table.refuses("B pung") == "claim_outranked, common 4"


def test_to_pung_a_tile_that_one_could_have_won_is_to_pass_the_win() -> None:
    table = claimed(hands={"D": "", "B": "123m456p789s88p99p"})
    table.does("C pass", "B pung")
    assert table.log[-1] == "B pungs 8p of A"
    assert locks(table.hand, "B") == ["discard_win own_draw"]


def test_a_claim_may_name_the_tile_offered_and_no_other() -> None:
    table = claimed()
    assert table.refuses("B win 5p") == "not_the_tile_offered, common 4"
    assert table.does("B win 8p") == ["answered: B win"]


# --- refusals ---------------------------------------------------------------------------------


def test_an_answer_stands() -> None:
    table = claimed()
    table.does("D pung")
    assert table.refuses("D pass") == "already_answered, common 4"


def test_a_seat_that_is_not_asked_is_told_why() -> None:
    table = claimed(hands={"C": ""})
    assert table.refuses("C win") == "hand_not_complete, huaihua/1 C4"
    assert table.refuses("C pung") == "no_pair_for_pung, common 5"
    assert table.refuses("C kong") == "no_four_of_a_kind, common 5"
    assert table.refuses("C pass") == "not_asked, common 4"


def test_a_seat_that_is_asked_is_told_why_it_may_not_do_something_else() -> None:
    table = claimed()
    assert table.refuses("D kong") == "no_four_of_a_kind, common 5"
    assert table.refuses("D win") == "hand_not_complete, huaihua/1 C4"
    assert table.refuses("D bet") == "not_asked, common 4"


def test_the_discarder_waits_for_the_window_to_close() -> None:
    table = claimed()
    assert table.refuses("A pung") == "window_open, common 4"
    assert table.refuses("A discard 1m") == "window_open, common 4"
    assert table.refuses("B discard 1m") == "window_open, common 4"


# --- what a claim takes -----------------------------------------------------------------------


def test_a_pung_takes_the_tile_from_the_river_and_the_turn_to_its_seat() -> None:
    table = Table("9s", hands={"A": "8p", "D": "88p"})
    table.does("A discard 8p")
    assert table.does("D pung") == ["answered: D pung", "D pungs 8p of A"]
    assert table.asked() == "D"
    assert table.hand.seats[0].river == ()
    assert len(table.hand.seats[3].hand) == 11
    assert table.hand.seats[3].melds[0].from_seat == 0


def test_after_a_pung_the_turn_goes_on_from_the_seat_that_took() -> None:
    table = Table("9s", hands={"A": "8p", "D": "88p1m"})
    table.does("A discard 8p", "D pung")
    assert table.does("D discard 1m") == ["D discards 1m", "A draws 9s"]


def test_a_kong_of_a_discard_draws_a_replacement() -> None:
    table = Table("9s", hands={"A": "8p", "D": "888p"})
    table.does("A discard 8p")
    assert table.does("D kong") == [
        "answered: D kong",
        "D kongs 8p exposed of A",
        "D replaces 9s",
    ]
    assert table.asked() == "D"
    assert len(table.hand.seats[3].hand) == 11


def test_a_discard_that_nobody_takes_stays_in_the_river() -> None:
    table = claimed()
    table.does("B pass", "C pass", "D pass")
    assert table.hand.seats[0].river == (16,)


def test_a_dissolved_hand_leaves_the_discard_of_an_open_window_in_the_river() -> None:
    table = claimed()
    table.dissolves()
    assert outcome(table.hand).seats[0].river == "8p"
    assert table.rules.settle(outcome(table.hand)).totals == (0, 0, 0, 0)


# --- the last tile ----------------------------------------------------------------------------


def test_the_last_discard_can_be_won_but_neither_punged_nor_konged() -> None:
    hands = {"A": "8p", "B": B_WINS, "D": "888p"}
    table = Table(ends=True, hands=hands, win_mode="discard")
    table.does("A discard 8p")
    assert table.log[-1] == "offered: B win"
    assert table.refuses("D pung") == "last_tile, common 3"
    assert table.refuses("D kong") == "last_tile, common 3"
    assert table.does("B pass")[-1] == "ended: exhausted"


def test_with_an_empty_wall_no_kong_is_declared_on_the_own_turn() -> None:
    table = Table("1m", ends=True, hands={"A": "9s", "B": "111m"})
    table.does("A discard 9s")
    assert table.may("B") == []
    assert table.refuses("B kong 1m") == "last_tile, common 3"


def test_with_one_tile_left_a_kong_takes_it_as_its_replacement() -> None:
    table = Table("1m9p", ends=True, hands={"A": "9s", "B": "111m"})
    table.does("A discard 9s")
    assert table.does("B kong 1m")[-1] == "B replaces 9p"
    assert table.does("B discard 9p") == ["B discards 9p", "ended: exhausted"]


# --- a silent player --------------------------------------------------------------------------


def test_what_the_recorder_answered_for_a_silent_player_is_told_so() -> None:
    """Given a kong answered by a time-out, then the kong itself says that a time-out made it."""
    table = Table(hands={"A": "8p", "D": "888p"})
    table.does("A discard 8p")
    chosen = Choice(3, "kong")
    events = play(table.hand, chosen, table.rules, Moment(1, "", "", 1), "timeout")
    kongs = [event.fact for event in events if isinstance(event.fact, e.Konged)]
    assert [kong.cause for kong in kongs] == ["timeout"]
