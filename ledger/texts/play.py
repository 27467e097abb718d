"""What is refused at a table and of an outcome, in every game; regions bring their own."""

REFUSALS = """
member_seated_twice 422
  Seated twice: A member sits at the table once.
  重复入座：同一成员在一桌只能坐一个位置。
seats_count 422
  Wrong number of seats: There are {seats} seats; this game has {players} players.
  人数不对：有 {seats} 个座位，此玩法为 {players} 人。
seat_unknown 422
  No such seat: There is no seat {seat}; the {players} seats are counted from 0.
  没有这个座位：没有 {seat} 号位，{players} 个座位从 0 数起。
wall_composition 422
  Wrong wall: The wall has {copies} of {tile} and must have {expected}.
  牌墙有误：牌墙有 {copies} 张 {tile}，应为 {expected} 张。
wilds_drawn 422
  Wrong wild kinds: This game draws {count} different wild kinds, out of {allowed}.
  耗子有误：本玩法应抽出 {count} 种不同的耗子，可选 {allowed}。
entry_differs 422
  Not this match: {place} tells {told}, where the match has {known}.
  与本场不符：{place} 写的是 {told}，而本场是 {known}。
totals_sum 422
  Points that do not add up: The points of the seats sum to {sum}, and must sum to 0.
  分数不平：各家得分之和为 {sum}，应为 0。
entry_empty 422
  Nothing entered: A hand is entered by its outcome or by its points, and by one of them alone.
  没有录入内容：补录一局须给出结果或各家得分，二者取一。
tile_unknown 422
  No tile: {tile} is no tile.
  没有这种牌：{tile} 不是牌。
tile_not_in_game 422
  Not in this game: {tile} is not played with at this table.
  不用这种牌：本桌不用 {tile}。
tile_copies 422
  Too many of a kind: There are {copies} of {tile}; there can be four.
  张数过多：{tile} 有 {copies} 张，最多四张。
hand_length 422
  Wrong number of tiles: The hand has {tiles} concealed tiles and should have {expected}.
  手牌张数不对：手牌有 {tiles} 张，应为 {expected} 张。
dealt_length 422
  Wrong number of dealt tiles: {tiles} tiles were dealt; it should be {expected}.
  起手张数不对：起手有 {tiles} 张，应为 {expected} 张。
dealt_differs 422
  Not as dealt: Who wins on the first turn still has the tiles dealt.
  与起手不符：第一巡胡牌者的手牌应与起手一致。
meld_how 422
  What kind of kong: A kong says how it was made, a pung does not.
  杠的种类：杠要写明种类，碰不写。
meld_from 422
  Who fed it: A meld says which other seat it came from; a concealed kong came from nobody.
  来自何人：副露要写明来自哪一家，暗杠不写。
meld_twice 422
  The same meld twice: A seat has a kind of tile in one meld.
  副露重复：同一种牌只能有一副副露。
end_and_wins 422
  End and wins disagree: A hand that ends with {end} has wins if and only if it is a win.
  结束与胡牌不符：以 {end} 结束，与所列胡牌矛盾。
winner_twice 422
  The same winner twice: A seat wins once in a hand.
  重复胡牌：一局中一家只胡一次。
wins_differ 422
  Wins that differ: Several winners win with one tile from one seat, and never by self-draw.
  胡牌不一致：一炮多响须是同一张牌、同一来源，且不能自摸。
win_from 422
  Who gave the tile: A win names the other seat that gave its tile; a self-draw names nobody.
  何人放炮：接炮或抢杠要写明是哪一家，自摸不写。
robbed_without_pung 422
  Nothing was robbed: The robbed seat shows the kong of {tile} as a pung.
  无杠可抢：被抢者的 {tile} 应按碰列出。
not_first_turn 422
  Not the first turn: The winner has discarded, melded or had a tile taken before.
  不是第一巡：胡牌者已出牌、副露或被吃碰杠。
after_kong 422
  The kong does not fit: No kong that is there fits after_kong.
  杠不相符：after_kong 与已有的杠不符。
fact_of_another_ruleset 422
  Of another ruleset: {ruleset} knows no such fact.
  属于别的规则：{ruleset} 没有这一项。
hand_not_complete 422
  No win: The hand of seat {seat} is not complete.
  未成胡：{seat} 号位的牌不能胡。
hand_frozen 422
  The hand is frozen: Seat {seat} plays a frozen hand and may not do this.
  手牌已定：{seat} 号位已定住手牌，不能这样做。
hand_over 422
  The hand is over: Nobody acts any more in a hand that has ended.
  本局已结束：牌局结束后不能再行动。
not_your_turn 422
  Not your turn: It is not the turn of seat {seat}, and no tile waits to be claimed.
  未轮到：还没轮到 {seat} 号位，也没有可要的牌。
window_open 422
  Others are asked: Others may still claim the tile; wait until they have answered.
  等待他家：其他玩家还可以要这张牌，请等待回应。
not_asked 422
  Not asked: Seat {seat} has no such claim on this tile.
  不可要牌：{seat} 号位不能这样要这张牌。
prompt_open 422
  Others are asked first: Seats are asked something before the first turn; seat {seat} must wait.
  尚在询问：首轮之前有询问未答完，{seat} 号位不能这样做。
points_missing 422
  No bet: A bet names its points: 0, 1 or 2.
  没有下注分：估卖要写明 0、1 或 2。
suit_missing 422
  No suit: A void suit is named: m, p or s.
  没有花色：定缺要写明 m、p 或 s。
already_answered 422
  Answered already: Seat {seat} has answered.
  已经回应：{seat} 号位已经回应过。
claim_outranked 422
  Too late: Another seat has claimed the win; this answer can change nothing.
  已有人胡：别家已经胡牌，此回应不起作用。
not_on_own_turn 422
  Not on the own turn: Seat {seat} can claim only a tile of somebody else's.
  不能碰自己的牌：{seat} 号位只能要别家打出的牌。
no_tile_drawn 422
  No tile drawn: After a pung seat {seat} discards; it has drawn nothing.
  没有摸牌：{seat} 号位碰后须先出牌。
nothing_to_pass 422
  Nothing to pass: On the own turn seat {seat} must act.
  无可过：轮到 {seat} 号位行动，不能过。
tile_missing 422
  Which tile: This action names its tile.
  未指明牌：此动作要写明是哪张牌。
tile_not_held 422
  Not in hand: Seat {seat} does not hold {tile}.
  手中没有：{seat} 号位手里没有 {tile}。
not_the_tile_offered 422
  Another tile: {tile} is not the tile in question.
  不是这张牌：{tile} 不是当前这张牌。
no_pair_for_pung 422
  No pair: Seat {seat} does not hold two of this tile.
  不够碰：{seat} 号位没有两张同样的牌。
no_four_of_a_kind 422
  No kong: Seat {seat} does not have all four of this tile.
  不够杠：{seat} 号位凑不齐四张。
last_tile 422
  The wall is empty: There is no tile left that could be drawn after it.
  牌墙已空：已没有牌可补。
not_in_this_game 422
  Not in this game: There is no such action here. Who is ready declares with a discard, if at all.
  没有此动作：此规则没有这个动作；如可报听，须随打牌一起报。
not_with_this_action 422
  Too much said: This action does not take these fields.
  字段多余：此动作不带这些字段。
"""
