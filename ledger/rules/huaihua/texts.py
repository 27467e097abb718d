"""What 怀化 says to its players: its patterns' names, and why a choice is not open."""

from __future__ import annotations

from ledger.rules.terms import COMMON

PATTERNS = {
    "qi_dui": ("Seven pairs", "七对"),
    "long_qi_dui": ("Dragon seven pairs", "龙七对"),
    "peng_peng_hu": ("All triplets", "碰碰胡"),
    "qing_yi_se": ("One suit", "清一色"),
    "jiang_jiang_hu": ("All twos, fives and eights", "将将胡"),
    "gang_shang_kai_hua": ("Win after a kong", "杠上开花"),
    "tian_hu": ("Heavenly win", "天胡"),
    "di_hu": ("Earthly win", "地胡"),
    "si_gui_yi": ("Four in one", "四归一"),
    "yi_tiao_long": ("Straight", "一条龙"),
    "ban_ban_hu": ("No twos, fives or eights dealt", "板板胡"),
    "que_yi_se": ("A suit missing as dealt", "缺一色"),
    "si_hong_zhong": ("Four red dragons dealt", "四红中"),
    "ping_hu": ("Plain win", "平胡"),
}
"""Every pattern with its names, in the order of the table of C4."""

TERMS = {
    **COMMON,
    "discard": ("Win on a discard", "接炮"),
    "rob_kong": ("Robbing a kong", "抢杠胡"),
    "birds": ("Birds", "中鸟"),
    "concealed_kong": ("Concealed kong", "暗杠"),
    "exposed_kong": ("Exposed kong", "直杠"),
    "added_kong": ("Added kong", "明杠"),
    "normal": ("Birds by seat", "普通抓鸟"),
    "159": ("Every 1, 5 and 9", "159中鸟"),
    "until_own_draw": ("Until the own draw", "到自己摸牌为止"),
    "rest_of_hand": ("For the rest of the hand", "整局"),
}
"""Every word of the options and settlements with its names; `PATTERNS` has the others."""

REFUSALS = """
zhong_not_discarded 422
  The red dragon stays: The red dragon is wild and is never discarded.
  红中不可打出：红中是百搭，不能打出。
zhong_not_melded 422
  No kong of red dragons: The red dragon is wild and makes no pung or kong.
  红中不可碰杠：红中是百搭，不能碰也不能杠。
zhong_not_played 422
  The red dragon is never laid out: It can lie in no meld and no river, and be nobody's discard.
  红中不会上桌：红中不会出现在副露和牌河里，也不会被人打出。
pung_leaves_no_discard 422
  Nothing left to discard: After this pung seat {seat} would hold nothing but red dragons.
  碰后无牌可打：碰了以后，{seat} 号位手里只剩红中。
kong_passed 422
  The kong was passed: Seat {seat} could have konged this tile before, and lost the right to it.
  已过杠：{seat} 号位先前可杠而未杠，本局不能再杠这张牌。
touzi_not_ready 422
  Not ready for 骰: A hand may be frozen by a kong only if it is ready to win after it.
  未听牌不能骰：开杠后听牌，才能选择骰。
self_draw_only 422
  Only self-draws win: At this table nobody wins on a discard.
  只能自摸：本桌为自摸胡，不能接炮。
small_win_on_discard 422
  The hand is too small: At this table a small win may not take somebody else's tile.
  小胡不可接炮：本桌小胡不能接炮。
win_passed 422
  A win was passed: Seat {seat} passed a win on a discard, and must wait before it takes another.
  已过胡：{seat} 号位已过胡，暂时不能接炮。
no_robbing 422
  No robbing: At this table kongs are not robbed.
  不可抢杠：本桌没有抢杠胡。
frozen_not_ready 422
  No frozen hand: A hand is frozen only after a kong, and only if it waits for a tile.
  不是骰的手牌：只有开杠后听牌，手牌才会定住。
birds_count 422
  Wrong number of birds: There are {birds} birds; {low} to {high} would be possible.
  鸟的数目不对：有 {birds} 只鸟，应为 {low} 到 {high} 只。
"""
