"""Legal actions: who is asked, and what each seat may choose at this moment.

One truth: `bar` says why a choice is not open, and `legal_actions` is every choice without a
bar. What all rulesets share stands here, what differs is asked of the ruleset.
Source: docs/rules/common.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import Seat
from ledger.hand import Hand, Window
from ledger.record import Choice
from ledger.rules.ruleset import Bar, Ruleset
from ledger.tiles import COPIES, KINDS, Tile, parse_tile, tile_text

HAND_OVER = Bar("hand_over", "common 2")
NOT_YOUR_TURN = Bar("not_your_turn", "common 5")
WINDOW_OPEN = Bar("window_open", "common 4")
NOT_ASKED = Bar("not_asked", "common 4")
ANSWERED = Bar("already_answered", "common 4")
OUTRANKED = Bar("claim_outranked", "common 4")
NOT_ON_OWN_TURN = Bar("not_on_own_turn", "common 5")
NO_TILE_DRAWN = Bar("no_tile_drawn", "common 5")
NOTHING_TO_PASS = Bar("nothing_to_pass", "common 5")
NOT_HELD = Bar("tile_not_held", "common 5")
FROZEN = Bar("hand_frozen", "common 6")
LAST_TILE = Bar("last_tile", "common 3")
NO_PUNG = Bar("no_pair_for_pung", "common 5")
NO_KONG = Bar("no_four_of_a_kind", "common 5")
TILE_MISSING = Bar("tile_missing", "common 5")
WRONG_TILE = Bar("not_the_tile_offered", "common 4")
NOT_IN_THIS_GAME = Bar("not_in_this_game", "common 5")
NOT_WITH_THIS_ACTION = Bar("not_with_this_action", "common 5")
PROMPTED = Bar("prompt_open", "common 11")
POINTS_MISSING = Bar("points_missing", "common 11")
SUIT_MISSING = Bar("suit_missing", "common 11")

FIELDS = {
    "bet": {"points"},
    "void_suit": {"suit"},
    "discard": {"tile"},
    "kong": {"tile"},
    "pung": {"tile"},
    "win": {"tile"},
}
"""What an action may carry in every game; of a claim, the tile offered."""

CLAIMS = ("win", "pung", "kong", "touzi")
NO_PASS = ("bet", "void_suit")
"""The prompts that every seat must answer."""


def legal_actions(hand: Hand, seat: Seat, rules: Ruleset) -> tuple[Choice, ...]:
    """Every choice that is open to a seat now; empty when it is not asked."""
    if hand.window is not None:
        return _open_answers(hand, seat, rules)
    if hand.turn is None or hand.turn.seat != seat or hand.end is not None:
        return ()
    return tuple(
        choice
        for choice in _candidates(hand, seat, rules)
        if _own_turn_bar(hand, choice, rules) is None
    )


def bar(hand: Hand, choice: Choice, rules: Ruleset) -> Bar | None:
    """Why a choice is not open to its seat, or None when it is legal."""
    if hand.end is not None:
        return HAND_OVER
    if not _carried(choice) <= _fields(choice, rules):
        return NOT_WITH_THIS_ACTION
    if hand.window is not None:
        return _answer_bar(hand, choice, rules)
    if hand.turn is None or hand.turn.seat != choice.seat:
        return NOT_YOUR_TURN
    return _own_turn_bar(hand, choice, rules)


def _own_turn_bar(hand: Hand, choice: Choice, rules: Ruleset) -> Bar | None:
    if choice.action == "discard":
        return _discard_bar(hand, choice, rules)
    if choice.action == "kong":
        return _own_kong_bar(hand, choice, rules)
    if choice.action == "win":
        return NOT_WITH_THIS_ACTION if choice.tile else _own_win_bar(hand, choice.seat, rules)
    if choice.action == "pass":
        return None if _may_decline(hand, choice.seat, rules) else NOTHING_TO_PASS
    if choice.action == "pung":
        return NOT_ON_OWN_TURN
    return NOT_IN_THIS_GAME if rules.prompt is None else NOT_ASKED


def _fields(choice: Choice, rules: Ruleset) -> set[str]:
    """The fields that an action may carry besides its seat."""
    more: set[str] = set()
    if choice.action == "discard" and rules.declares is not None:
        more = {"declare"}
    if choice.action == "kong" and rules.touzi:
        more = {"touzi"}
    return FIELDS.get(choice.action, set()) | more


def _carried(choice: Choice) -> set[str]:
    """The fields that a choice carries besides its seat and action."""
    names = ("tile", "touzi", "declare", "points", "suit")
    told = {name: getattr(choice, name) for name in names}
    return {name for name, value in told.items() if value is not None and value is not False}


def asked(hand: Hand, rules: Ruleset) -> tuple[Seat, ...]:
    """The seats whose answer could still change how the open window ends."""
    window = hand.window
    assert window is not None
    waiting = (seat for seat in range(hand.players) if window.answers[seat] is None)
    return tuple(seat for seat in waiting if _still_counts(window, seat, rules))


def _still_counts(window: Window, seat: Seat, rules: Ruleset) -> bool:
    """A win answered leaves only those who may win too, and of one winner only who is nearer.

    Before the first turn no answer outranks another.
    """
    may, answers = window.may[seat], window.answers
    if "win" not in answers or window.prompt is not None:
        return bool(may)
    players = len(answers)
    steps = (answers[(window.seat + step) % players] for step in range(1, players))
    nearest = next(step for step, answer in enumerate(steps, 1) if answer == "win")
    return "win" in may and (not rules.one_winner or (seat - window.seat) % players < nearest)


def offers(hand: Hand, rules: Ruleset) -> tuple[tuple[str, ...], ...]:
    """What each seat may claim of the tile just discarded, or of the kong just shown."""
    assert hand.last is not None or hand.shown is not None
    source = hand.shown.seat if hand.shown else hand.last.seat if hand.last else 0
    return tuple(
        () if seat == source else _claims(hand, seat, rules) for seat in range(hand.players)
    )


def needs_answer(hand: Hand, seat: Seat, rules: Ruleset) -> bool:
    """Whether a frozen seat has a choice on its own turn: a win or a kong."""
    return _may_decline(hand, seat, rules)


def claim(choice: Choice) -> str:
    """The word for a choice in a window: win, pung, kong, touzi (a kong by 骰), pass; or what is
    answered to a prompt: bet_0 to bet_2, void_m, void_p, void_s, declare.
    """
    if choice.action == "bet":
        return f"bet_{choice.points}"
    if choice.action == "void_suit":
        return f"void_{choice.suit}"
    return "touzi" if choice.touzi and choice.action == "kong" else choice.action


def answer(seat: Seat, word: str) -> Choice:
    """The choice that a word of a window stands for."""
    kind, _, value = word.partition("_")
    if kind == "bet":
        return Choice(seat, "bet", points=int(value))
    if kind == "void":
        return Choice(seat, "void_suit", suit=value)  # type: ignore[arg-type]
    if word == "touzi":
        return Choice(seat, "kong", touzi=True)
    return Choice(seat, word)  # type: ignore[arg-type]


def _open_answers(hand: Hand, seat: Seat, rules: Ruleset) -> tuple[Choice, ...]:
    window = hand.window
    if window is None or seat not in asked(hand, rules):
        return ()
    words = ("win",) if "win" in window.answers else window.may[seat]
    passes = () if window.prompt in NO_PASS else ("pass",)
    return tuple(answer(seat, word) for word in (*words, *passes))


def _answer_bar(hand: Hand, choice: Choice, rules: Ruleset) -> Bar | None:
    window = hand.window
    assert window is not None
    may = window.may[choice.seat]
    if window.answers[choice.seat] is not None:
        return ANSWERED
    if window.prompt is not None:
        return _prompt_bar(window, choice)
    if choice.action == "discard":
        return WINDOW_OPEN
    if not may:
        return _why_not_asked(hand, choice, rules)
    assert window.tile is not None
    if choice.tile not in (None, tile_text(window.tile)):
        return WRONG_TILE
    if "win" in window.answers and not (
        choice.action in ("win", "pass") and choice.seat in asked(hand, rules)
    ):
        return OUTRANKED
    if choice.action == "pass" or claim(choice) in may:
        return None
    return _why_not_asked(hand, choice, rules)


def _prompt_bar(window: Window, choice: Choice) -> Bar | None:
    """Why a choice is no answer to what is asked before the first turn."""
    may = window.may[choice.seat]
    if not may:
        return PROMPTED
    if claim(choice) in may or (choice.action == "pass" and window.prompt not in NO_PASS):
        return NOT_WITH_THIS_ACTION if choice.tile else None
    return {"bet": POINTS_MISSING, "void_suit": SUIT_MISSING}.get(window.prompt or "", PROMPTED)


def _why_not_asked(hand: Hand, choice: Choice, rules: Ruleset) -> Bar:
    """The rule that keeps a claim from a seat, where one does and does not tell an unseen tile."""
    assert hand.window is not None
    if choice.seat == hand.window.seat:
        return WINDOW_OPEN
    if claim(choice) not in CLAIMS or _lies_unseen(hand, hand.window, choice.seat):
        return NOT_ASKED
    return _claim_bar(hand, choice.seat, claim(choice), rules) or NOT_ASKED


def _lies_unseen(hand: Hand, window: Window, seat: Seat) -> bool:
    """Whether a window is on a tile laid face down that a seat has no claim on, nor may know."""
    face_down = hand.last is not None and hand.last.face_down and window.kong is None
    return face_down and not window.may[seat]


def _claims(hand: Hand, seat: Seat, rules: Ruleset) -> tuple[str, ...]:
    words = CLAIMS if rules.touzi else CLAIMS[:-1]
    return tuple(word for word in words if _claim_bar(hand, seat, word, rules) is None)


def _claim_bar(hand: Hand, seat: Seat, word: str, rules: Ruleset) -> Bar | None:
    """Why a seat may not claim the tile that lies open, by the word of the claim."""
    if hand.shown is not None:
        return (
            rules.win_bar(hand, seat, hand.shown.tile, "rob_kong") if word == "win" else NOT_ASKED
        )
    assert hand.last is not None
    tile = hand.last.tile
    if word == "win":
        return rules.win_bar(hand, seat, tile, "discard")
    needed, lacking = (2, NO_PUNG) if word == "pung" else (3, NO_KONG)
    if hand.seats[seat].hand.count(tile) < needed:
        return lacking
    if rules.is_exhausted(hand):
        return LAST_TILE
    if word == "pung":
        return rules.pung_bar(hand, seat, tile)
    return rules.kong_bar(hand, seat, tile, "exposed", word == "touzi")


def _candidates(hand: Hand, seat: Seat, rules: Ruleset) -> Iterator[Choice]:
    """Everything a seat could think of on its own turn, legal or not."""
    player = hand.seats[seat]
    yield Choice(seat, "win")
    own = {tile for tile in player.hand if player.hand.count(tile) == COPIES}
    added = {meld.tile for meld in player.melds if meld.how == "pung"} & set(player.hand)
    for tile in sorted(own | added):
        yield Choice(seat, "kong", tile_text(tile))
        if rules.touzi:
            yield Choice(seat, "kong", tile_text(tile), touzi=True)
    if player.declared is not None:
        yield Choice(seat, "pass")
        return
    for tile in sorted(set(player.hand)):
        yield Choice(seat, "discard", tile_text(tile))
        if rules.declares is not None:
            yield Choice(seat, "discard", tile_text(tile), declare=True)


def _discard_bar(hand: Hand, choice: Choice, rules: Ruleset) -> Bar | None:
    player = hand.seats[choice.seat]
    tile, fault = _held(hand, choice)
    if fault is not None:
        return fault
    if player.declared is not None:
        return FROZEN
    barred = rules.discard_bar(hand, choice.seat, tile)
    if barred is None and choice.declare:
        return rules.declare_bar(hand, choice.seat, tile)
    return barred


def _own_kong_bar(hand: Hand, choice: Choice, rules: Ruleset) -> Bar | None:
    tile, fault = _held(hand, choice)
    if fault is not None:
        return fault
    how = kong_how(hand, choice.seat, tile)
    if how is None:
        return NO_KONG
    if hand.turn is not None and hand.turn.by == "pung":
        return NO_TILE_DRAWN
    if rules.is_exhausted(hand):
        return LAST_TILE
    return rules.kong_bar(hand, choice.seat, tile, how, choice.touzi)


def _own_win_bar(hand: Hand, seat: Seat, rules: Ruleset) -> Bar | None:
    if hand.turn is not None and hand.turn.by == "pung":
        return NO_TILE_DRAWN
    return rules.win_bar(hand, seat, None, "self_draw")


def _may_decline(hand: Hand, seat: Seat, rules: Ruleset) -> bool:
    """Whether a frozen seat has something to decline: a win that is not forced, or a kong."""
    if hand.seats[seat].declared is None or rules.must_win(hand, seat):
        return False
    choices = _candidates(hand, seat, rules)
    moves = (choice for choice in choices if choice.action in ("win", "kong"))
    return any(bar(hand, choice, rules) is None for choice in moves)


def kong_how(hand: Hand, seat: Seat, tile: Tile) -> str | None:
    """Which kong a tile makes on the own turn: concealed, added, or None."""
    player = hand.seats[seat]
    if player.hand.count(tile) == COPIES:
        return "concealed"
    pung = any(meld.tile == tile and meld.how == "pung" for meld in player.melds)
    return "added" if pung and tile in player.hand else None


def _held(hand: Hand, choice: Choice) -> tuple[Tile, Bar | None]:
    """The tile of a choice on the own turn, which the seat must hold."""
    if choice.tile is None:
        return KINDS, TILE_MISSING
    tile = parse_tile(choice.tile)
    return tile, None if tile in hand.seats[choice.seat].hand else NOT_HELD
