"""A hostile club: everything that can happen to books, told by people who would break a file.

The ledger accepts no name that controls a screen; a database may hold one all the same, of older
days or by other hands. So the clean names and notes are overwritten where they are kept.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, select, update

from ledger import access, acts, closing, dealing, demo, disputing, forgetting, governing, granting
from ledger.access import Caller, Origin, clubs, members, texts
from ledger.acts import Desk, Opening
from ledger.demo import DemoClub
from ledger.disputing import Claim, Verdict
from ledger.events import Granting, Line, Ruling
from ledger.granting import Grant
from ledger.rules.catalog import CATALOG
from projections import standing
from tests.world import KEY, SECOND, Club, World

DAY = 24 * 3600 * SECOND
FOUNDED, LAST_CLOSED, TODAY = "2027-01-15", "2027-01-22", "2027-01-25"
"""Business days of the club: its first, the last one that is closed, and its present."""

HOSTILE = (
    '\n2027-01-16 * (x) forged | injected\n    assets:members:M-0001  99\n    x  -99\n\n"',
    '\r\n2027-01-16 * "forged" "injected"\n  Assets:Members:M-0001  99 PTS\n  X:Y  -99 PTS',
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "'=1+1",
    'say "hi", "you"',
    "back\\slash\\",
    'ends in \\"',
    "a,b,,c; d:e  f\tg | h (i) [j] {k} #l ^m",
    "semi; code:wrong, entry:jrn_1",
    "; 2027-01-01 * comment",
    "date:2027-99-99 date2:9999 [2027-99-99=2027-99-99] type:X",
    "\u202egnp.exe\u2066 in\u2069 \u200f\u200e\u061c",
    "\u2028line\u2029paragraph\x85next\x0bvertical\x0cform",
    "\x1b[31mred\x07\x7f\x01",
    "\ufeffmark \u200bzero\u200djoin\u00adsoft",
    "\ufffe\uffff\U0001ffff",
    "🀄️👨‍👩‍👧‍👦🇨🇳😀",
    "鬱" * 64,
    " ",
    "",
    "M",
    "M-0001",
    "_x000D_ &amp; ]]>",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "{{ 7*7 }}{% raw %}${7*7}%s%d",
    "'); DROP TABLE members; --",
    "1e5",
    "0012",
    "2027-01-16",
    "TRUE",
    "null",
    'http://example.org/?a="b"&c=d',
    "e\u0301\u0327\u0308" * 30,
)
"""What people may be called, and may have written."""
LONG = "长" * 40_000
"""A text that no cell of a sheet can hold."""


def hostile_club(world: World) -> Club:
    """A club with all that a journal can hold; M-0001 to M-0004 have sat at the entered tables.

    It is founded on 15 January 2027, closed with a clearing up to the 22nd, and its log ends on the
    25th, where one hand was settled a day after it was booked: the days of its entries go back.
    """
    world.ledger = replace(world.ledger, books=standing)
    club = world.club(len(HOSTILE))
    club.allow_tables()
    _keys(club)
    leaver = _join(club, "老王头")
    _give(club, "opening", {place: 100 * place + 7 for place in range(len(HOSTILE))})
    _take_back(club, _give(club, "allowance", {0: 5000, 5: -3}))
    _give(club, "allowance", {1: 5, 2: -5})
    governing.bar(club.desk_of_owner, club.members[9], "note of a bar")
    world.now += 6 * DAY
    _play(club, days=5)
    _give(club, "allowance", {3: 40, 4: -90}, effective_date="2027-01-19")
    _dispute(club)
    world.now += 2 * DAY
    closing.close(club.desk_of_owner, LAST_CLOSED, "clear", "note of a closing")
    world.now += DAY
    _play(club, days=1)
    _settle_late(club)
    _rename(club)
    forgetting.forget_member(world.ledger, club.id, leaver)
    club.catch_up()
    return club


def _join(club: Club, name: str) -> str:
    """One more member, who is given points with a note that names him; his id."""
    desk = Desk(club.world.ledger, access.operator(), club.id)
    member = acts.join_member(desk, name).stream.removeprefix("member/")
    lines = (Line(member, 70),)
    granting.request(club.desk_of_owner, Grant("allowance", lines, "top_up", f"for {name}"))
    return member


def _keys(club: Club) -> None:
    """Keys with hostile labels, and where their holders came from."""
    club.issue_keys()
    callers = (club.owner, club.recorder)
    with club.world.database.write() as connection:
        for place, caller in enumerate(callers):
            roles = ",".join(caller.roles)
            secret, label, now = bytes([place]) * 32, HOSTILE[place], club.world.now
            row = access.KeyRow(caller.actor, club.id, secret, roles, None, label, now, None, None)
            access.keep_key(connection, row)
    club.owner = Caller(
        club.owner.actor, club.id, club.owner.roles, origin=Origin("req_1", "192.0.2.7", HOSTILE[0])
    )


def _give(
    club: Club, kind: Granting, points: dict[int, int], effective_date: str | None = None
) -> str:
    """Points for members by their places, with the next hostile note; the allowance's id."""
    lines = tuple(Line(club.members[place], some) for place, some in points.items())
    reason = "opening" if kind == "opening" else "other"
    note = f"note {len(club.log())}"
    grant = Grant(kind, lines, reason, note, effective_date)
    done = granting.request(club.desk_of_owner, grant)
    return done.stream.removeprefix("allowance/")


def _take_back(club: Club, allowance: str) -> None:
    granting.reverse(club.desk_of_owner, allowance, "note of a reversal")


def _play(club: Club, days: int) -> None:
    """A match of two hands of every ruleset, in the days that end now, all settled."""
    told = DemoClub(club.id, "", "", club.recorder.actor, club.members[:8])
    for place, key in enumerate(CATALOG):
        back = max(1, days - place)
        for _ in demo.play_days(club.world.ledger, told, (key,), 2, back, seed=days):
            pass
    club.world.settle()


def _enter(club: Club, *hands: tuple[int, int, int, int]) -> str:
    """A match of the first four members whose hands are entered by their points."""
    opening = Opening(
        KEY, {}, club.members[:4], len(hands), dealer=0, room="a room", floor="a floor", ref="a ref"
    )
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    for totals in hands:
        dealing.enter_hand(club.desk, table, totals=totals)
        club.world.settle()
    return table


def _dispute(club: Club) -> None:
    """Of four hands two are corrected, one is voided, one doubted and left so."""
    table = _enter(club, (9, -3, -3, -3), (-30, 10, 10, 10), (6, -6, 0, 0), (-6, 2, 2, 2))
    _rule(club, table, 1, "correct", (-6, 2, 2, 2))
    _rule(club, table, 4, "correct", (6, -2, -2, -2))
    _rule(club, table, 2, "void")
    disputing.file(club.desk_of_owner, table, 3, Claim(), "note of a doubt")


def _rule(
    club: Club, table: str, number: int, ruling: Ruling, right: tuple[int, ...] | None = None
) -> None:
    note = f"note of ruling {len(club.log())}"
    verdict = Verdict(ruling, "mistyped", note=note, right=Claim(right))
    disputing.correct(club.desk_of_owner, table, number, verdict)


def _settle_late(club: Club) -> None:
    """A hand that is settled when there is an entry of the next day already; one is dissolved."""
    opening = Opening(KEY, {}, club.members[:4], 2, dealer=0)
    table = acts.open_table(club.desk, opening).stream.removeprefix("table/")
    dealing.enter_hand(club.desk, table, totals=(1, 2, -3, 0))
    club.world.now += DAY
    _give(club, "allowance", {6: 11})
    club.world.settle()
    acts.end_table(club.desk_of_owner, table, dissolve=True, note="note of a dissolution")


# --- what people are called ---------------------------------------------------------------------


def _rename(club: Club) -> None:
    """Give the club, its members and every text a hostile form, past all that checks names."""
    with club.world.database.write() as connection:
        connection.execute(update(clubs).values(name=HOSTILE[0] + "翠苑"))
        for member, name in zip(club.members, HOSTILE, strict=True):
            this = update(members).where(members.c.club == club.id, members.c.member == member)
            connection.execute(this.values(name=name))
        _rewrite(connection, club)


def _rewrite(connection: Connection, club: Club) -> None:
    """Overwrite the texts, but the one that names who is to be forgotten."""
    mine = (texts.c.club == club.id, texts.c.text.not_like("for %"))
    kept = select(texts.c.digest).where(*mine).order_by(texts.c.text)
    digests = list(connection.execute(kept).scalars())
    for place, digest in enumerate(digests):
        raw = LONG if place == 0 else HOSTILE[place % len(HOSTILE)]
        this = update(texts).where(texts.c.club == club.id, texts.c.digest == digest)
        connection.execute(this.values(text=raw))
