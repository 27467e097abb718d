"""Every reason that a settlement of 捉鸡 can give: why points are paid, and why not. Source: B5."""

from __future__ import annotations

PAID = (
    ("win", "zhuoji/1 B5.1"),
    ("kong", "zhuoji/1 B5.2"),
    ("kong_penalty", "zhuoji/1 B5.2"),
    ("chickens", "zhuoji/1 B5.3.1"),
    ("chicken_liability", "zhuoji/1 B5.3.3"),
    ("responsibility_chicken", "zhuoji/1 B5.3.4"),
    ("ready_check", "zhuoji/1 B5.4"),
)
"""Each reason of a payment, with each paragraph by which it is paid."""

_KONGS = ("concealed_kong", "exposed_kong", "added_kong")
_DEFAULT = ("yao_ji", "wugu_ji", "charge_yao_ji", "charge_wugu_ji")
_WON = ("burned", "not_ready")
"""Why who did not win is paid nothing, in a hand that somebody won."""
_UNPAID = (*_WON, "drawn_hand", "dissolved")
_SMALLER = (
    *("ping_hu", "da_dui_zi", "qi_dui", "qing_yi_se", "qing_da_dui"),
    *("hard_ready", "soft_ready", "tian_hu"),
)
"""The patterns and bonuses of which one can be smaller than the other, or as large."""

NOT_COUNTED = (
    *((what, "larger_counts") for what in _SMALLER),
    ("rob_kong", "late"),
    ("self_draw", "tong_san"),
    ("added_kong", "robbed"),
    *((what, why) for what in _KONGS for why in _UNPAID),
    ("concealed_kong", "late"),
    ("added_kong", "late"),
    *((what, why) for what in (*_DEFAULT, "week_ji") for why in (*_UNPAID, "wind_blow")),
    *((what, why) for what in ("flip_chicken", "ben_ji") for why in (*_WON, "wind_blow")),
    *((f"golden_{what}", why) for what in _DEFAULT for why in _WON),
    *((what, "in_river") for what in ("flip_chicken", "ben_ji", "week_ji")),
    *(("responsibility_chicken", why) for why in _UNPAID),
)
"""What is not counted, with each reason why. A tile that blows chickens away makes none golden."""
