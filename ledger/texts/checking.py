"""What is refused of the files that somebody gives to check, and to check with."""

REFUSALS = """
file_missing 404
  No such file: There is no file {file}.
  没有这个文件：找不到文件 {file}。
file_is_folder 422
  A folder: {file} is a folder; name a file in it.
  这是文件夹：{file} 是文件夹，请给出其中的文件。
file_truncated 422
  Not whole: {file} breaks off in the middle, so it was cut short on its way; get it again.
  文件不完整：{file} 中途断开，应是传输时被截断，请重新获取。
file_is_evidence 422
  Evidence of a hand: {file} is evidence of a hand: `paizhang verify {file}` checks it.
  这是凭证：{file} 是牌局凭证，请用 `paizhang verify {file}` 核对。
file_is_keys 422
  Public keys: {file} holds public keys: they are given with --key.
  这是公钥：{file} 中是公钥，请用 --key 给出。
file_is_private_key 422
  A private key: {file} is a private key: keep it to yourself, and give the public one.
  这是私钥：{file} 是私钥，请勿外传；这里需要公钥。
file_is_checkpoint 422
  A checkpoint: {file} holds a checkpoint: it is given with --against, or checked as a file alone.
  这是检查点：{file} 中是检查点，请用 --against 给出，或单独核对。
file_is_proof 422
  A proof: {file} is a proof of consistency: it is given with --proof.
  这是证明：{file} 是一致性证明，请用 --proof 给出。
file_is_nothing_to_check 422
  Nothing to check: {file} is neither evidence of a hand (`paizhang evidence`) nor a checkpoint.
  无可核对：{file} 既不是牌局凭证（`paizhang evidence`），也不是检查点。
log_of_no_club 422
  Of which club: Nothing says of which club the log in {file} is. Put its manifest beside it, or \
give a checkpoint of the club with --against.
  属于哪个俱乐部：没有说明 {file} 中的事件链属于哪个俱乐部。请把清单放在旁边，或用 --against 给出\
俱乐部的检查点。
manifest_malformed 422
  No manifest: {file} is not the manifest of an export: put it there again as it was made, or away.
  清单不成形：{file} 不是导出的清单：请放回原样，或移走。
note_missing 422
  No checkpoint: In {file} no whole checkpoint is found. It begins with a line paizhang/club_…, \
has five lines and an empty one, and ends with a line — paizhang …, all as they were signed.
  没有检查点：{file} 中没有完整的检查点。检查点以 paizhang/club_… 一行开头，共五行加一个空行，\
以 — paizhang … 一行结尾，须与签署时完全相同。
note_not_alone 422
  Several checkpoints: {file} holds {count} checkpoints; name a file with one.
  检查点不止一个：{file} 中有 {count} 个检查点，请给出只含一个的文件。
keys_missing 422
  No public key: In {file} there is no public key; one is told as paizhang+<id>+<base64>.
  没有公钥：{file} 中没有公钥；公钥的写法是 paizhang+<编号>+<base64>。
key_nowhere 422
  No key: There is no file {file}, nor is that a public key, told as paizhang+<id>+<base64>.
  没有密钥：找不到文件 {file}，它也不是公钥；公钥的写法是 paizhang+<编号>+<base64>。
key_spoilt 422
  A changed key: Line {line} of {file} is a key in which a letter was changed or lost; get it again.
  密钥有误：{file} 第 {line} 行的密钥有字母被改动或遗失，请重新获取。
key_line_malformed 422
  No key: Line {line} of {file} is no public key, which is told as paizhang+<id>+<base64>.
  不是公钥：{file} 第 {line} 行不是公钥；公钥的写法是 paizhang+<编号>+<base64>。
key_not_of_log 409
  Not the key: You trust {trusted}, and this log is signed by {listed}, none of which follows from \
it: the key is of another installation, or the list of this one was replaced. Nothing was judged.
  密钥不符：您信任 {trusted}，而本账本由 {listed} 签名，都不由其接续：密钥属于另一处安装，\
或此处的密钥列表被替换。未作任何核对。
checkpoint_altered 422
  A changed checkpoint: {file}, of {club} at {position}, names key {key}, which has not signed \
this text; trusted here: {trusted}. It was changed, so nothing was judged by it; get it again.
  检查点被改动：{file}（{club}，位置 {position}）注明密钥 {key}，而该密钥并未签署这段文字；\
此处可信的是 {trusted}。它在途中被改动，因此未据其核对，请重新获取。
checkpoint_untrusted 422
  Not a key of yours: {file}, of {club} at {position}, names key {key}; you trust {trusted}. \
Nothing was judged by it. If it is the club's too, give it with --key, or its list with --follow.
  不是可信密钥：{file}（{club}，位置 {position}）注明密钥 {key}，而您信任 {trusted}。未据其核对。\
若 {key} 也是俱乐部的密钥，请用 --key 给出，或用 --follow 给出其密钥列表。
checkpoint_unlisted 422
  Not a key of this log: {file}, of {club} at {position}, names key {key}; this database lists \
{trusted}. Either the file is not from here, or the list was replaced; nothing was judged by it.
  不是本账本的密钥：{file}（{club}，位置 {position}）注明密钥 {key}，而本数据库列出的是 {trusted}。\
文件可能并非来自此处，或列表被替换；未据其核对。
evidence_key_malformed 422
  A changed key: The public key at {place} has a changed or lost letter; get the file again.
  密钥有误：{place} 处的公钥有字母被改动或遗失，请重新获取文件。
checkpoints_of_two_clubs 422
  Two clubs: {file} is of {club}, and {wanted} was named.
  俱乐部不符：{file} 属于 {club}，而所给的是 {wanted}。
checkpoints_in_no_order 422
  The later one first: {first} comes after {second}; name the earlier first.
  次序颠倒：{first} 晚于 {second}，请先给出较早的。
"""
