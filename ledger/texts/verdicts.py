"""What came of a check, in phrases of two languages: of a log, of a file, of what was not checked.

A block is a name, then the English and the Chinese phrase. A number in a gap can bring its word
with it: `{hands:hand was|hands were}`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ledger.texts import bookkeeping, exported

PHRASES = """
here.club_unknown
  There is no such club.
  没有这个俱乐部。
here.table_unknown
  There is no such table.
  没有这张牌桌。
here.membership_unknown
  There is no such membership or invitation.
  没有这个成员资格或邀请。
place.variable
   It was looked for in the database that {variable} names.
  查找的是 {variable} 所指的数据库。
place.file
   It was looked for in {file}; PAIZHANG_DATA names the data folder.
  查找的是 {file}；数据目录由 PAIZHANG_DATA 指定。
id.club
  a club
  俱乐部
id.key
  a key
  密钥
id.mbs
  a membership
  成员资格
id.mem
  a member
  成员
id.per
  a person
  个人
id.tbl
  a table
  牌桌
id.another
   {id} is the id of {found}.
  {id} 是{found}的编号。
log.sound
  {events:event is|events are} as recorded, {hands:hand was|hands were} decided and settled \
again{waiting}. The log fits {kept:checkpoint|checkpoints} of the database{yours}; last hash \
{hash}.
  {events} 个事件与记录时一致，{hands} 局重新裁定并结算{waiting}。账本与数据库中的 {kept} 个检查\
点相符{yours}；最后的哈希 {hash}。
log.waiting
   ({hands:hand waits|hands wait} to be settled)
  （另有 {hands} 局尚待结算）
log.yours
   and {yours} of yours
  ，与您给出的 {yours} 个检查点相符
log.fault
  The event at position {position}{stream} {what}{why}
  位置 {position} 的事件{stream}{what}{why}
log.stream
   ({stream}, version {version})
  （{stream}，第 {version} 版）
log.reaches
  : {files}
  ：{files}
log.reach
  {file} is of position {position}
  {file} 在位置 {position}
log.signer
  : it names key {key}, and trusted are {trusted}; if {key} is the club's too, give it with --key
  ：它注明密钥 {key}，而可信的是 {trusted}；若 {key} 也是本俱乐部的密钥，请用 --key 给出
fault.unreadable
  cannot be read
  无法读取
fault.position
  is missing
  缺失
fault.stream
  is of a type that cannot stand in its stream
  的类型不能出现在其事件流中
fault.founding
  is not what founds the club, or does it again
  不是建立俱乐部的事件，或重复建立
fault.closed
  was added to a match that was over
  加在了已结束的对局之后
fault.node
  lies under a node of the kept tree that is another
  所在的树节点与保存的不同
fault.version
  does not follow the one before it in its stream
  与其事件流中的前一个事件不衔接
fault.time
  is older than the one before it
  的时间早于前一个事件
fault.leaf
  was changed
  被改动过
fault.chain
  does not follow from the one before it
  与前一个事件的哈希不衔接
fault.slot
  has a private part that was changed
  的非公开部分被改动过
fault.malformed
  is not written in the one way in which events are
  没有按事件的唯一写法书写
fault.secret
  has a secret that is none, or not the one that its hand was played with
  的种子无效，或不是该局所用的种子
fault.head
  is not the one that the head of the log names as its last
  不是账本末端所指的最后一个事件
fault.refused
  was not open to who decided it
  不是决定者可以作出的决定
fault.otherwise
  is not what follows from what was decided
  与所作的决定不符
fault.missing
  is missing: what was decided has more consequences than are there
  缺失：所作的决定应有更多后果
fault.settlement
  is not the settlement that the rules give for the hand
  不是按规则得出的本局结算
fault.root
  is under a checkpoint that says something else
  与所在的检查点不符
fault.cut
  is missing: a checkpoint reaches beyond the end of the log
  缺失：有检查点超出账本末尾
fault.signature
  is under a checkpoint that none of the keys has signed
  所在的检查点没有任何一把密钥的签名
lie.signature
  The checkpoint in the file names key {key} as its signer, which is none that is trusted here \
({trusted}) and follows from none. If it is the club's own key of a later time, get the club's \
list of keys and give it with --follow.
  文件中的检查点注明由密钥 {key} 签名，而它不是可信的密钥（{trusted}），也不由其接续。若它是俱乐\
部后来更换的密钥，请取得俱乐部的密钥列表并用 --follow 给出。
lie.altered
  The checkpoint in the file names key {key} as its signer, but that key has not signed this \
text: it was changed.
  文件中的检查点注明由密钥 {key} 签名，但该密钥并未签署这段文字：文字被改动过。
lie.other_club
  The checkpoint in the file is of {place}, and the file is of another club.
  文件中的检查点属于 {place}，而文件属于另一个俱乐部。
lie.contradicted
  A checkpoint that was kept, at position {position}, contradicts the file's.
  您保存的位置 {position} 的检查点与文件中的相矛盾。
lie.order
  The event at position {position} is out of its order.
  位置 {position} 的事件次序不对。
lie.left_out
  Before position {position} the event with version {version} is left out.
  位置 {position} 之前缺少第 {version} 版的事件。
lie.not_in_log
  The event at position {position}, as it is shown, is not in the club's log.
  位置 {position} 的事件与俱乐部账本中的不符。
lie.not_of_this_hand
  The event at position {position} does not belong to this hand.
  位置 {position} 的事件不属于本局。
lie.malformed
  The event at position {position} is not written as events are.
  位置 {position} 的事件没有按事件的写法书写。
lie.opened_otherwise
  The hand that starts at position {position} has another {place} than its match can have.
  始于位置 {position} 的一局，其 {place} 与所在对局不符。
lie.told_otherwise
  What the file tells at {place} is not what its events say (position {position}).
  文件在 {place} 所述与其事件不符（位置 {position}）。
lie.refused
  What was decided at position {position} was not open: {sentence}
  位置 {position} 的决定当时不能作出：{sentence}
lie.otherwise
  The event at position {position} is not what follows from what was decided.
  位置 {position} 的事件与所作的决定不符。
lie.settlement
  The settlement at position {position} is not what the rules give.
  位置 {position} 的结算与规则不符。
file.hand
  Hand {hand} of table {table} in {club}.
  俱乐部 {club}，牌桌 {table}，第 {hand} 局。
file.not_so
  NOT SO: {lie}
  不实：{lie}
file.nothing_else
  Nothing else that the file says counts.
  文件所说的其他内容一概不算数。
file.checked
    checked: {what}
    已核对：{what}
file.unchecked
    not checked: {what}
    未核对：{what}
file.uncompared
  NOT COMPARED: {what}
  未能比较：{what}
file.sound
  SOUND, signed by a key that you trust.
  属实，由您信任的密钥签名。
file.sound_partly
  SOUND, signed by a key that you trust; but {open:checkpoint|checkpoints} of yours could not \
be compared with it.
  属实，由您信任的密钥签名；但您给出的 {open} 个检查点未能比较。
file.sound_in_itself
  SOUND IN ITSELF, but it brings its own key, and anybody can make one: give the club's with \
--key.
  自身一致，但密钥出自文件本身，任何人都可以造出：请用 --key 给出俱乐部的公钥。
hand.seat
    seat {seat} ({member}): {points}
    座位 {seat}（{member}）：{points}
hand.rules
    played by {ruleset}; it ended: {end}
    规则 {ruleset}；结果：{end}
hand.paid
    paid: {payer} to {payee}: {points} ({why})
    支付：{payer} 付给 {payee}：{points}（{why}）
hand.nothing_paid
    paid: nothing
    支付：无
hand.who
  seat {seat} ({member})
  座位 {seat}（{member}）
end.win
  won by {winners}
  {winners} 胡牌
end.won
  won; who won is not settled yet
  胡牌；尚未结算
end.exhausted
  drawn, the wall was empty
  荒庄
end.dissolved
  dissolved
  解散
end.unknown
  as it was entered, how is not told
  录入时未注明
end.void
  declared void: it does not count
  作废
checked.signed
  the checkpoint at position {position} is signed by a key that you trust
  位置 {position} 的检查点由您信任的密钥签名
checked.signed_itself
  the checkpoint at position {position} is signed by the key in the file
  位置 {position} 的检查点由文件中的密钥签名
checked.events
  {events:event lies|events lie} in the log under it, none of the hand is left out or moved
  {events} 个事件都在该检查点的账本之中，本局没有缺失或移位
checked.wall
  the wall follows from the hand's secret
  牌墙由本局的种子得出
checked.points
  the points were entered as they stand, and sum to zero
  积分为直接录入，合计为零
checked.entered
  the hand was played elsewhere and entered; what was entered can have been
  本局在别处进行后录入；所录入的情形是可能的
checked.decided
  every decision was open to who took it, and all else follows from the rules
  每个决定都是当时可以作出的，其余均由规则得出
checked.settlement
  the settlement is what the rules give for it, payment by payment
  结算逐笔符合规则
checked.agree
  {agree:checkpoint that you have kept agrees|checkpoints that you have kept agree} with it
  您保存的 {agree} 个检查点与之一致
unchecked.key
  whose key it is: give the club's with --key, which you have from elsewhere
  密钥属于谁：请用 --key 给出您从别处得到的俱乐部公钥
unchecked.points
  who earned what: of a hand that was entered by points nothing else is known
  各人积分如何得来：按积分录入的一局没有其他记录
unchecked.wall
  how the wall was mixed: it was brought from outside
  牌墙如何洗成：牌墙来自外部
unchecked.secret
  whether that secret was one of many that were tried
  该种子是否从许多试过的种子中挑出
unchecked.settlement
  a settlement: there is none in the file
  结算：文件中没有结算
unchecked.beside
  what lies beside the hand in the log, hands before it included
  账本中本局以外的内容，包括之前的各局
unchecked.others
  whether others were shown the same checkpoint: compare it with theirs
  他人看到的是否为同一个检查点：请与他们的比对
kept.unjoined
  {file} (position {position}): no --proof joins it with the file's, at {own}. Whoever runs the \
server makes one: `paizhang consistency {club} {first} {second} --output proof.json`; then add \
--proof proof.json
  {file}（位置 {position}）：没有 --proof 将其与文件的检查点（位置 {own}）相连。请服务器的运营者\
生成：`paizhang consistency {club} {first} {second} --output proof.json`，再加上 --proof \
proof.json
kept.misproven
  {file} (position {position}): the --proof that was given is wrong. Ask whoever runs the \
server for the right one: `paizhang consistency {club} {first} {second} --output proof.json`
  {file}（位置 {position}）：所给的 --proof 是错的。请向服务器的运营者索取正确的证明：`paizhang \
consistency {club} {first} {second} --output proof.json`
kept.other_club
  {file}: the checkpoint of {club} at {position} is of another club
  {file}：位置 {position} 的检查点属于另一个俱乐部 {club}
note.signed
  The checkpoint of {club} at {position} is signed by a key that you trust.
  {club} 在位置 {position} 的检查点由您信任的密钥签名。
note.altered
  The checkpoint of {club} at {position} ({file}) is NOT what key {key} has signed: its text \
was changed.
  {club} 在位置 {position} 的检查点（{file}）不是密钥 {key} 所签署的：文字被改动过。
note.untrusted
  The checkpoint of {club} at {position} ({file}) is NOT signed by a key that you trust: it \
names key {key}, and trusted are {trusted}. If {key} is the club's key of a later time, get the \
club's list of keys and give it with --follow.
  {club} 在位置 {position} 的检查点（{file}）没有可信密钥的签名：它注明密钥 {key}，而可信的是 \
{trusted}。若 {key} 是俱乐部后来更换的密钥，请取得俱乐部的密钥列表并用 --follow 给出。
pair.agrees
  The checkpoints at {own} and {position} are of one log that only grew.
  位置 {own} 与 {position} 的检查点属于同一个只增不减的账本。
pair.contradicts
  The checkpoints at {own} and {position} contradict each other: they cannot both be of this log.
  位置 {own} 与 {position} 的检查点相互矛盾：不可能同属这个账本。
pair.open
  The checkpoints at {own} and {position} could not be compared. {what}
  位置 {own} 与 {position} 的检查点未能比较。{what}
"""


class Many(int):
    """A number that a phrase tells with its word, in the singular or the plural."""

    def __format__(self, words: str) -> str:
        """The number alone, or with the word that fits."""
        one, _, many = words.partition("|")
        return f"{int(self)} {one if self == 1 else many}" if words else str(int(self))


def phrase(name: str, language: str, **gaps: Any) -> str:
    """A phrase in a language, its gaps filled."""
    told = {gap: Many(value) if isinstance(value, int) else value for gap, value in gaps.items()}
    return _phrases()[name][language].format_map(told)


def names(kind: str) -> frozenset[str]:
    """What there are phrases for, of a kind such as `fault` or `lie`."""
    return frozenset(
        name.removeprefix(f"{kind}.") for name in _phrases() if name.startswith(f"{kind}.")
    )


@cache
def _phrases() -> dict[str, dict[str, str]]:
    """Every phrase by its name and language; two spaces stand before a phrase, more are its own."""
    rooms = (PHRASES, bookkeeping.PHRASES, exported.PHRASES)
    lines = [line for room in rooms for line in room.strip("\n").splitlines()]
    blocks = zip(lines[::3], lines[1::3], lines[2::3], strict=True)
    return {name: {"en": english[2:], "zh": chinese[2:]} for name, english, chinese in blocks}
