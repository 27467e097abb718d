"""What is refused of who runs the service: backups, and the way back from them."""

REFUSALS = """
backup_exists 409
  Backed up already: There is a backup {place} already; make the next one a second later.
  备份已存在：备份 {place} 已存在，请一秒后再备份。
backup_unwritten 500
  Not backed up: In {folder} no backup can be written, and nothing of it is left there: {fault}.
  未能备份：无法在 {folder} 写入备份，没有留下任何内容：{fault}。
backup_of_nothing 409
  Nothing to back up: The database has no tables; `paizhang db upgrade` makes them.
  没有可备份的内容：数据库没有表，请先运行 `paizhang db upgrade`。
backup_unknown 404
  No backup: {folder} is no backup: its manifest.json cannot be read ({fault}).
  不是备份：{folder} 不是备份：无法读取其中的 manifest.json（{fault}）。
backup_malformed 422
  No manifest: The manifest.json in {folder} is not one that this release knows: {fault}.
  清单格式有误：{folder} 中的 manifest.json 不是此版本认识的清单：{fault}。
backup_other_kind 409
  Another kind: The backup is of {found}, and PAIZHANG_DATABASE_URL names {wanted}.
  数据库种类不符：备份来自 {found}，而 PAIZHANG_DATABASE_URL 指向 {wanted}。
restore_not_empty 409
  Not empty: The table {table} is in the way; a backup is only restored into an empty database.
  数据库不为空：表 {table} 已存在内容；只能恢复到空数据库，不会覆盖任何数据。
restore_in_use 409
  In use: Somebody is at {place} ({fault}); stop the service first.
  数据库正在使用：{place} 正被使用（{fault}）；请先停止服务。
restore_unwritten 500
  Not restored: {place} cannot be written: {fault}.
  未能恢复：无法写入 {place}：{fault}。
pg_program_missing 500
  A program is missing: {program} is not in the PATH; PAIZHANG_PG_BIN may name its folder.
  缺少程序：PATH 中没有 {program}；请安装 PostgreSQL 的客户端程序，或用 PAIZHANG_PG_BIN 指明其目录。
pg_program_failed 500
  It failed: {program} of PostgreSQL says: {fault}
  程序出错：PostgreSQL 的 {program} 报告：{fault}
drill_right_missing 403
  No database to try in: {user} may not make a database; ALTER ROLE {user} CREATEDB lets it.
  无法新建数据库：{user} 不能新建数据库；可用 ALTER ROLE {user} CREATEDB 授权。
drill_running 409
  Running already: A backup of this database is being tried already; wait until that has ended.
  已在进行：此数据库的备份正在演练恢复，请等其结束。
backup_file_missing 422
  Not whole: The file {file} is not in the backup.
  备份不完整：备份中没有文件 {file}。
backup_file_changed 422
  Changed: The file {file} is not the one that the manifest names: its size or SHA-256 differs.
  备份已改动：文件 {file} 与清单不符：大小或 SHA-256 不同。
backup_unreadable 422
  No database: The file of the backup cannot be read; SQLite says of it: {fault}
  无法读取：备份的文件无法读取，SQLite 报告：{fault}
backup_damaged 422
  Damaged: SQLite says of the file: {fault}
  文件已损坏：SQLite 对该文件报告：{fault}
backup_schema_differs 422
  Another schema: The manifest tells the schema {told}; restored is {found}.
  数据库结构不符：清单记为 {told}，恢复出来的是 {found}。
backup_rows_differ 422
  Other rows: The manifest tells {told} rows of {table}; restored are {found}.
  行数不符：清单记 {table} 有 {told} 行，恢复出来的有 {found} 行。
backup_head_differs 422
  Another log: The manifest ends the log of {club} at {told}; restored, it ends at {found}.
  日志不符：清单记 {club} 的日志止于 {told}，恢复出来的止于 {found}。
backup_log_not_whole 422
  A changed log: In the log of {club} the event at {position} is not as it was recorded ({why}).
  日志已改动：{club} 的日志在位置 {position} 的事件与记录时不同（{why}）。
backup_sum_not_zero 422
  A wrong sum: The settlement at {position} in the log of {club} does not sum to zero.
  合计有误：{club} 的日志在位置 {position} 的结算合计不为零。
backup_balance_differs 422
  A wrong balance: In {club} the balance of {member} is not what its log makes it.
  余额有误：{club} 中 {member} 的余额与其日志算出的不同。
backup_key_differs 422
  Another key: In {club} the key {named} is not one that its log has, or is another there.
  密钥不符：{club} 的密钥 {named} 不在其日志中，或与日志所记不同。
backup_membership_differs 422
  Another membership: In {club} the membership {named} is not one of its log, or another there.
  成员资格不符：{club} 的成员资格 {named} 不在其日志中，或与日志所记不同。
drill_failed 500
  It failed: The backup, or its trial, ended with an error: {fault}
  演练出错：备份或恢复演练因错误中止：{fault}
"""
