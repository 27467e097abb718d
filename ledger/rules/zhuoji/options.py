"""The options of 捉鸡: everything a club may choose, with its defaults. Source: B2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.options import flag, number, one_of

KEY = "zhuoji/1"


@dataclass(frozen=True)
class Options:
    """The options of a table of 捉鸡; those from `self_draw_mode` on are house rules."""

    players: int = one_of("table", 4, "Players", "四人 / 三丁拐 / 二丁拐", (4, 3, 2))
    flip_mode: Literal["next", "swing", "none"] = one_of(
        "chickens", "next", "Flipped chickens", "翻鸡牌 / 摇摆鸡", ("next", "swing", "none")
    )
    ben_ji: bool = flag("chickens", False, "The flipped tile is a chicken", "本鸡")
    wugu_ji: bool = flag("chickens", False, "Black-bone chicken (8p)", "乌骨鸡")
    week_ji: bool = flag("chickens", False, "Chicken of the weekday", "星期鸡")
    wind_blow_ji: bool = flag("chickens", False, "A flipped 5p blows the chickens away", "风吹鸡")
    full_hall_ji: bool = flag("chickens", False, "Chickens in the river count", "满堂鸡")
    di_long: bool = flag("patterns", False, "Earth dragon", "地龙")
    gumai: bool = flag("table", False, "Bets", "估卖")
    dealer_mode: Literal["one_two", "none", "streak", "tong_san"] = one_of(
        "table",
        "one_two",
        "Dealer",
        "一扣二 / 连庄 / 通三",
        ("one_two", "none", "streak", "tong_san"),
    )
    base_score: int = number("table", 1, "Base score", "底分", 1, 10)
    self_draw_mode: Literal["plus_one", "double", "both"] = one_of(
        "winning",
        "plus_one",
        "What a self-draw adds",
        "自摸加一 / 自摸翻倍",
        ("plus_one", "double", "both"),
        house_rule=True,
    )
    streak_first_hand: int = one_of(
        "table",
        1,
        "The streak counts from",
        "连庄起算",
        (1, 0),
        house_rule=True,
        needs={"dealer_mode": "streak"},
    )
    base_scales_gumai: bool = flag(
        "table",
        True,
        "The base score multiplies bets",
        "底分乘估卖",
        house_rule=True,
        needs={"gumai": True},
    )
    draw_scores_ready_players: bool = flag(
        "drawn",
        True,
        "Kongs and chickens of ready players on a drawn hand",
        "荒庄计鸡豆",
        house_rule=True,
    )
    unready_kong_scores: bool = flag(
        "kongs", False, "Kongs of unready players are paid", "未听计豆", house_rule=True
    )
    ready_bonus_adds_to_pattern: bool = flag(
        "ready", True, "The ready bonus adds to the pattern", "报听加牌型", house_rule=True
    )
    weekday_source: Literal["settlement_time", "room_creation"] = one_of(
        "chickens",
        "settlement_time",
        "Which weekday counts",
        "星期取自",
        ("settlement_time", "room_creation"),
        house_rule=True,
        needs={"week_ji": True},
    )
    gold_doubles_liability: bool = flag(
        "chickens", True, "Gold doubles what unready players pay", "金鸡翻包鸡", house_rule=True
    )
    gold_doubles_responsibility: bool = flag(
        "chickens", False, "Gold doubles responsibility", "金鸡翻责任鸡", house_rule=True
    )
    ben_on_default: Literal["gold", "plus_one"] = one_of(
        "chickens",
        "gold",
        "A flipped default chicken",
        "本鸡遇默认鸡",
        ("gold", "plus_one"),
        house_rule=True,
        needs={"ben_ji": True},
    )
