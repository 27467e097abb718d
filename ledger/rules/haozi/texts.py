"""What 耗子 says to its players: its patterns' names, and why a choice is not open."""

from __future__ import annotations

from ledger.rules.terms import COMMON

PATTERNS = {
    "standard": ("Four sets and a pair", "胡牌矩阵"),
    "seven_pairs": ("Seven pairs", "七小对"),
}
"""Every pattern with its names, in the order of the table of A4."""

TERMS = {
    **COMMON,
    "tile_value": ("Tile value", "点数"),
    "concealed_kong": ("Concealed kong", "暗杠"),
    "exposed_kong": ("Exposed kong", "点杠"),
    "added_kong": ("Added kong", "补杠"),
    "discarder_pays_kongs": ("Discarder pays all kongs", "点炮包杠"),
    "wind_rat": ("Wind rat", "风耗子"),
    "double_rat": ("Double rat", "双耗子"),
    "all": ("All seven", "七种"),
    "winds": ("The four winds", "只限东南西北"),
}
"""Every word of the options and settlements with its names."""

REFUSALS = """
wild_not_won 422
  A wild tile is not won: A discarded or konged wild tile wins nobody's hand.
  耗子不能胡：打出或补杠的耗子不能胡。
wild_not_melded 422
  No pung or kong of wild tiles: At this table wild kinds are neither punged nor konged.
  耗子不可碰杠：本桌耗子不能碰也不能杠。
win_not_declared 422
  Not declared: Seat {seat} has not declared ready, and at this table only who has declared wins.
  未报听：{seat} 号位没有报听；本桌报听后才能胡牌。
declared_not_ready 422
  Not worth declaring: A declared hand waits for a natural tile worth {points} points or more.
  不可报听：报听的手牌须听一张不低于 {points} 点的牌，耗子不算。
no_natural_wait 422
  Waits for no natural tile: A wild tile wins only for a hand that waits for some natural tile.
  没有听口：除耗子外没有可胡的牌，自摸耗子不能胡。
win_below_floor 422
  Too few points: With this tile the hand of seat {seat} is worth less than {points} points.
  点数不够：{seat} 号位胡这张牌，不到本桌要求的 {points} 点。
own_draw_left 422
  A win was passed: Seat {seat} passed a win; in this hand it can win by its own draw alone.
  已过胡：{seat} 号位已过胡，本局只能自摸。
no_win_passed 422
  No win was passed: Only a seat that has declared loses by a pass, and not where wins are forced.
  没有过胡：只有报听者过胡才受限；有胡必胡时不能过胡。
feeder_not_declared 422
  The feeder had not declared: Only an exposed kong tells so, and only if its feeder has declared.
  点杠者未报听：只有点杠者已报听的明杠才能这样写。
kong_loses_wait 422
  The wait would be lost: A declared hand must go on to wait for a natural tile of {points} points.
  杠后失听：报听后杠牌，仍须听一张不低于 {points} 点的牌，耗子不算。
kong_changes_waits 422
  The waits would change: At this table a declared hand kongs only if its waits stay the same.
  改变听口不能杠：本桌报听后，改变听口的牌不能杠。
several_winners 422
  One winner only: A tile is won by one seat, the nearest that does not pass.
  只有一家胡：一张牌只由最近且不过胡的一家胡。
nearer_winner 422
  A nearer seat wins: Seat {nearer} is nearer and could not pass this win.
  应由近家胡：{nearer} 号位更近，有胡必胡，不能过胡。
dealt_win_tile 422
  Told by another tile: A win with the dealt tiles is told by the tile worth most, here {tile}.
  应以另一张牌计：起手胡以点数最高的牌计，此处为 {tile}。
"""
