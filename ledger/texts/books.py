"""What is refused of allowances and of limits, and whom bars and limits keep from a table."""

REFUSALS = """
allowance_unknown 404
  No such allowance: There is no such allowance, or it is not in your club.
  没有这笔上下分：上下分不存在，或不在您的俱乐部。
allowance_exists 409
  The allowance is there already: An allowance with this id was asked for before.
  上下分已存在：这个编号的上下分已经申请过。
allowance_not_waiting 409
  Waits no more: This allowance is {state} already; only one that waits is approved or refused.
  不在等待：这笔上下分已是 {state} 状态，只有等待审批的才能批准或拒绝。
allowance_not_posted 409
  Not booked: This allowance is {state}; only what was booked can be undone.
  尚未入账：这笔上下分为 {state} 状态，只有已入账的才能撤销。
already_reversed 409
  Undone already: This was undone before, which happens once; book what is right as a new entry.
  已经撤销：此前已撤销，且只能撤销一次；请另记一笔正确的。
second_person 403
  Another person: Who asked for this cannot agree to it; it takes a second person.
  须另一人：申请人不能自己批准，须由第二人批准。
own_affair 403
  One's own affair: {member} is you, or was; of that somebody else decides.
  本人事务：{member} 是您本人（或曾是您），须由他人决定。
opening_given 409
  Opened before: {member} has an opening balance that stands; undo that one first.
  已有期初：{member} 已有一笔有效的期初积分，请先撤销那一笔。
reason_unknown 422
  No such reason: "{reason}" is no reason for this; there are {allowed}.
  原因未知：没有“{reason}”这个原因，现有 {allowed}。
reason_kind 422
  Reason does not fit: opening goes with opening alone; the kind is {kind}, the reason {reason}.
  原因不符：opening 只能与 opening 相配；类型是 {kind}，原因却是 {reason}。
reason_sign 422
  Points the wrong way: A top_up is above 0 and a withdrawal below; {reason} comes with {points}.
  正负不符：top_up 须大于 0，withdrawal 须小于 0；此处 {reason} 却是 {points}。
points_zero 422
  No points: A line gives or takes at least one point.
  分数为零：每行至少增减一分。
member_twice 422
  Named twice: {member} has a line already; a member has one.
  成员重复：{member} 已有一行，每个成员只能有一行。
date_in_future 422
  Not begun yet: {date} is after the club's business day, which is {today}.
  日期尚未到来：{date} 晚于俱乐部当前营业日 {today}。
date_before_club 422
  Before the club: {date} is before the business day of the club's founding, which is {founded}.
  早于建圈：{date} 早于俱乐部建立的营业日 {founded}。
limits_crossed 422
  Limits that cross: {lower} is {low}, above {upper}, which is {high}: nobody could play on.
  限制相互矛盾：{lower} 为 {low}，高于 {upper} 的 {high}，谁也无法继续玩。
member_left 409
  Has left: {member} has left the club; let him in again first.
  已退出：{member} 已退出俱乐部，请先让其重新加入。
member_barred 409
  Barred: {member} is barred and may not sit down; readmit him first.
  禁玩：{member} 已被禁玩，不能入桌，请先解除。
member_forgotten 409
  Forgotten: {member} was forgotten; who comes back joins anew.
  已被遗忘：{member} 的资料已删除；若要回来，请重新加入。
below_entry_floor 409
  Too few points to sit down: {member} has {points}, the floor is {limit}; {missing} are missing.
  低于入桌下限：{member} 有 {points} 分，入桌下限为 {limit}，还差 {missing} 分。
above_entry_ceiling 409
  Too many points to sit down: {member} has {points}, {missing} more than the ceiling of {limit}.
  高于入桌上限：{member} 有 {points} 分，超出入桌上限 {limit} 共 {missing} 分。
below_pause_floor 409
  Too few points to go on: {member} has {points}, the floor is {limit}; {missing} are missing.
  低于暂停下限：{member} 有 {points} 分，暂停下限为 {limit}，还差 {missing} 分。
day_loss_reached 409
  Lost enough that day: {member} has lost {points} of at most {limit} a day; another day is free.
  已达每日输分上限：{member} 当日已输 {points} 分，上限为 {limit}；请改日再玩。
table_elsewhere 409
  At a table already: {member} sits at {tables} open tables, of {limit} that are allowed.
  已在其他牌桌：{member} 已在 {tables} 张未结束的牌桌入座，最多 {limit} 张。
member_at_table 409
  At an open table: {member} sits at a table that is not closed; he can leave after that.
  仍在牌桌：{member} 所在的牌桌尚未结束，结束后才能退出。
hand_unsettled 409
  Not settled: Hand {hand} has no settlement, so nothing of it is booked.
  未结算：{hand} 还没有结算，没有记账。
dispute_open 409
  In dispute already: This hand is in dispute {dispute}; answer there.
  已有争议：本局已有争议 {dispute}，请在其中说明。
vote_contradicts 422
  Not what was voted: {agreed} of the {others} others agreed; a wish that passed has at least one \
who agreed, and one that came to nothing not all of them.
  与表决不符：其余 {others} 人中有 {agreed} 人同意；通过的申请至少有一人同意，未通过的不会全员同意。
voted_twice 422
  Voted twice: Seat {seat} is named more than once.
  重复表决：座位 {seat} 出现了不止一次。
sheet_unreadable 422
  No sheet: This is not CSV in UTF-8; its reader says: {fault}.
  不是表格：不是 UTF-8 编码的 CSV；解析器说明：{fault}。
sheet_invalid 422
  Wrong sheet: {n} of the sheet's lines are wrong; see errors.
  表格有误：表格有 {n} 行有误，详见 errors。
sheet_columns 422
  Wrong columns: The first line of a sheet is member,points; this one is {found}.
  列名有误：表格首行应为 member,points，此处为 {found}。
sheet_cells 422
  Wrong number of cells: A line has two cells, the member and the points; this one has {n}.
  单元格数有误：每行应有成员和积分两格，此行有 {n} 格。
sheet_points 422
  No points: Points are a whole number, plain as 1000 or -250; "{value}" is none.
  不是积分：积分应为整数，如 1000 或 -250，中间不带符号；“{value}”不是。
control_total 422
  Control total: The lines add up to {sum}, and {told} was told.
  合计不符：各行合计为 {sum}，而所报合计为 {told}。
books_behind 503
  Books behind: The books do not show the whole log yet; try again in a moment.
  账目未更新：账目尚未跟上日志，请稍后重试。
books_closed 503
  Without books: This part of the ledger has no books to look at.
  无账目：账本的这一部分没有可查的账目。
"""
