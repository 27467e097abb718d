"""What the commands of the books say, in phrases of two languages; of the form of verdicts.py."""

PHRASES = """
books.waits
  It waits for a second person.
  等待第二人批准。
books.line
  Line {line}: {fault}
  第 {line} 行：{fault}
books.more
  More follow: --after {last}
  后面还有：--after {last}
export.made
  {path}: {rows:row|rows}, as of position {position} of the log. Its manifest lies beside it.
  {path}：{rows} 行，截至日志第 {position} 位。清单文件在旁边。
claim.impossible
  Such a hand cannot be: {fault}
  不可能有这样的牌局：{fault}
claim.line
  The first line that differs: {way}, {what}.
  最先不同的一行：{way}，{what}。
claim.seat
  The first seat that differs: {code}.
  最先不同的座位：{code}。
claim.missing
  Left out: {way} {points}, {what} ({rule}).
  未计入：{way} {points}，{what}（{rule}）。
claim.void
  Not counted: {code}, {what}: {why} ({rule}).
  不计分：{code}，{what}：{why}（{rule}）。
claim.rule
  It is decided by {rule}.
  依据：{rule}。
claim.moves_one
  It would move {moves:point|points}, which takes one person.
  将变动 {moves} 分，一人即可裁决。
claim.moves_two
  It would move {moves:point|points}, which takes two persons.
  将变动 {moves} 分，须两人裁决。
dispute.waits
  The decision waits for a second person.
  裁决等待第二人同意。
dispute.agree
  Agree to this decision?
  同意这一裁决？
dispute.not_agreed
  Nothing was changed. Where nobody can answer, say --version {version}.
  未作任何变动。无人应答时请加 --version {version}。
dispute.own
  This is the member's own: with his key or his session, \
POST /v1/clubs/{club}/disputes/{dispute}/{act}.
  此事须成员本人办理：用其密钥或登录会话，POST /v1/clubs/{club}/disputes/{dispute}/{act}。
period.free
  Nothing stands in the way.
  可以结账。
rebuild.done
  {projection} is made anew, as generation {generation}.
  {projection} 已重建，为第 {generation} 代。
rebuild.none
  No rebuild was interrupted.
  没有中断的重建。
rebuild.interrupted
  Interrupted: {projection} has come to {done}. What is shown is as it was. \
`paizhang projections rebuild {club} --resume` goes on, `paizhang projections cancel {club}` \
drops what was made.
  已中断：{projection} 已到 {done}，所显示的内容不变。\
`paizhang projections rebuild {club} --resume` \
可继续，`paizhang projections cancel {club}` 可丢弃已重建的部分。
rebuild.dropped
  {projection}: generation {generation} is dropped.
  {projection}：第 {generation} 代已丢弃。
rebuild.nothing
  There is nothing to drop.
  没有可丢弃的内容。
"""
