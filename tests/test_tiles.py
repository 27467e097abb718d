"""The tiles and their text form."""

from __future__ import annotations

from collections import Counter

import pytest

from ledger import tiles as t
from ledger.refusal import Refused


def test_a_tile_is_the_number_of_its_kind_in_the_order_m_p_s_z() -> None:
    texts = ["1m", "9m", "1p", "9p", "1s", "9s", "1z", "5z", "7z"]
    numbers = [0, 8, 9, 17, 18, 26, 27, 31, 33]
    assert [t.parse_tile(text) for text in texts] == numbers
    assert [t.tile_text(tile) for tile in numbers] == texts


@pytest.mark.parametrize("text", ["", "5", "m", "0m", "8z", "12m", "5M", "五万", "5m "])
def test_what_is_no_single_tile_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        t.parse_tile(text)
    assert (refused.value.code, refused.value.params) == ("tile_unknown", {"tile": text})


def test_a_run_of_one_suit_shares_its_letter() -> None:
    assert t.parse_tiles("123m55p5z") == (0, 1, 2, 13, 13, 31)
    assert t.tiles_text((0, 1, 2, 13, 13, 31)) == "123m55p5z"


def test_tiles_keep_the_order_in_which_they_are_written() -> None:
    assert t.parse_tiles("31m2p2m") == (2, 0, 10, 1)
    assert t.tiles_text((2, 0, 10, 1)) == "31m2p2m"


def test_no_tiles_are_no_text() -> None:
    assert t.parse_tiles("") == ()
    assert t.tiles_text(()) == ""


@pytest.mark.parametrize(
    ("text", "part"),
    [("123", "123"), ("m", "m"), ("1m 2m", " 2m"), ("1m0p2s", "0p2s"), ("1mx", "x"), ("8z", "8z")],
)
def test_what_is_no_run_of_tiles_is_refused_from_where_it_goes_wrong(text: str, part: str) -> None:
    with pytest.raises(Refused) as refused:
        t.parse_tiles(text)
    assert refused.value.params == {"tile": part}


def test_a_wall_is_two_letters_a_tile() -> None:
    assert t.wall_text((0, 1, 31)) == "1m2m5z"
    assert t.parse_tiles("1m2m5z") == (0, 1, 31)


def test_a_tile_that_is_not_shown_is_a_question_mark() -> None:
    assert t.tile_text(t.UNKNOWN) == "?"
    assert t.tiles_text((t.UNKNOWN, t.UNKNOWN, 0, 1)) == "??12m"
    assert t.parse_seen("??12m") == (t.UNKNOWN, t.UNKNOWN, 0, 1)


def test_a_tile_has_a_number_and_a_suit() -> None:
    assert [(t.rank(tile), t.suit(tile)) for tile in (0, 17, 22, 31)] == [
        (1, "m"),
        (9, "p"),
        (5, "s"),
        (5, "z"),
    ]


def test_a_set_holds_four_copies_of_each_kind() -> None:
    assert t.tile_set((0, 31)) == {0: 4, 31: 4}
    assert len(t.NUMBERS + t.HONOURS) == t.KINDS == 34


def test_a_wall_follows_from_its_secret() -> None:
    """By openssl the digests of places 0 to 5 under 5e…5e begin eb, c7, fb, 2a, 24 and 8c."""
    secret = bytes.fromhex("5e" * 32)
    assert t.shuffled((9, 0, 5, 3, 31, 4), secret) == (9, 5, 31, 3, 0, 4)
    assert t.shuffled((0, 3, 4, 5, 9, 31), secret) == (9, 5, 31, 3, 0, 4)


def test_a_wall_may_lie_in_any_order() -> None:
    """Given two thousand secrets, then each of four tiles comes first about as often."""
    secrets = (number.to_bytes(32, "big") for number in range(2000))
    first = Counter(t.shuffled((0, 1, 2, 3), secret)[0] for secret in secrets)
    assert all(440 < first[tile] < 560 for tile in range(4))


def test_wild_kinds_follow_from_their_secret() -> None:
    """By openssl the digests of 东南西北中发白 under 5e…5e begin 46, e7, e3, 9c, 4a, eb and a0."""
    secret = bytes.fromhex("5e" * 32)
    assert t.drawn(t.HONOURS, 1, secret) == (27,)
    assert t.drawn(reversed(t.HONOURS), 3, secret) == (27, 30, 31)


def test_any_kind_may_be_wild() -> None:
    """Given two thousand secrets, then each of four kinds is drawn about as often."""
    secrets = (number.to_bytes(32, "big") for number in range(2000))
    wild = Counter(t.drawn((0, 1, 2, 3), 1, secret) for secret in secrets)
    assert all(440 < wild[(tile,)] < 560 for tile in range(4))


def test_a_hand_stays_sorted() -> None:
    assert t.put((0, 5, 9), 3, 5) == (0, 3, 5, 5, 9)
    assert t.take((0, 3, 5, 5, 9), 5) == (0, 3, 5, 9)
    assert t.take((0, 3, 5, 5, 9), 5, 2) == (0, 3, 9)


def test_from_a_hand_not_seen_an_unknown_tile_goes() -> None:
    hidden = (t.UNKNOWN, t.UNKNOWN, 5)
    assert t.take(hidden, 5) == (t.UNKNOWN, t.UNKNOWN)
    assert t.take(hidden, 7) == (t.UNKNOWN, 5)


def test_taking_what_a_hand_cannot_hold_is_an_error_of_the_stream() -> None:
    with pytest.raises(ValueError, match="not in list"):
        t.take((0, 1), 5)
