"""`paizhang replay`: a hand that was entered is told with all that its table has chosen."""

from __future__ import annotations

from click.testing import CliRunner

from ledger import cli
from tests.importing.place import Place, codes

SHEET = {
    "ref": "lobby/1",
    "seats": codes(2),
    "outcome": {
        "ruleset": "zhuoji/1",
        "options": {"players": 2, "gumai": True, "flip_mode": "swing", "week_ji": True},
        "dealer": 0,
        "streak": 2,
        "weekday": 6,
        "seats": [
            {
                "hand": "123456m5558p",
                "melds": [{"kind": "kong", "how": "added", "tile": "9m", "from": 1, "late": True}],
                "river": "1s2p",
                "bet": 2,
                "void_suit": "s",
            },
            {"hand": "1346m24467p1249s", "river": "3p", "void_suit": "s", "bet": 1},
        ],
        "first_chickens": [{"tile": "1s", "by": 0}],
        "end": "win",
        "wins": [{"seat": 0, "tile": "8p", "how": "self_draw"}],
        "flip": "7m",
    },
}


def told(place: Place) -> list[str]:
    """The one hand of the club, line by line."""
    (hand,) = place.hands()
    answer = CliRunner().invoke(cli.commands, ["replay", hand.table], obj=place.house)
    return [line.strip() for line in answer.stdout.splitlines()]


def test_the_hand_is_told_with_the_options_of_its_table(place: Place) -> None:
    """Those that are not as they are by default, in both languages."""
    place.run(SHEET)
    title, *rest = told(place)
    assert title.endswith(": zhuoji/1, A M-0001 deals, 2 hands in a row")
    assert rest[:4] == [
        "四人 / 三丁拐 / 二丁拐 Players: 2",
        "翻鸡牌 / 摇摆鸡 Flipped chickens: 摇摆鸡 The kinds before and after it",
        "星期鸡 Chicken of the weekday: on",
        "估卖 Bets: on",
    ]


def test_every_seat_is_shown_with_its_melds_its_bet_and_its_river(place: Place) -> None:
    place.run(SHEET)
    first = next(number for number, line in enumerate(told(place)) if "entered" in line)
    entered, _, *seats = told(place)[first:]
    assert entered.endswith("is entered by its outcome. Turned: 🀍.")
    assert seats[:4] == [
        "A M-0001 庄  🀇 🀈 🀉 🀊 🀋 🀌 🀝 🀝 🀝 🀠  "
        "[added kong 🀏 from B M-0002, made too late], bet 2, void suit s",
        "discarded 🀐 🀚",
        "B M-0002  🀇 🀉 🀊 🀌 🀚 🀜 🀜 🀞 🀟 🀐 🀑 🀓 🀘, bet 1, void suit s",
        "discarded 🀛",
    ]


def test_the_settlement_is_told_in_both_languages_with_the_paragraphs(place: Place) -> None:
    """6 for the win: 1, 1 by self-draw, 1 with the dealer, 3 bets; a late kong earns nothing."""
    place.run(SHEET)
    assert told(place)[-8:-5] == [
        "B M-0002 -> A M-0001      6  胡牌 Win: 平胡 Plain win 1, 自摸 Self-draw 1, "
        "一扣二 A point more with the dealer 1, 估卖 Bets 3  (zhuoji/1 B5.1)",
        "B M-0002 -> A M-0001      4  鸡 Chickens: 冲锋幺鸡 First bamboo chicken left lying 2, "
        "翻鸡牌 Flipped chicken 1, 星期鸡 Chicken of the weekday 1  (zhuoji/1 B5.3.1)",
        "not counted: A M-0001, 转弯豆 Added kong 🀏: 憨包豆 Made too late  (zhuoji/1 B5.2)",
    ]
    assert told(place)[-1] == "A M-0001 +10   B M-0002 -10"
