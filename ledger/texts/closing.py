"""What is refused of who checks and closes the books 对账 / 结账, or agrees to them or does not."""

REFUSALS = """
period_unknown 404
  No such closing: The club has no closing {number}.
  结账不存在：俱乐部没有第 {number} 次结账。
period_closed 409
  Closed: The books are closed up to {closed_until}; what is booked counts from the day after on.
  账期已结：账目已结至 {closed_until}，只能记入其后的日期。
period_before_club 422
  Before the club: The books begin on {first}; nothing before it can be closed.
  早于建会：账目从 {first} 开始，不能对更早的日期结账。
books_moved 409
  Books moved: Others book up to {last} all the while. Close when that is over; nothing was written.
  账目正在变动：仍有人在记 {last} 及以前的账。请稍后再结账；未写入任何内容。
seats_moved 409
  Others sit there: Who sits at the table has changed meanwhile. Ask again.
  座位已变：牌桌的座位刚刚变动，请重新提交。
caller_changed 409
  You have changed: You play as another member than when you asked. Ask again.
  身份已变：您的会员身份刚刚变动，请重新提交。
period_not_over 422
  Not over yet: {last} can be closed when it is over; the business day is {today} now.
  尚未结束：{last} 结束后才能结账，现在的营业日是 {today}。
tables_open 409
  Tables are open: {n} are played on or not closed yet: {tables}.
  还有牌桌未结束：有 {n} 桌尚未结束或关闭：{tables}。
hands_unsettled 409
  Hands are not settled: The points of {n} finished hands are not booked yet.
  还有牌局未结算：有 {n} 局已打完但积分尚未入账。
period_not_last 409
  Not the last one: Closing {number} can be undone only after closing {last}, which follows it.
  不是最后一次结账：须先撤销其后的第 {last} 次结账，才能撤销第 {number} 次。
table_runs 409
  The match goes on: Its points can be checked off when it has ended.
  对局未结束：本桌尚未结束，结束后才能对账。
period_open 409
  Open again: Closing {number} was undone; there is nothing in it to agree to.
  结账已撤销：第 {number} 次结账已撤销，无需对账。
member_without_balance 404
  No balance there: {member} had no points when closing {number} was made.
  没有余额：第 {number} 次结账时成员 {member} 没有积分。
"""
