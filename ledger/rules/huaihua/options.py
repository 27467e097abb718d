"""The options of 怀化: everything a club may choose, with its defaults. Source: C2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.options import any_of, flag, number, one_of

CHOSEN_PATTERNS = (
    "long_qi_dui",
    "jiang_jiang_hu",
    "ban_ban_hu",
    "tian_hu",
    "di_hu",
    "si_gui_yi",
    "yi_tiao_long",
    "que_yi_se",
)

_DISCARD_MODE = {"win_mode": "discard"}


@dataclass(frozen=True)
class Options:
    """The options of a table of 怀化; the last five are house rules."""

    players: int = one_of("table", 4, "Players", "人数", (4, 3, 2))
    zhong_wild: bool = flag("tiles", False, "Red dragons (wild)", "红中")
    win_mode: Literal["self_draw", "discard"] = one_of(
        "winning", "self_draw", "How to win", "胡法：自摸胡 / 接炮胡", ("self_draw", "discard")
    )
    no_small_discard: bool = flag(
        "winning", False, "Small wins not on a discard", "小胡不可接炮", needs=_DISCARD_MODE
    )
    rob_kong: bool = flag("winning", True, "Robbing a kong", "抢杠胡")
    bao_gang: bool = flag("kongs", True, "Feeder pays all shares of a kong", "包杠")
    void_kongs_on_draw: bool = flag("drawn", False, "Kongs void on a drawn hand", "荒庄荒杠")
    bird_count: int = number("birds", 0, "Birds", "抓鸟", 0, 20)
    bird_mode: Literal["normal", "159"] = one_of(
        "birds", "normal", "Kind of birds", "普通抓鸟 / 159中鸟", ("normal", "159")
    )
    patterns: tuple[str, ...] = any_of("patterns", "Big patterns", "大胡牌型", CHOSEN_PATTERNS)
    base_score: int = number("table", 1, "Base score", "积分底分", 1, 1000)
    pass_win_lock: Literal["none", "until_own_draw", "rest_of_hand"] = one_of(
        "winning",
        "until_own_draw",
        "A passed win bars discard wins",
        "过胡",
        ("none", "until_own_draw", "rest_of_hand"),
        house_rule=True,
    )
    rob_kong_exempt_from_small: bool = flag(
        "winning",
        True,
        "A small win may rob a kong",
        "小胡可抢杠",
        house_rule=True,
        needs=_DISCARD_MODE,
    )
    rob_allowed_in_self_draw_mode: bool = flag(
        "winning",
        True,
        "Robbing where only self-draws win",
        "自摸胡可抢杠",
        house_rule=True,
        needs={"win_mode": "self_draw"},
    )
    kong_after_touzi: bool = flag(
        "ready", False, "Kongs of a frozen hand", "骰后可杠", house_rule=True
    )
    si_gui_yi_wild: bool = flag(
        "patterns", True, "Wild tiles count for four in one", "红中可作四归一", house_rule=True
    )
