"""What is refused of any request: who asks, how, and about what."""

REFUSALS = """
bad_request 400
  Bad request: The server does not understand this request.
  请求有误：服务器无法理解这个请求。
json_malformed 400
  No JSON: This is not well-formed JSON in UTF-8; its reader says: {fault}.
  不是 JSON：不是格式正确的 UTF-8 JSON；解析器说明：{fault}。
query_invalid 400
  Wrong parameters: A query parameter has not the form that is documented.
  查询参数有误：查询参数不符合文档规定的格式。
parameter_unknown 400
  Unknown parameter: There is no parameter of this name here.
  未知参数：这里没有这个名称的参数。
parameter_repeated 400
  Said twice: This parameter may be given once.
  参数重复：此参数只能出现一次。
parameters_exclude 400
  Not together: Of {allowed} a request may name one.
  不能同时使用：{allowed} 每次只能使用一个。
dates_crossed 400
  Ends before it begins: `first` is after `last`.
  日期颠倒：first 晚于 last。
position_ahead 400
  No such position yet: There is no event at {wanted}; the log ends at {position}.
  位置尚不存在：位置 {wanted} 还没有事件，日志到 {position} 为止。
cursor_unknown 400
  Unknown place in the list: {parameter} names nothing in this list.
  列表位置不存在：{parameter} 指向的对象不在此列表中。
follow_form 400
  No stream: With follow=true ask for application/x-ndjson or text/event-stream in Accept.
  不是数据流：使用 follow=true 时，Accept 应为 application/x-ndjson 或 text/event-stream。
actor_form 400
  Nobody's id: This must be the id of a key (key_…) or a person (per_…), or operator.
  不是操作者编号：应为密钥编号（key_…）、个人编号（per_…）或 operator。
target_form 400
  No id: This must be the id of what was acted on: club_…, key_…, mem_…, mbs_… or tbl_….
  不是编号：应为被操作对象的编号：club_…、key_…、mem_…、mbs_… 或 tbl_…。
last_event_form 400
  Wrong Last-Event-ID: It must be the position of an event, as the stream gave it in id.
  Last-Event-ID 有误：应为数据流在 id 中给出的事件位置。
idempotency_key_missing 400
  Idempotency-Key missing: A write needs the header Idempotency-Key, so that it happens once.
  缺少 Idempotency-Key：写入请求必须带 Idempotency-Key 头，以保证只执行一次。
idempotency_key_form 400
  Wrong Idempotency-Key: It may have up to {longest} printable ASCII characters.
  Idempotency-Key 格式有误：最多 {longest} 个可打印的 ASCII 字符。
version_not_taken 400
  If-Match not taken: Nothing is changed here that has a version; leave If-Match out.
  不接受 If-Match：此操作不针对有版本的对象，请去掉 If-Match。
version_form 400
  Wrong If-Match: It must be one version in quotes, as in the ETag: "17".
  If-Match 格式有误：应为 ETag 里带引号的一个版本号，例如 "17"。
key_missing 401
  No key: Send an API key (Authorization: Bearer pz_…) or the token of a session (Bearer ps_…).
  缺少密钥：请在 Authorization 头里带上 API 密钥（Bearer pz_…）或会话令牌（Bearer ps_…）。
key_invalid 401
  Not accepted: The key or session is unknown, was revoked or ended, or has expired.
  密钥无效：密钥或会话不存在、已被撤销、已结束或已过期。
login_wrong 401
  Not signed in: The login or the password is not right.
  登录失败：登录名或密码不正确。
link_invalid 401
  Link not accepted: The link is unknown, was used, was taken back, or has expired.
  链接无效：链接不存在、已被使用、已被收回或已过期。
role_missing 403
  Not in your role: This needs the role {role}.
  权限不足：此操作需要角色 {role}。
not_the_recorder 403
  Not your table: Only the key that opened this table may record what happens at it.
  不是本桌的记录方：只有开桌的密钥才能记录本桌。
session_needed 403
  For people only: This is for a person who has signed in, not for a key.
  仅限个人：此操作只限已登录的个人，不适用于密钥。
session_of_a_club 403
  For one club alone: A club's link let you in; for this use your password or an operator's link.
  仅限一个俱乐部：您通过俱乐部的链接登录；此操作请用密码或运营者的链接登录。
old_password_wrong 403
  Password not right: Say the password you have now, or ask the operator for a link.
  密码不正确：请提供现有密码，或向运营者索取登录链接。
table_not_yours 403
  Not your table: This table is shown to the club's owner, its recorder and its players only.
  与您无关的牌桌：只有圈主、本桌记录方和本桌玩家可以查看。
not_found 404
  Nothing here: There is nothing at this address.
  找不到：这个地址没有内容。
club_unknown 404
  No such club: There is no such club, or it is not yours.
  没有这个俱乐部：俱乐部不存在，或不属于您。
person_unknown 404
  No such person: There is nobody with the id or login {person}.
  没有这个人：没有编号或登录名为 {person} 的人。
session_unknown 404
  No such session: There is no such session of yours.
  没有这个会话：您没有这个会话。
membership_unknown 404
  No such membership: There is no such membership or invitation, or it is not in your club.
  没有这个成员资格：成员资格或邀请不存在，或不在您的俱乐部。
table_unknown 404
  No such table: There is no such table, or it is not in your club.
  没有这张牌桌：牌桌不存在，或不在您的俱乐部。
hand_unknown 404
  No such hand: The table {table} has no hand {hand}.
  没有这一局：牌桌 {table} 没有第 {hand} 局。
member_unknown 404
  No such member: The club has no member {member}.
  没有这个成员：俱乐部没有成员 {member}。
entry_unknown 404
  No such entry: The journal of the club has no entry {entry}.
  没有这笔分录：俱乐部的流水中没有 {entry}。
key_unknown 404
  No such key: The club has no key {key}.
  没有这个密钥：俱乐部没有密钥 {key}。
ruleset_unknown 404
  No such ruleset: There is no ruleset {ruleset}; there are {allowed}.
  没有这个规则：没有规则 {ruleset}，现有 {allowed}。
projection_unknown 404
  No such projection: There is no projection {projection}; there are {allowed}.
  没有这个投影：没有投影 {projection}，现有 {allowed}。
method_not_allowed 405
  Not in this way: This address takes {allowed}, and not {method}.
  方法不允许：此地址支持 {allowed}，不支持 {method}。
club_exists 409
  The club is there already: A club with this id was founded before.
  俱乐部已存在：这个编号的俱乐部已经建立。
member_exists 409
  The member is there already: A member with this id has joined before.
  成员已存在：这个编号的成员已经加入。
membership_exists 409
  The membership is there already: An invitation with this id was made before.
  成员资格已存在：这个编号的邀请已经发出。
membership_ended 409
  No longer in the club: This person has left the club and cannot sign in to it.
  已退出俱乐部：此人已退出俱乐部，不能再登录。
already_in_club 409
  In the club already: You have a membership in this club; let its roles be changed instead.
  已在俱乐部：您在该俱乐部已有成员资格，请改为调整其角色。
member_taken 409
  The member is taken: Another person of the club plays as this member.
  成员已有归属：俱乐部里已有另一人以此成员身份参与。
last_owner 409
  The last owner: The club would be left without an owner; give somebody else the role first.
  唯一的圈主：俱乐部不能没有圈主，请先让他人担任圈主。
login_taken 409
  The login is taken: Somebody else has this login.
  登录名已被使用：此登录名已属于他人。
invitation_open 409
  Not accepted yet: The invitation was not accepted yet; until then it can only be revoked.
  邀请未接受：邀请尚未被接受，目前只能撤销。
invitation_accepted 409
  Accepted already: The invitation was accepted; change the person's roles instead.
  邀请已接受：邀请已被接受，请改为调整此人的角色。
key_exists 409
  The key is there already: A key with this id was made before.
  密钥已存在：这个编号的密钥已经生成。
table_exists 409
  The table is there already: A table with this id was opened before.
  牌桌已存在：这个编号的牌桌已经开过。
ref_taken 409
  The name is taken: The table {table} has this ref already.
  名称已被使用：牌桌 {table} 已使用这个 ref。
table_closed 409
  The match is over: The match has ended ({reason}), and nothing can be added to it.
  对局已结束：本桌已结束（{reason}），不能再记录。
hand_running 409
  A hand is running: Hand {hand} has not ended yet.
  本局未结束：第 {hand} 局还没有打完。
outcome_unknown 409
  No outcome: Of hand {hand} nothing is known but the points, or it ended before its deal.
  没有对局结果：第 {hand} 局只录入了得分，或在发牌前就已解散。
hand_voided 409
  The hand is void: Hand {hand} was voided; it has no outcome, and nothing is paid for it.
  此局已作废：第 {hand} 局已作废，没有结局，也不计分。
hand_not_running 409
  This hand does not run: Hand {hand} is not running: it has not begun, or it has ended.
  此局不在进行：第 {hand} 局尚未开始或已经结束。
no_hand_running 409
  No hand is running: Start the next hand first.
  没有进行中的牌局：请先开始下一局。
settlement_pending 409
  Not settled yet: Hand {hand} has ended, but its points are not booked yet.
  尚未结算：第 {hand} 局已结束，但积分还没有入账。
job_not_parked 409
  The job is not parked: Job {job} was not given up, and only one that was can be run again.
  任务未搁置：任务 {job} 未被搁置，只有已搁置的任务才能重新执行。
lease_lost 409
  The lease is lost: Another worker has taken this job over.
  租约已失效：任务已由其他工作进程接手。
version_stale 412
  Moved on since: It is at version {current_version} now; look at it and decide again.
  版本已过期：现在是版本 {current_version}，请重新读取后再决定。
version_ahead 412
  No such version yet: It is at version {current_version} only; look at it and decide again.
  版本尚不存在：现在只到版本 {current_version}，请重新读取后再决定。
body_too_large 413
  Too large: The body may have up to 1 MiB.
  正文过大：正文最大 1 MiB。
media_type 415
  Wrong media type: The body must be application/json, without a Content-Encoding.
  媒体类型有误：正文应为 application/json，且不带 Content-Encoding。
version_missing 428
  If-Match missing: Say with If-Match which version you have seen, as its ETag tells it.
  缺少 If-Match：请用 If-Match 说明您看到的版本，即其 ETag。
rate_limited 429
  Too many requests: Wait {seconds} seconds before the next one.
  请求过多：请等待 {seconds} 秒后再发送请求。
internal_error 500
  Our fault: Something went wrong here; the request id helps us to find it.
  服务器出错：服务器内部出错，请凭请求编号联系我们。
event_type_unknown 500
  Unknown event: This version of the ledger does not know events of type {type}.
  未知事件：此版本的账本不认识 {type} 类型的事件。
database_has_no_roles 422
  No roles: SQLite has no roles; who may read its file may do everything with it.
  没有角色：SQLite 没有角色；能读取该文件的人就能做任何事。
role_unfit 422
  Not this role: {role} may act as owner, is reserved, or has over {longest} bytes; name another.
  角色不合适：{role} 拥有所有者权限、是保留名称，或超过 {longest} 字节；请另取名称。
schema_not_newest 409
  Schema not upgraded: The database has not the newest schema; run `paizhang db upgrade` first.
  数据库结构未升级：数据库不是最新结构，请先运行 `paizhang db upgrade`。
schema_newer 503
  Newer schema: The database has the schema {found} of a newer release; run that release on it.
  数据库结构较新：数据库结构 {found} 属于更新的版本，请使用该版本。
setting_invalid 500
  Wrong setting: {name} is {value}; it must be {allowed}.
  设置有误：{name} 为 {value}，应为 {allowed}。
projection_stopped 500
  A projection stands still: {projection} could not take an event: {error}
  投影已停止：{projection} 无法处理某个事件：{error}
already_running 409
  Running already: Another service runs on the data folder {data}; stop it, or set PAIZHANG_DATA.
  已在运行：数据目录 {data} 已有服务在运行；请先停止它，或另设 PAIZHANG_DATA。
address_wrong 500
  No such address: Nothing can listen at {host}:{port} on this machine ({fault}).
  地址不可用：本机无法在 {host}:{port} 上监听（{fault}）。
address_taken 500
  The address is taken: Another program listens at {host}:{port} ({fault}).
  地址已被占用：{host}:{port} 上已有其他程序（{fault}）。
web_server_silent 500
  The web server is silent: It does not answer at {address}.
  网页服务没有回应：{address} 没有回应。
busy 503
  Busy: Too much is being written just now; try again.
  系统繁忙：当前写入过多，请稍后重试。
database_unavailable 503
  No database: The database does not answer just now; try again.
  数据库不可用：数据库暂时没有回应，请稍后重试。
streams_taken 503
  Too many streams: There may be {one} for one caller, {club} in a club, {most} in all; try later.
  数据流过多：每个调用方最多 {one} 个，每个俱乐部最多 {club} 个，总共最多 {most} 个；请稍后重试。
not_ready 503
  Not ready: The server cannot work yet: {check} fails.
  尚未就绪：服务器暂时无法工作：{check} 检查未通过。
position_not_reached 503
  Not shown yet: Position {wanted} is asked for, and what is shown ends at {position}; try again.
  尚未同步：请求的位置是 {wanted}，目前只显示到 {position}，请稍后重试。
guard_stale 503
  Overtaken: Somebody else was quicker; try again.
  已被抢先：其他请求先一步完成，请重试。
idempotency_key_reused 422
  Idempotency-Key used before: This key came with another request before; nothing has changed.
  Idempotency-Key 已用过：这个键先前用于另一请求，没有任何改动。
body_invalid 422
  Wrong body: The body has not the form that is documented; see errors.
  正文有误：正文不符合文档规定的格式，详见 errors。
field_missing 422
  Missing: This field is required.
  缺少字段：此字段必填。
field_null 422
  Null: This field may not be null.
  不能为空：此字段不能为 null。
field_unknown 422
  Unknown field: There is no field of this name here.
  未知字段：这里没有这个名称的字段。
field_type 422
  Wrong type: This value must be of the JSON type {wanted}.
  类型有误：此值的 JSON 类型应为 {wanted}。
field_choice 422
  Not one of these: This must be one of {allowed}.
  不在选项内：应为 {allowed} 之一。
field_range 422
  Out of range: This must be a whole number from {low} to {high}.
  超出范围：应为 {low} 到 {high} 的整数。
text_length 422
  Wrong length: This text must have {low} to {high} characters.
  长度有误：文字长度应为 {low} 到 {high} 个字符。
list_length 422
  Wrong length: This list must have {low} to {high} items.
  长度有误：列表应有 {low} 到 {high} 项。
date_form 422
  No date: A day is written as 2026-11-28.
  日期格式有误：应写作 2026-11-28。
time_form 422
  No time: A time of RFC 3339 from 1970 on has its zone: 2026-11-28T20:00:03+08:00, or …Z for UTC.
  时间格式有误：应为 1970 年以后带时区的 RFC 3339 时间，例如 2026-11-28T20:00:03+08:00（UTC 用 Z）。
clock_form 422
  No time of day: This must be a time of day such as 05:00.
  钟点格式有误：应为一天中的时刻，例如 05:00。
tile_form 422
  No tile: This must be one tile, such as 5m, 1p, 9s or 5z.
  不是牌：应为一张牌，例如 5m、1p、9s 或 5z。
member_form 422
  No member: This must be a member's id (mem_…) or code (M-0007).
  不是成员：应为成员编号（mem_…）或成员代码（M-0007）。
options_form 422
  Wrong options: An option is true or false, a whole number, a word, or a list of words.
  选项格式有误：选项应为真假、整数、词语或词语列表。
ruleset_differs 422
  Another ruleset: The address names {ruleset}, the body another.
  规则不一致：地址中的规则是 {ruleset}，正文却是另一个。
number_range 422
  Out of range: {value} is not between {low} and {high}.
  超出范围：{value} 不在 {low} 到 {high} 之间。
text_form 422
  Wrong text: It may have 1 to {longest} visible characters.
  文字有误：应为 1 到 {longest} 个可见字符。
zone_unknown 422
  Unknown time zone: {zone} is no time zone of the IANA list, such as Asia/Shanghai.
  时区未知：{zone} 不是 IANA 时区，例如 Asia/Shanghai。
role_unknown 422
  No role for this: "{role}" cannot be given here; one or more of these can: {allowed}.
  不可给予的角色：此处不能给予“{role}”；可给予以下一个或几个：{allowed}。
list_after_draw 422
  The list goes too far: The ledger shuffled, and a tile is drawn here; see it, then go on.
  列表过长：牌墙由账本洗出，此处之前已摸牌；请先记录到此为止，看到摸牌后再继续。
sign_in_form 422
  How to sign in: Send login and password, or link: the token of an invitation or a sign-in link.
  登录方式有误：请发送 login 和 password，或发送 link（邀请或登录链接的令牌）。
login_form 422
  Wrong login: A login has at least {shortest} letters, digits or signs of . - _ + @ alone.
  登录名有误：登录名至少 {shortest} 个字符，只能含字母、汉字、数字和 . - _ + @。
password_form 422
  Wrong password: A password has {shortest} to {longest} characters and is not the login.
  密码格式有误：密码应为 {shortest} 至 {longest} 个字符，且不能与登录名相同。
expired_already 422
  Expired already: Nothing can be made that expires at a time that has passed.
  已过期：到期时间不能早于现在。
key_member 422
  Which member: The role member needs the field member, an id or a code; other roles take none.
  缺少或多余的成员：member 角色需要在 member 中填写成员编号或代码，其他角色不能填写。
option_unknown 422
  Unknown option: The ruleset has no option {option}; it has {allowed}.
  选项未知：此规则没有选项 {option}，现有 {allowed}。
option_value 422
  Wrong option: {option} cannot be {value}; it can be {allowed}.
  选项值有误：{option} 不能是 {value}，可选 {allowed}。
options_conflict 422
  Options that do not go together: {option} can be {value} only where {other} is {needed}.
  选项冲突：{other} 为 {needed} 时，{option} 才能是 {value}。
at_in_future 422
  In the future: The time is more than five minutes ahead of the ledger's clock.
  时间超前：所给时间比账本时钟快五分钟以上。
at_before_last 422
  Too early: The time is before that of the table's last event.
  时间过早：所给时间早于本桌上一事件。
outcome_malformed 422
  No outcome: This has not the form of an outcome; the fault is at {place}.
  不是结局：不符合结局的格式，问题出在 {place}。
imported_otherwise 409
  Imported before: This was imported before with other content; nothing has changed.
  先前已导入：先前已导入，但内容与这次不同，没有任何改动。
imported_whole 409
  Imported as a whole: The match ended with the hands imported before; more need a ref of their own.
  已整场导入：该场已按先前导入的局数结束，后面的局须另用一个 ref。
earlier_hand_refused 422
  After a hand that cannot be: Hands after hand {hand} wait for it: {hands}.
  前一局有误：第 {hand} 局之后有 {hands} 局，要等该局改正后才能记入。
record_malformed 422
  No record: This has not the form of a record: {detail}
  不是牌谱：不符合牌谱的格式：{detail}
record_differs 422
  Not what follows: The record says {told} at {place}; by the rules it is {computed}.
  与规则不符：牌谱在 {place} 处记为 {told}，按规则应为 {computed}。
hand_unfinished 422
  Not over: After its {actions} actions the hand is not over.
  尚未结束：{actions} 个动作之后此局尚未结束。
person_forgotten 409
  Forgotten: This person was forgotten; who comes back is invited anew.
  此人已被遗忘：此人的资料已删除；若要回来，请重新邀请。
member_is_person 409
  A person's member: {member} is or was {person}, who has an account; forget the person.
  成员属于个人：{member} 属于有账号的 {person}，请改为遗忘此人。
"""
