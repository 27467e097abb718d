"""A club whose books are known to the last point: allowances, a hand, its correction, a closing."""

from __future__ import annotations

from sqlalchemy import select, update

from ledger.keyset import Page
from projections.balances import When, club_points
from projections.checkpoint import live_place
from projections.journal import NAME, accounts, postings
from tests.exports.conftest import Place
from tests.projections.booked import allow, close, correct, play, reverse
from tests.world import Club

CLOSED = "2026-11-20"
"""The last day that is closed; the closing is booked on 1 December."""


def keep_books(club: Club) -> Place:
    """Books of a club of four, in the order in which they are booked; the days go back once.

    | entry  | booked | effective | of    | M-0001 | M-0002 | M-0003 | issued |
    | jrn_6  | 11-18  | 11-18     | grant |   1000 |   1000 |        |  -2000 |
    | jrn_7  | 11-30  | 11-20     | grant |      5 |        |     -5 |      0 |
    | jrn_10 | 11-29  | 11-28     | hand  |     24 |    -24 |        |        |
    | jrn_11 | 12-01  | 11-28     | undo  |    -24 |     24 |        |        |
    | jrn_12 | 12-01  | 11-28     | right |     16 |    -16 |        |        |
    | jrn_13 | 12-01  | 11-20     | clear |  -1005 |  -1000 |      5 |   2000 |
    """
    allow(club, "alw_a", {0: 1000, 1: 1000}, booked="2026-11-18", effective="2026-11-18")
    allow(club, "alw_b", {0: 5, 2: -5}, booked="2026-11-30", effective=CLOSED)
    play(club, 1, (1, 0, 24))
    reverse(club, 1, (-24, 24, 0, 0))
    correct(club, 1, (1, 0, 16))
    close(club, 1, {0: 1005, 1: 1000, 2: -5}, last=CLOSED)
    return Place(club.world.database, club.id)


def falsify(place: Place, entry: int) -> None:
    """Let two lines of an entry say other points than were booked; the entry still balances."""
    with place.database.write() as connection:
        for line, more in ((1, 1), (2, -1)):
            this = update(postings).where(postings.c.club == place.club, postings.c.line == line)
            wrong = this.where(postings.c.position == entry)
            connection.execute(wrong.values(points=postings.c.points + more))


def balances(place: Place, when: When) -> dict[str, int]:
    """What the API says that each member with points has at some time, by his code."""
    with place.database.read() as connection:
        told, _ = club_points(connection, place.club, when, Page(100))
        live = live_place(connection, place.club, NAME)
        coded = select(accounts.c.account, accounts.c.code).where(*live.rows(accounts))
        codes = dict(map(tuple, connection.execute(coded)))
    return {codes[one.member]: one.points for one in told if one.points}
