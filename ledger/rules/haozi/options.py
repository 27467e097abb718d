"""The options of 耗子: everything a club may choose, with its defaults. Source: A2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.refusal import Refused
from ledger.rules.options import flag, number, one_of

WALL = 136
_HIGHEST = 10
"""The points of an honour: a higher floor nobody could reach."""


@dataclass(frozen=True)
class Options:
    """The options of a table of 耗子; from `min_declare_points` on they are house rules."""

    players: int = one_of("table", 4, "Players", "人数", (4, 3, 2))
    variant: Literal["wind_rat", "double_rat"] = one_of(
        "tiles", "wind_rat", "Variant", "风耗子 / 双耗子", ("wind_rat", "double_rat")
    )
    with_honours: bool = flag(
        "tiles", True, "With honours", "带风", needs={"variant": "double_rat"}
    )
    feeder_pays_kong: bool = flag("kongs", False, "Feeder pays all shares of a kong", "点杠包杠")
    discarder_pays_kongs: bool = flag("kongs", False, "Discarder pays all kongs", "点炮包杠")
    no_kong_if_wait_changes: bool = flag(
        "ready", False, "No kong that changes the waits", "改变听口不能杠"
    )
    must_win: bool = flag("winning", False, "No passing a win", "有胡必胡")
    base_score: int = number("table", 1, "Base score", "底分", 1, 1000)
    min_declare_points: int = number(
        "ready", 6, "Points to declare ready", "报听最低点数", 0, _HIGHEST, house_rule=True
    )
    min_win_points: int = number(
        "winning", 6, "Points to win", "胡牌最低点数", 0, _HIGHEST, house_rule=True
    )
    win_requires_declaration: bool = flag(
        "winning", True, "Only who has declared wins", "报听才能胡", house_rule=True
    )
    wild_honours: Literal["all", "winds"] = one_of(
        "tiles",
        "all",
        "Honours that may be wild",
        "耗子范围：七种 / 只限东南西北",
        ("all", "winds"),
        house_rule=True,
        needs={"variant": "wind_rat"},
    )
    face_down_claimable: bool = flag(
        "ready", True, "The face-down tile may be claimed", "倒扣的牌可要", house_rule=True
    )
    reoffer_added_kong: bool = flag(
        "kongs", True, "A passed added kong is offered again", "补杠过后可再杠", house_rule=True
    )
    draw_voids_kongs: bool = flag(
        "drawn", True, "Kongs void on a drawn hand", "荒庄荒杠", house_rule=True
    )
    rob_added_kong: bool = flag("winning", True, "Robbing a kong", "抢杠胡", house_rule=True)
    takeover_voids_own_kongs: bool = flag(
        "kongs",
        True,
        "Who pays all kongs loses his own",
        "包杠者自己的杠作废",
        house_rule=True,
        needs={"discarder_pays_kongs": True},
    )
    wall_reserve: int = number(
        "tiles", 0, "Tiles left in the wall", "牌墙留牌", 0, WALL, house_rule=True
    )
    wild_pung_kong_as_natural: bool = flag(
        "tiles", True, "Wild kinds may be punged and konged", "耗子可碰杠", house_rule=True
    )

    def __post_init__(self) -> None:
        """Refuses 风耗子 without honours: its wild kind is one of them."""
        if self.variant == "wind_rat" and not self.with_honours:
            raise Refused(
                "options_conflict",
                rule="haozi/1 A2",
                option="with_honours",
                value="false",
                other="variant",
                needed="double_rat",
            )
