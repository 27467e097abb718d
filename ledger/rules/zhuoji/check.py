"""Whether an outcome is one that a hand of 捉鸡 could leave. Source: B1 to B4, docs/formats.md."""

from __future__ import annotations

from ledger.outcome import Outcome, SeatOutcome
from ledger.refusal import Refused
from ledger.rules.possible import check_facts, check_possible, dealt, held
from ledger.rules.zhuoji.booking import paragraph
from ledger.rules.zhuoji.first_chickens import check_first_chickens
from ledger.rules.zhuoji.options import KEY, Options
from ledger.rules.zhuoji.patterns import is_ready
from ledger.rules.zhuoji.possible_wins import check_wins
from ledger.rules.zhuoji.standing import holding
from ledger.tiles import COPIES, NUMBERS, parse_tile, parse_tiles, suit

FACTS = {"weekday", "first_chickens", "flip", "bet", "void_suit", "hard", "soft", "late"}
"""What an outcome may tell here that not every ruleset knows."""


def check(options: Options, outcome: Outcome) -> None:
    """Refuses an outcome that no hand of 捉鸡 could leave, and says where."""
    check_facts(outcome, KEY, FACTS)
    check_possible(outcome, options.players, NUMBERS)
    _check_weekday(options, outcome)
    _check_flip(outcome)
    for index, seat in enumerate(outcome.seats):
        pointer = f"/seats/{index}"
        _check_bet(options, seat, pointer)
        _check_void(options, outcome, seat, pointer)
        _check_late(seat, pointer)
        if seat.declared is not None:
            _check_declared(options, outcome, index, pointer)
    check_first_chickens(options, outcome)
    check_wins(options, outcome)


def _without_option(pointer: str, option: str, rule: str) -> Refused:
    return Refused("fact_without_option", pointer=pointer, option=option, rule=paragraph(rule))


def _missing(pointer: str, option: str, rule: str) -> Refused:
    return Refused("fact_missing", pointer=pointer, option=option, rule=paragraph(rule))


def _check_weekday(options: Options, outcome: Outcome) -> None:
    """The weekday is told where it makes chickens; a dissolved hand may do without."""
    day = outcome.weekday
    if day is None:
        if options.week_ji and outcome.end != "dissolved":
            raise _missing("/weekday", "week_ji", "B5.3")
    elif not options.week_ji:
        raise _without_option("/weekday", "week_ji", "B5.3")
    elif not 1 <= day <= 7:
        raise Refused("number_range", pointer="/weekday", value=day, low=1, high=7)


def _check_flip(outcome: Outcome) -> None:
    """A win turns a tile unless it took the last one, which neither a robbed tile nor one of a
    first turn is; nothing else turns one.
    """
    if outcome.flip is None:
        if any(win.how == "rob_kong" or win.first_turn for win in outcome.wins):
            raise Refused("flip_missing", pointer="/flip", rule=paragraph("B5.3"))
        return
    if not outcome.wins:
        raise Refused("flip_without_win", pointer="/flip", rule=paragraph("B5.3"))
    tile = parse_tile(outcome.flip)
    if tile not in NUMBERS:
        raise Refused("tile_not_in_game", pointer="/flip", tile=outcome.flip)
    seen = sum((*held(seat), *parse_tiles(seat.river)).count(tile) for seat in outcome.seats)
    copies = seen + 1 + (parse_tile(outcome.wins[0].tile) == tile)
    if copies > COPIES:
        raise Refused("tile_copies", pointer="/flip", tile=outcome.flip, copies=copies)


def _check_bet(options: Options, seat: SeatOutcome, pointer: str) -> None:
    """Bets are made with 估卖 alone."""
    if not 0 <= seat.bet <= 2:
        raise Refused("number_range", pointer=f"{pointer}/bet", value=seat.bet, low=0, high=2)
    if seat.bet and not options.gumai:
        raise _without_option(f"{pointer}/bet", "gumai", "B3.0")


def _check_void(options: Options, outcome: Outcome, seat: SeatOutcome, pointer: str) -> None:
    """Two or three players have a void suit each, and no meld of it 定缺."""
    if seat.void_suit is None:
        if options.players < 4 and outcome.end != "dissolved":
            raise _missing(f"{pointer}/void_suit", "players", "B1.2")
        return
    if options.players == 4:
        raise _without_option(f"{pointer}/void_suit", "players", "B1.2")
    for place, meld in enumerate(seat.melds):
        if suit(parse_tile(meld.tile)) == seat.void_suit:
            place_ = f"{pointer}/melds/{place}"
            raise Refused("void_suit_melded", pointer=place_, rule=paragraph("B1.2"))


def _check_late(seat: SeatOutcome, pointer: str) -> None:
    """Only a kong that its owner declares in his turn can be late 憨包豆."""
    for place, meld in enumerate(seat.melds):
        if meld.late and meld.how not in ("concealed", "added"):
            place_ = f"{pointer}/melds/{place}/late"
            raise Refused("kong_never_late", pointer=place_, rule=paragraph("B3.2"))


def _check_declared(options: Options, outcome: Outcome, index: int, pointer: str) -> None:
    """Who has declared is ready, has no meld, and if 硬报 still the tiles dealt, not the dealer's.

    A hand cut short may hold the tile just drawn, so it is not asked what it waits for.
    """
    seat = outcome.seats[index]
    if seat.declared == "hard" and index == outcome.dealer:
        raise Refused("dealer_declares_hard", pointer=pointer, rule=paragraph("B3.6"))
    if seat.melds:
        raise Refused("declared_melded", pointer=pointer, seat=index, rule=paragraph("B3.8"))
    hand = parse_tiles(seat.hand)
    if len(hand) % 3 != 1:
        return
    if not is_ready(holding(seat), options):
        rule = paragraph("B3.6" if seat.declared == "hard" else "B3.7")
        raise Refused("declared_waits_for_nothing", pointer=pointer, seat=index, rule=rule)
    if seat.declared == "hard" and seat.dealt and sorted(dealt(seat)) != sorted(hand):
        raise Refused("dealt_differs", pointer=f"{pointer}/dealt", rule=paragraph("B3.8"))
