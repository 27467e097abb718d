"""A state as JSON: the one form in which answers, replays and pages show a hand.

What is shown is what the state holds. A viewer's state is folded from the events that he may
see, so nothing is masked here; a tile that he may not see is `?`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.hand import Chicken, Discard, Due, Hand, Kong, Meld, Player, Turn, Win, Window
from ledger.rules.catalog import ruleset
from ledger.streams.table import Table, match_totals, next_dealer
from ledger.tiles import UNKNOWN, Tile, Tiles, tile_text, tiles_text, wall_text

JSON = dict[str, Any]


def table_view(table: Table) -> JSON:
    """A match: who sits where, how far it has come, and the hand that runs or ended last.

    `totals` are the points of the hands that have ended. `dealer` deals the hand that is told,
    `next_dealer` the one after it, once it is known.
    """
    rules = ruleset(table.ruleset, table.options)
    between = table.hand is not None and table.playing is None and table.closed is None
    return {
        "ruleset": table.ruleset,
        "options": table.options,
        "seats": list(table.seats),
        "hands": table.hands,
        "low_score": table.low_score,
        "dealer": table.dealer,
        "next_dealer": next_dealer(table, rules)[0] if between else None,
        "totals": list(match_totals(table, rules) if between else table.totals),
        "closed": table.closed,
        "hand": None if table.hand is None else state_view(table.hand),
    }


def state_view(hand: Hand) -> JSON:
    """A hand at one moment: what lies on the table, what each seat holds, who is to choose."""
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "streak": hand.streak,
        "wilds": _each(hand.wilds),
        "weekday": hand.weekday,
        "left": hand.left,
        "turn": hand.turn and _turn(hand.turn),
        "window": hand.window and _window(hand.window),
        "due": hand.due and _due(hand.due),
        "last_discard": hand.last and _discard(hand.last),
        "seats": [_player(player) for player in hand.seats],
        "chickens": [_chicken(chicken) for chicken in hand.chickens],
        "wins": [_win(win) for win in hand.wins],
        "flip": _tile(hand.flip),
        "birds": None if hand.birds is None else _each(hand.birds),
        "entered": hand.entered and ("outcome" if hand.entered.outcome else "totals"),
        "end": hand.end,
        "wall": None if UNKNOWN in hand.wall else wall_text(hand.wall),
    }


def _player(player: Player) -> JSON:
    return {
        "hand": tiles_text(player.hand),
        "melds": [_meld(meld) for meld in player.melds],
        "river": tiles_text(player.river),
        "declared": player.declared,
        "bet": player.bet,
        "void_suit": player.void_suit,
        "locks": [msgspec.to_builtins(lock) for lock in player.locks],
    }


def _meld(meld: Meld) -> JSON:
    return {
        "kind": "pung" if meld.how == "pung" else "kong",
        "how": None if meld.how == "pung" else meld.how,
        "tile": tile_text(meld.tile),
        "from": meld.from_seat,
        "late": meld.late,
    }


def _turn(turn: Turn) -> JSON:
    return {"seat": turn.seat, "by": turn.by, "tile": _tile(turn.tile)}


def _discard(last: Discard) -> JSON:
    return {"seat": last.seat, "tile": _tile(last.tile), "face_down": last.face_down}


def _chicken(chicken: Chicken) -> JSON:
    return {"tile": tile_text(chicken.tile), "by": chicken.by, "takers": list(chicken.takers)}


def _window(window: Window) -> JSON:
    """An open window; offers and answers are those of the seats that the viewer sees."""
    return {
        "prompt": window.prompt,
        "seat": window.seat,
        "tile": _tile(window.tile),
        "robs": window.kong and _kong(window.kong),
        "may": [list(words) for words in window.may],
        "answers": list(window.answers),
    }


def _kong(kong: Kong) -> JSON:
    return {
        "seat": kong.seat,
        "how": kong.how,
        "tile": tile_text(kong.tile),
        "late": kong.late,
        "touzi": kong.touzi,
    }


def _due(due: Due) -> JSON:
    return {"seat": due.seat, "replacement": due.replacement}


def _win(win: Win) -> JSON:
    return {
        "seat": win.seat,
        "tile": tile_text(win.tile),
        "how": win.how,
        "from": win.from_seat,
        "first_turn": win.first_turn,
    }


def _tile(tile: Tile | None) -> str | None:
    return None if tile is None else tile_text(tile)


def _each(tiles: Tiles) -> list[str]:
    return [tile_text(tile) for tile in tiles]
