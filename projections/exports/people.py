"""Who did what: the operator log 操作日志, dissolutions 解散记录, leaderboards 排行榜, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from ledger.days import day_of
from ledger.keyset import PART
from projections.dissolutions import Dissolution, every_dissolution
from projections.exports.sheet import Row, columns
from projections.exports.source import Source
from projections.feeding import NEEDED, club_pairs
from projections.leaderboards import BOARDS, RATES, SUMS, Rate, leaderboard, member_statistics
from projections.operator_log import ActRow, every_act
from projections.operator_names import NamedAct, named

OPERATOR_LOG = columns(
    """
act_id 编号 id
  The act's number, made of its position in the club's log.
at_local 时间 local
  When it was done, by the club's clock.
at_utc 时间(UTC) utc
  The same in UTC.
actor 操作人编号 id
  Who did it: a person, a key or the operator of the server.
actor_name 操作人 text
  What he or the key is called.
role 角色 word
  The role in which it was done.
act 操作 word
  What was done.
target 对象编号 id
  To what: a member, a table, a hand, a dispute, the club.
target_name 对象 text
  What that is called.
before 变更前 text
  How it stood before, as JSON.
after 变更后 text
  How it stands after, as JSON.
reason 原因 text
  Why, in the words of who did it.
address 地址 text
  The network address of the request.
device 设备 text
  What the request says of the device.
request_id 请求编号 id
  The request's own number.
"""
)


def operator_log(source: Source) -> Iterator[Row]:
    """Every act in the days asked for, in order."""
    club, asked = source.club, source.asked
    day = day_of(club.zone, club.day_cutoff)
    acts = (
        act
        for act in every_act(source.connection, club.club, source.position)
        if asked.since <= day(act.at) <= asked.until
    )
    for part in _parts(acts):
        for act in named(source.connection, club.club, part):
            yield _act(source, act)


def _parts(acts: Iterable[ActRow]) -> Iterator[list[ActRow]]:
    """Acts in parts, since names are read for several at once."""
    each = iter(acts)
    while part := list(islice(each, PART)):
        yield part


def _act(source: Source, act: NamedAct) -> Row:
    row, origin = act.row, act.origin
    return (
        row.id,
        source.local(row.at),
        source.utc(row.at),
        row.actor,
        act.name,
        row.role,
        row.act,
        row.target,
        act.target_name,
        _json(act.before),
        _json(act.after),
        act.reason,
        origin.address,
        origin.device,
        origin.request_id or None,
    )


def _json(told: dict[str, Any] | None) -> str | None:
    return None if told is None else msgspec.json.encode(told).decode()


DISSOLUTIONS = columns(
    """
dissolution_id 编号 id
  Its number, made of its position in the club's log.
table_id 牌桌 id
  The table.
ruleset 玩法 id
  What was played there.
requester 申请人编号 id
  Who wished to end the match; empty where it was ended by those who run it.
requester_name 申请人 text
  What he is called.
at_local 时间 local
  When, by the club's clock.
at_utc 时间(UTC) utc
  The same in UTC.
business_date 业务日期 day
  The business day.
scores 当时分数 text
  Who sat there with the points that he had then.
agreed 同意 text
  Who agreed, and after how many seconds.
refused 拒绝 text
  Who refused, and after how many seconds.
silent 未表态 text
  Who said nothing, and for how many seconds he was waited for.
dissolved 是否解散 word
  Whether the match was dissolved: yes or no.
points 申请人当时分数 change
  The requester's points then: below zero what he was spared, above what he gave away.
month 月份 id
  The month of the numbers that follow.
month_tables 本月牌桌 count
  The tables that he played in that month.
month_asked 本月申请解散 count
  Those of them that were dissolved as he wished.
month_asked_behind 本月落后时申请解散 count
  Those of these in which he was behind.
"""
)


def dissolutions(source: Source) -> Iterator[Row]:
    """Every wish to dissolve a match, and every match that was ended so."""
    asked, club = source.asked, source.club.club
    for row in every_dissolution(source.connection, club, source.span, asked.member):
        yield (
            row.id,
            row.table,
            row.ruleset,
            *source.person(row.requester),
            source.local(row.at),
            source.utc(row.at),
            row.day,
            " ".join(
                f"{source.code(seat)} {points:+}"
                for seat, points in zip(row.seats, row.scores, strict=True)
            ),
            *(_said(source, row, answer) for answer in ("agreed", "refused", "silent")),
            "yes" if row.is_dissolved else "no",
            row.points,
            row.month,
            row.tables,
            row.asked,
            row.asked_behind,
        )


def _said(source: Source, row: Dissolution, answer: str) -> str | None:
    """Who said so, each with the seconds that it took."""
    votes = (vote for vote in row.votes if vote["answer"] == answer)
    return " ".join(f"{source.code(vote['member'])} {vote['seconds']}s" for vote in votes) or None


# --- statistics ---------------------------------------------------------------------------------

LEADERBOARD = columns(
    """
member_code 会员编号 id
  The member's code.
member_name 会员 text
  The member's name.
group 分组 text
  The group in which the club has put him.
rank_attendance 参与榜名次 count
  His rank by the tables he played; empty where he is not on that board.
rank_winners 赢家榜名次 count
  His rank by the matches that he won.
rank_points 战绩榜名次 count
  His rank by points.
tables 牌桌数 count
  The tables that he played to any end.
valid_tables 有效牌桌 count
  Those played to their end, and not of a low score.
complete_tables 完整牌桌 count
  Those played to their end.
low_score_tables 低分局 count
  Those in which nobody came to the low score.
dissolved_tables 解散牌桌 count
  Those that were dissolved.
asked 申请解散 count
  Those of them that were dissolved as he wished.
big_wins 大赢家 count
  Those in which he had the most points.
placed 计名次牌桌 count
  Those with a hand that counts.
firsts 一位 count
  How often he came first.
seconds 二位 count
  How often he came second.
thirds 三位 count
  How often he came third.
fourths 四位 count
  How often he came fourth.
table_points 牌桌总分 change
  His points of whole matches.
hands 局数 count
  The hands that he played.
known_hands 明细局数 count
  Those of which more is known than the points; rates of hands are of these.
points 总分 change
  His points of hands.
wins 胡牌 count
  The hands that he won.
self_draws 自摸 count
  Those that he won by self-draw.
deal_ins 点炮 count
  The hands in which another won with his discard.
win_value 胡牌总值 count
  What his winning hands were worth.
best 最高 change
  His best match.
worst 最低 change
  His worst match.
big_win_rate 大赢家率 decimal
  Matches won, of those played.
average_points 场均分 decimal
  Points for a match.
win_rate 胡率 decimal
  Hands won, of those played.
self_draw_rate 自摸率 decimal
  Self-draws, of the hands won.
deal_in_rate 点炮率 decimal
  Deal-ins, of the hands played.
average_value 平均胡值 decimal
  What a hand that he won was worth.
average_place 平均名次 decimal
  The place in which he came.
first_rate 一位率 decimal
  How often he came first, of the matches placed.
second_rate 二位率 decimal
  How often second.
third_rate 三位率 decimal
  How often third.
fourth_rate 四位率 decimal
  How often fourth.
"""
)


def leaderboards(source: Source) -> Iterator[Row]:
    """Every member who played, in the order of his points, with his rank on each board."""
    club, span = source.club.club, source.span
    ranks = {
        board: {row.member: row.rank for row in leaderboard(source.connection, club, board, span)}
        for board in BOARDS
    }
    for row in member_statistics(source.connection, club, span):
        counts, rates = row.counts, row.counts.rates
        yield (
            *source.person(row.member),
            source.text(row.group),
            *(ranks[board].get(row.member) for board in BOARDS),
            *(getattr(counts, name) for name in SUMS),
            counts.best,
            counts.worst,
            *(_decimal(rates[name]) for name in RATES),
        )


def _decimal(rate: Rate) -> str | None:
    """A rate to three digits behind the point."""
    if rate.per_mille is None:
        return None
    whole, rest = divmod(abs(rate.per_mille), 1000)
    return f"{'-' if rate.per_mille < 0 else ''}{whole}.{rest:03}"


PAIRS = columns(
    """
member_code 会员编号 id
  The member's code.
member_name 会员 text
  The member's name.
other_code 对方编号 id
  The code of the member with whom he sat.
other_name 对方 text
  That one's name.
tables 同桌数 count
  The tables at which both sat.
hands 同局数 count
  The hands in which both sat.
net 净付 change
  What he paid the other, less what he got from him.
feeds 点炮给对方 count
  His discards with which the other won.
fed_back 对方点炮 count
  The other's discards with which he won.
opportunities 点炮机会 count
  His deal-ins while the other sat there.
needed 所需机会 count
  How many of these it takes to say anything.
expected 期望 decimal
  How many feeds chance alone lets one expect.
z z值 decimal
  How far the feeds are from that, in standard deviations; empty where there is too little.
p p值 decimal
  How often chance alone comes to as much or more.
q q值 decimal
  The share of false alarms among all that are as unusual or more.
label 结论 word
  unusual, usual or not_enough_data: where to look, and never a verdict.
"""
)


def pairs(source: Source) -> Iterator[Row]:
    """Every two members who sat together, each way, the most unusual first."""
    asked = source.asked
    for pair in club_pairs(source.connection, source.club.club, source.span, asked.member):
        yield (
            *source.person(pair.member),
            *source.person(pair.other),
            pair.tables,
            pair.hands,
            pair.net,
            pair.feeds,
            pair.fed_back,
            pair.opportunities,
            NEEDED,
            _digits(pair.expected, 3),
            _digits(pair.z, 3),
            *(_digits(chance, 6) for chance in (pair.p, pair.q)),
            pair.label,
        )


def _digits(value: float | None, digits: int) -> str | None:
    """A number to so many digits behind the point; what rounds to zero has no sign."""
    return None if value is None else f"{value:z.{digits}f}"
