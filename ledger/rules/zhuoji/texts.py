"""What 捉鸡 says to its players: its patterns' names, and why something cannot be."""

from __future__ import annotations

from ledger.rules.terms import COMMON

PATTERNS = {
    "ping_hu": ("Plain win", "平胡"),
    "da_dui_zi": ("All triplets", "大对子"),
    "dan_diao": ("Single wait on four melds", "单吊"),
    "qi_dui": ("Seven pairs", "七对"),
    "long_qi_dui": ("Dragon seven pairs", "龙七对"),
    "di_long": ("Earth dragon", "地龙"),
    "qing_yi_se": ("One suit", "清一色"),
    "qing_da_dui": ("All triplets in one suit", "清大对"),
    "shuang_qing": ("Single wait on four melds in one suit", "双清"),
    "qing_qi_dui": ("Seven pairs in one suit", "清七对"),
    "qing_long_bei": ("Dragon seven pairs in one suit", "清龙背"),
    "qing_di_long": ("Earth dragon in one suit", "清地龙"),
}
"""Every pattern with its names, in the order of the table of B4."""

TERMS = {
    **COMMON,
    "discard": ("Win on a discard", "接炮"),
    "tian_hu": ("Heavenly win", "天胡"),
    "hard_ready": ("Declared as dealt", "硬报"),
    "soft_ready": ("Declared with the first discard", "软报"),
    "kill_declared": ("The payer had declared", "杀听"),
    "kong_draw_win": ("Win after a kong", "杠上开花"),
    "hot_deal_in": ("Dealt in after a kong", "热炮"),
    "rob_kong": ("Robbing a kong", "抢杠胡"),
    "self_draw_doubles": ("A self-draw doubles", "自摸翻倍"),
    "gumai": ("Bets", "估卖"),
    "one_two": ("A point more with the dealer", "一扣二"),
    "streak": ("Dealing in a row", "连庄"),
    "tong_san": ("Scored by threes", "通三"),
    "concealed_kong": ("Concealed kong", "闷豆"),
    "exposed_kong": ("Exposed kong", "点豆"),
    "added_kong": ("Added kong", "转弯豆"),
    "kong_penalty": ("Kongs of who is not ready", "未听罚豆"),
    "chickens": ("Chickens", "鸡"),
    "yao_ji": ("First bamboo chicken", "幺鸡"),
    "wugu_ji": ("Black-bone chicken", "乌骨鸡"),
    "flip_chicken": ("Flipped chicken", "翻鸡牌"),
    "ben_ji": ("The flipped tile itself", "本鸡"),
    "week_ji": ("Chicken of the weekday", "星期鸡"),
    "golden_yao_ji": ("Golden first bamboo chicken", "金幺鸡"),
    "golden_wugu_ji": ("Golden black-bone chicken", "金乌骨鸡"),
    "charge_yao_ji": ("First bamboo chicken left lying", "冲锋幺鸡"),
    "charge_wugu_ji": ("Black-bone chicken left lying", "冲锋乌骨鸡"),
    "golden_charge_yao_ji": ("Golden first bamboo chicken left lying", "金冲锋幺鸡"),
    "golden_charge_wugu_ji": ("Golden black-bone chicken left lying", "金冲锋乌骨鸡"),
    "chicken_liability": ("Chickens of who is not ready", "包鸡"),
    "responsibility_chicken": ("Responsibility for a chicken", "责任鸡"),
    "responsibility_yao_ji": ("First bamboo chicken taken", "责任幺鸡"),
    "responsibility_wugu_ji": ("Black-bone chicken taken", "责任乌骨鸡"),
    "ready_check": ("Who is not ready pays", "查叫"),
    "larger_counts": ("The larger one counts", "取大"),
    "late": ("Made too late", "憨包豆"),
    "burned": ("Burned", "鸡豆作废"),
    "not_ready": ("Not ready", "未听牌"),
    "wind_blow": ("Blown away", "风吹鸡"),
    "in_river": ("In the river", "河里的鸡"),
    "next": ("The kind after the flipped one", "翻鸡牌"),
    "swing": ("The kinds before and after it", "摇摆鸡"),
    "plus_one": ("One point", "加一"),
    "double": ("Doubled", "翻倍"),
    "both": ("Doubled, and one point", "翻倍又加一"),
    "settlement_time": ("When the hand ends", "结算时"),
    "room_creation": ("When the table is opened", "开房时"),
    "gold": ("A golden chicken", "金鸡"),
}
"""Every word of the options and settlements with its names; `PATTERNS` has the others."""

REFUSALS = """
fact_without_option 422
  Not at this table: This goes with the option {option}, which is not set so.
  本桌没有这一项：这一项要有选项 {option} 才有，本桌没有这样选。
fact_missing 422
  Something is missing: With the option {option} as it is, this must be told.
  缺少一项：按选项 {option} 的设定，必须写明这一项。
flip_without_win 422
  Nothing is flipped: A tile is flipped only after a win.
  没有翻鸡：只有胡牌之后才翻鸡。
flip_missing 422
  Nothing was flipped: The wall was not empty at this win, so a tile was flipped; tell which.
  缺少翻鸡：这样胡牌时牌墙还有牌，必须写明翻到哪张。
void_suit_melded 422
  A meld of the void suit: Nobody pungs or kongs a tile of his void suit.
  缺门不可碰杠：定缺的花色不能碰，也不能杠。
void_suit_held 422
  The void suit is not gone: Seat {seat} cannot win {tile} with a tile of its void suit.
  缺门未打完：{seat} 号位手牌、副露和胡的 {tile} 都不能有定缺的花色。
void_suit_kept 422
  The void suit goes first: Who discarded {tile} had to discard his void suit before it.
  须先打缺门：打出 {tile} 的人手里还有定缺的花色，应先打出。
pass_card_missing 422
  No pass: Seat {seat} may win {tile} with a plain hand only by a pass: an own kong.
  没有通行证：{seat} 号位没有杠过，平胡不能接 {tile}。
void_suit_first 422
  The void suit goes first: While seat {seat} holds a tile of its void suit it discards such a tile.
  先打缺门：{seat} 号位手里还有定缺的花色，须先打出。
kind_passed 422
  A win was passed: Seat {seat} passed a discard of this kind; it must draw, pung or kong first.
  过胡限制：{seat} 号位过了这张牌的炮胡，摸牌或碰杠之前不能再胡这张牌。
heavenly_win_passed 422
  The dealt win was passed: Seat {seat} was asked to win as dealt and passed; it is not asked twice.
  天胡已过：{seat} 号位已过天胡，本巡不能再胡起手的牌。
declared_too_late 422
  Too late to declare: Seat {seat} may declare only with its first discard, before any pung or kong.
  不能再报听：软报只能在第一次打牌时，且此前没有碰杠；{seat} 号位已过。
discard_not_ready 422
  Not ready: After this discard the hand of seat {seat} waits for nothing, so it cannot declare.
  未听牌不能报：{seat} 号位打出这张牌后没有听口，不能报听。
kong_never_late 422
  Never late: Only a concealed or an added kong can be late.
  不会是憨包豆：只有暗杠和碰后杠才会是憨包豆。
robbed_kong_untold 422
  Which kong was robbed: A robbed kong is told, with whether it was late.
  未写明被抢的杠：抢杠胡要写明被抢的是转弯豆还是憨包豆。
dealer_declares_hard 422
  The dealer declares otherwise: The dealer does not declare as dealt; he wins at once or not.
  庄家没有硬报：庄家起手只能直接胡，不能硬报听。
declared_melded 422
  Melded and declared: Seat {seat} has declared, so it has neither pung nor kong.
  报听不可碰杠：{seat} 号位已报听，不会有碰和杠。
declared_waits_for_nothing 422
  Declared without being ready: Seat {seat} has declared, but its hand waits for nothing.
  报听未听牌：{seat} 号位已报听，手牌却没有听口。
first_chicken_kind 422
  No default chicken: {tile} is none here; only {allowed} can be a first chicken.
  不是默认鸡：{tile} 在本桌不是默认鸡，首鸡只能是 {allowed}。
first_chicken_twice 422
  The first twice: There is one first {tile} in a hand.
  首鸡重复：一局只有一张首鸡 {tile}。
first_chicken_place 422
  It did not go there: The first {tile} stands in its discarder's river, or lies with who took it.
  首鸡去向不符：首鸡 {tile} 应在打出者牌河里，或在碰、杠、胡走它的一家。
first_chicken_missing 422
  The first chicken is missing: A {tile} was discarded; tell who threw the first and who took it.
  缺少首鸡：有人打出过 {tile}，要写明谁先打出、谁拿走。
"""
