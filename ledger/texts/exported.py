"""What came of checking an exported log, in phrases of two languages; of the form of verdicts.py.

`events.open_…` are what could not be checked.
"""

PHRASES = """
events.log
  The log of {club}: {events:event|events}; hash of the last one {hash}.
  俱乐部 {club} 的事件链：{events} 个事件；最后的哈希 {hash}。
events.not_so
  NOT SO, line {line}: {fault}
  不实，第 {line} 行：{fault}
events.not_so_end
  NOT SO, behind the last line: {fault}
  不实，最后一行之后：{fault}
events.sound_before
  The {events:event|events} before are as recorded; nothing else that the file says counts.
  之前的 {events} 个事件与记录时一致；文件所说的其他内容一概不算数。
events.other_club
  If all of it seems changed, the file is of another club than {club}.
  若全部内容看似都被改动，则文件属于 {club} 以外的俱乐部。
events.manifest_otherwise
  NOT SO: the manifest beside the file is of another log: of position {position}, hash {head}.
  不实：文件旁边的清单属于另一份账本：位置 {position}，哈希 {head}。
events.chain
  {events:event|events}, each hashed and chained to the one before, from the first on: none is \
changed, left out, added or moved
  {events} 个事件逐个计算哈希，并自第一个起逐个衔接：没有改动、缺失、添加或移位
events.decided
  every order up to position {decided}: it was open to who gave it, and the rest follows from the \
rules; {hands:hand was|hands were} settled again, and the books kept again
  位置 {decided} 之前的每个指令：下达者有权作出，其余均由规则得出；{hands} 局重新结算，账目重新核算
events.fit
  {agree:checkpoint|checkpoints} that you gave fit, the newest at position {sealed}
  您给出的 {agree} 个检查点相符，最新的在位置 {sealed}
events.fit_signed
  {agree:checkpoint|checkpoints} that you gave fit, the newest at position {sealed}, signed by a \
key that you trust
  您给出的 {agree} 个检查点相符，最新的在位置 {sealed}，由您信任的密钥签名
events.manifest
  the manifest beside the file: it names this position and this hash
  文件旁边的清单：所记的位置与哈希与此相同
events.open_running
  the private parts of {running:hand that runs|hands that run}, which are not shown yet
  {running} 局进行中的非公开部分：尚未公开
events.open_hidden
  {hidden:event|events} of which nothing is told but the place in the chain
  {hidden} 个事件：除在链中的位置外没有公开内容
events.open_undecided
  what was decided after position {decided}: it may follow from what is not shown
  位置 {decided} 之后的决定：可能取决于未公开的内容
events.open_settlement
  {unsettled:hand that waits|hands that wait} to be settled
  {unsettled} 局尚待结算
events.open_whose
  whether it is what others have as the club's log: no checkpoint of it was given (--against)
  是否为他人所持的同一份账本：没有给出该俱乐部的检查点（--against）
events.open_signer
  who signed the checkpoints: give the club's public key with --key
  检查点由谁签名：请用 --key 给出俱乐部的公钥
events.open_behind
  what lies behind position {sealed}, but by its chain: it could have been made anew. A newer \
checkpoint seals it
  位置 {sealed} 之后的内容：仅核对了链本身，可能被重新制作。更新的检查点可以封住它
events.open_end
  whether more follows: a file can end anywhere
  之后是否还有内容：文件可以在任何位置结束
events.open_beside
  names and notes, which no log holds, and whether a key had run out when it was used
  姓名与备注（账本中没有），以及密钥使用时是否已过期
events.sound_sealed
  SOUND, up to a checkpoint signed by a key that you trust.
  属实，直至由您信任的密钥签名的检查点。
events.sound_kept
  SOUND, up to the checkpoint that you gave.
  属实，直至您给出的检查点。
events.sound_in_itself
  SOUND IN ITSELF, but anybody can write such a file: give a checkpoint of the club with --against.
  自身一致，但任何人都可以写出这样的文件：请用 --against 给出俱乐部的检查点。
"""
