"""Common 1, 2, 3 and 5, C1 of 怀化: the deal, the own turn, and how a hand ends."""

from __future__ import annotations

import pytest

from ledger.events import HandEnded
from ledger.evolve import begin
from ledger.hand import outcome
from ledger.record import Choice
from ledger.refusal import Refused
from ledger.rules import play
from ledger.rules.ruleset import Bar
from ledger.rules.turns import bar
from tests.rules.table import NOW, Table

READY = "123m456p789s55s67p"
"""Waits for 5p and 8p."""


# --- the deal ---------------------------------------------------------------------------------


def test_the_dealer_takes_fourteen_tiles_and_the_others_thirteen() -> None:
    table = Table(dealer="C")
    assert table.log == ["Dealt"]
    assert [len(player.hand) for player in table.hand.seats] == [13, 13, 14, 13]
    assert table.hand.left == 108 - 53
    assert table.hand.seats[2].hand == tuple(sorted(table.wall[:14]))
    assert table.hand.seats[3].hand == tuple(sorted(table.wall[14:27]))
    assert table.hand.seats[0].hand == tuple(sorted(table.wall[27:40]))


@pytest.mark.parametrize(("players", "left"), [(4, 55), (3, 68), (2, 81)])
def test_fewer_players_leave_more_tiles_in_the_wall(players: int, left: int) -> None:
    assert Table(players=players).hand.left == left


def test_four_wild_tiles_come_on_top() -> None:
    assert len(Table(zhong_wild=True).wall) == 112
    assert len(Table().wall) == 108


def test_the_dealer_acts_first() -> None:
    assert Table(dealer="B").asked() == "B"


def test_nobody_acts_before_the_deal() -> None:
    table = Table()
    table.hand = begin(table.started)
    assert table.asked() == ""
    assert table.refuses("A discard 1m") == "not_your_turn, common 5"


# --- the own turn -----------------------------------------------------------------------------


def test_a_seat_may_discard_any_tile_it_holds() -> None:
    table = Table(hands={"A": "11m3m5m7m9m2p4p6p8p1s3s5s7s"})
    assert table.discards("A") == "13579m2468p1357s"
    assert table.may("A") == []


def test_after_a_discard_that_nobody_claims_the_next_seat_draws() -> None:
    table = Table("9s", hands={"A": "1m"})
    assert table.does("A discard 1m") == ["A discards 1m", "B draws 9s"]
    assert table.asked() == "B"


def test_the_turn_goes_round_the_seats_that_play() -> None:
    table = Table("9s9p9m", hands={"A": "1m", "B": "", "C": ""}, players=3)
    table.does("A discard 1m", "B discard 9s")
    assert table.does("C discard 9p") == ["C discards 9p", "A draws 9m"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("B discard 1m", "not_your_turn, common 5"),
        ("A discard 9s", "tile_not_held, common 5"),
        ("A discard", "tile_missing, common 5"),
        ("A kong 9s", "tile_not_held, common 5"),
        ("A kong", "tile_missing, common 5"),
        ("A kong 1m", "no_four_of_a_kind, common 5"),
        ("A pung", "not_on_own_turn, common 5"),
        ("A pass", "nothing_to_pass, common 5"),
        ("A win", "hand_not_complete, huaihua/1 C4"),
        ("A bet", "not_in_this_game, common 5"),
        ("A void_suit", "not_in_this_game, common 5"),
        ("A declare", "not_in_this_game, common 5"),
    ],
)
def test_what_is_not_open_on_a_turn_is_refused_with_its_paragraph(line: str, why: str) -> None:
    assert Table(hands={"A": "11m3m5m7m9m2p4p6p8p1s3s5s7s"}).refuses(line) == why


@pytest.mark.parametrize(
    "choice",
    [
        Choice(0, "discard", "1m", touzi=True),
        Choice(0, "discard", "1m", declare=True),
        Choice(0, "discard", "1m", points=2),
        Choice(0, "discard", "1m", suit="m"),
        Choice(0, "win", "1m"),
        Choice(0, "win", touzi=True),
        Choice(0, "pass", "1m"),
    ],
)
def test_an_action_takes_nothing_but_its_own(choice: Choice) -> None:
    table = Table(hands={"A": "1m"})
    with pytest.raises(Refused) as refused:
        play.play(table.hand, choice, table.rules, NOW)
    assert (refused.value.code, refused.value.rule) == ("not_with_this_action", "common 5")


def test_a_seat_that_is_not_at_the_table_is_refused() -> None:
    table = Table(players=3)
    with pytest.raises(Refused) as refused:
        play.play(table.hand, Choice(3, "discard", "1m"), table.rules, NOW)
    assert (refused.value.code, refused.value.pointer) == ("seat_unknown", "/seat")


def test_a_refusal_names_seat_action_and_tile() -> None:
    table = Table(hands={"A": "1m"})
    with pytest.raises(Refused) as refused:
        play.play(table.hand, Choice(1, "discard", "1m"), table.rules, NOW)
    assert refused.value.params == {"seat": 1, "action": "discard", "tile": "1m"}


def test_what_is_no_tile_is_refused() -> None:
    assert Table().refuses("A discard 0m") == "tile_unknown, None"


def test_after_a_pung_the_seat_must_discard_and_may_neither_win_nor_kong() -> None:
    table = Table(hands={"A": "8p", "B": "1111m88p"})
    table.does("A discard 8p", "B pung")
    assert table.may("B") == []
    assert table.refuses("B kong 1m") == "no_tile_drawn, common 5"
    assert table.refuses("B win") == "no_tile_drawn, common 5"
    assert table.does("B discard 1m")[0] == "B discards 1m"


def test_wild_tiles_are_never_discarded() -> None:
    table = Table(hands={"A": "1p5z3m"}, zhong_wild=True)
    assert "z" not in table.discards("A")
    assert table.refuses("A discard 5z") == "zhong_not_discarded, huaihua/1 C1"


def test_a_seat_with_nothing_but_wild_tiles_has_only_the_win() -> None:
    table = Table("4s4s4s4s5z", hands={"A": "1111m2222m3333p5z9s"}, zhong_wild=True)
    table.does("A kong 1m", "A kong 2m", "A kong 3p", "A discard 9s", "B discard 4s", "A kong")
    assert table.holds("A") == "55z"
    assert table.all("A") == ["win"]
    assert table.does("A win") == ["A wins 5z self_draw", "ended: win"]


# --- the end ----------------------------------------------------------------------------------


def test_a_hand_is_exhausted_when_somebody_must_draw_from_an_empty_wall() -> None:
    table = Table(ends=True, hands={"A": "1m"})
    assert table.does("A discard 1m") == ["A discards 1m", "ended: exhausted"]
    assert table.asked() == ""


def test_an_exhausted_hand_leaves_its_discard_in_the_river() -> None:
    table = Table(ends=True, hands={"A": "1m"})
    table.does("A discard 1m")
    assert outcome(table.hand).seats[0].river == "1m"
    assert outcome(table.hand).end == "exhausted"


def test_nothing_may_be_done_after_the_end() -> None:
    table = Table(ends=True, hands={"A": "1m3m"})
    table.does("A discard 1m")
    assert table.refuses("A discard 3m") == "hand_over, common 2"


def test_a_win_ends_the_hand() -> None:
    table = Table("8p", hands={"A": "1m", "B": READY})
    table.does("A discard 1m")
    assert table.may("B") == ["win"]
    assert table.does("B win") == ["B wins 8p self_draw", "ended: win"]


def test_a_dealer_who_wins_as_dealt_is_told_by_his_first_tile() -> None:
    table = Table(hands={"A": READY + "8p"}, patterns=["tian_hu"])
    assert table.does("A win") == ["A wins 1m self_draw", "ended: win"]
    found = outcome(table.hand)
    assert found.wins[0].first_turn
    assert found.seats[0].hand == "23m456678p55789s"


def test_a_hand_may_be_dissolved_in_the_middle_of_a_turn() -> None:
    table = Table(hands={"A": "1m"})
    assert table.dissolves() == ["ended: dissolved"]
    found = outcome(table.hand)
    assert (found.end, found.wins, found.after_kong) == ("dissolved", (), None)
    assert table.rules.settle(found).totals == (0, 0, 0, 0)


def test_the_end_shows_the_secret_of_the_hand() -> None:
    table = Table()
    table.dissolves()
    fact = table.events[-1].fact
    assert isinstance(fact, HandEnded)
    assert (fact.secret, fact.booked_date) == ("5e" * 32, "2023-11-14")


# --- the birds after a win --------------------------------------------------------------------


def test_the_birds_are_the_next_tiles_of_the_wall() -> None:
    table = Table("8p1s2s3s", hands={"A": "1m", "B": READY}, bird_count=2)
    table.does("A discard 1m")
    assert table.does("B win") == ["B wins 8p self_draw", "birds 1s 2s", "ended: win"]
    assert table.hand.taken == 53 + 3


def test_a_short_wall_turns_fewer_birds() -> None:
    table = Table("8p1s", ends=True, hands={"A": "1m", "B": READY}, bird_count=3)
    table.does("A discard 1m")
    assert table.does("B win") == ["B wins 8p self_draw", "birds 1s", "ended: win"]


def test_an_empty_wall_makes_the_winning_tile_the_bird() -> None:
    table = Table("8p", ends=True, hands={"A": "1m", "B": READY}, bird_count=3)
    table.does("A discard 1m")
    assert table.does("B win") == ["B wins 8p self_draw", "birds 8p", "ended: win"]
    assert table.hand.left == 0


def test_a_hand_that_nobody_wins_turns_no_birds() -> None:
    table = Table(ends=True, hands={"A": "1m"}, bird_count=3)
    assert table.does("A discard 1m") == ["A discards 1m", "ended: exhausted"]


# --- who deals next ---------------------------------------------------------------------------


def test_the_winner_deals_next() -> None:
    table = Table("8p", hands={"A": "1m", "B": READY})
    table.does("A discard 1m", "B win")
    assert table.rules.next_dealer(table.hand) == 1


def test_after_a_drawn_hand_the_dealer_stays() -> None:
    table = Table(ends=True, dealer="C", hands={"C": "1m"})
    table.does("C discard 1m")
    assert table.rules.next_dealer(table.hand) == 2


def test_the_only_winner_of_a_discard_deals_next() -> None:
    table = Table(hands={"A": "8p", "B": READY}, win_mode="discard")
    table.does("A discard 8p", "B win")
    assert table.rules.next_dealer(table.hand) == 1


def test_after_several_winners_the_discarder_deals() -> None:
    hands = {"A": "8p", "B": READY, "D": "234m234p888s99s67p"}
    table = Table(hands=hands, win_mode="discard")
    table.does("A discard 8p", "B win", "D win")
    assert table.rules.next_dealer(table.hand) == 0


@pytest.mark.parametrize("points", [0, 1])
def test_points_belong_to_no_discard(points: int) -> None:
    """Given a discard that carries points, none too, then it is refused."""
    table = Table(hands={"A": "8p"})
    discard = Choice(0, "discard", "8p", points=points)
    assert bar(table.hand, discard, table.rules) == Bar("not_with_this_action", "common 5")
