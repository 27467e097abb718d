"""What is refused of checkpoints, proofs, evidence and the keys that sign."""

REFUSALS = """
not_under_a_checkpoint 409
  Not under a checkpoint yet: No checkpoint reaches so far; make one and ask again.
  尚无检查点：还没有检查点覆盖到这里，请先生成检查点再试。
checkpoint_unknown 404
  No such checkpoint: The club has no checkpoint at position {position}.
  没有这个检查点：本俱乐部在位置 {position} 没有检查点。
event_unknown 404
  No such event: The log has no event at position {position}.
  没有这个事件：账本在位置 {position} 没有事件。
checkpoint_malformed 422
  No checkpoint: This is no checkpoint of a club's log.
  不是检查点：这不是俱乐部账本的检查点。
checkpoint_contradicted 409
  The log was changed: It does not begin as the checkpoint at {position} says; nothing is signed.
  账本已被改动：账本与位置 {position} 的检查点不符，不再签名。
signing_key_retired 409
  A key that has ended: {last} has followed {key}, which this machine has and which signs no more.
  密钥已停用：本机的密钥 {key} 已由 {last} 接替，不能再签名。
signing_key_other 409
  Another key: The file holds {key}, which is not known here; {last} signed last. Put the file of \
{last} back; if it is lost, take this one away and say `paizhang signing-key begin`.
  密钥不符：密钥文件是此处不认识的 {key}，而最近签名的是 {last}。请放回 {last} 的文件；\
若已遗失，请移走此文件，再执行 `paizhang signing-key begin`。
signing_key_missing 409
  The signing key is not here: The file of {key}, which signed last, is missing; put it back, or \
where it is lost say `paizhang signing-key begin`.
  缺少签名密钥：最近签名的密钥 {key} 不在本机。请放回密钥文件；若已遗失，请执行 \
`paizhang signing-key begin`。
signing_key_unreadable 409
  No signing key: Its file cannot be made, or holds no Ed25519 key that can be read.
  没有签名密钥：签名密钥文件无法建立，或其中没有可读的 Ed25519 密钥。
key_text_malformed 422
  No public key: A public key is told as paizhang+<id>+<base64>.
  不是公钥：公钥的写法是 paizhang+<编号>+<base64>。
evidence_malformed 422
  No evidence: This has not the form of evidence of a hand; the fault is at {place}.
  不是凭证：不符合牌局凭证的格式，问题出在 {place}。
evidence_newer 422
  Made by a newer release: A newer release made it, in a form or by rules that are unknown here; \
check it with that release.
  来自更新的版本：文件来自更新的版本，其格式或规则在此无法识别，请用那个版本核对。
file_too_large 422
  Too large a file: {file} is larger than such a file can be ({most} bytes).
  文件过大：{file} 超出此类文件的上限（{most} 字节）。
proof_malformed 422
  No proof: This has not the form of a proof of consistency.
  不是证明：不符合一致性证明的格式。
key_wanted 422
  Whose key: To check a checkpoint alone, give the public key that you trust (--key).
  需要公钥：单独核对检查点时，请用 --key 给出所信任的公钥。
nobodys_decision 422
  Nobody decides this: Such an event only follows from others.
  不由人决定：这种事件只会随其他事件产生。
forgotten_in_club 409
  Still in the club: Who is forgotten leaves the club first.
  仍在俱乐部：被遗忘的人须先离开俱乐部。
log_cut 409
  The log lacks its end: What is shown has come to event {shown}, and the log ends at {last}.
  日志末尾缺失：所显示的内容已到第 {shown} 个事件，而日志只到第 {last} 个。
balances_otherwise 409
  Balances otherwise: Closing {number} tells other points than the members had.
  余额不符：第 {number} 次结账所列积分与成员实有不同。
"""
