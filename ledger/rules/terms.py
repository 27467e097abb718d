"""Words of settlements and options that every region has, by the codes that the data carries."""

from __future__ import annotations

COMMON = {
    "win": ("Win", "胡牌"),
    "kong": ("Kong", "杠"),
    "self_draw": ("Self-draw", "自摸"),
    "base_score": ("Base score", "底分"),
    "shares": ("Shares", "包"),
    "robbed": ("Robbed", "被抢"),
    "drawn_hand": ("Drawn hand", "荒庄"),
    "dissolved": ("Match broken off", "解散"),
    "none": ("None", "无"),
    "cap": ("Cap per hand", "单局封顶"),
}
"""A code's name in English and in Chinese; a region's own words are beside its patterns' names."""
