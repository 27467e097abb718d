"""How people come into a club: invitations, the roles they have in it, links that open once.

What gives or takes rights in a club is an event of that club.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, people
from ledger.access import Caller
from ledger.acts import Asked, Desk, check_text, members_of, named, order_on
from ledger.people import LinkRow, MembershipRow
from ledger.perform import Done, Ledger, Order, perform
from ledger.refusal import Refused
from ledger.rights import INVITED
from ledger.store import Guard
from ledger.streams.membership import Accept, ChangeRoles, Invite, IssueLink, Revoke

DAY = 24 * 3600 * 1_000_000
INVITATION_DAYS = 7
LINK_DAYS = 1


class Made(Struct, frozen=True):
    """Something made with a secret: its id, and its token, which is None in a retry."""

    id: str
    token: str | None


def invite(
    desk: Desk,
    roles: tuple[str, ...],
    label: str,
    member: str | None = None,
    expires_at: int | None = None,
) -> Made:
    """Invite into the club whoever will hold the link that is told here and never again."""
    check_text("/label", label)
    if member is not None:
        (member,) = members_of(desk, (member,), "/member")
    now = desk.ledger.clock()
    until = now + INVITATION_DAYS * DAY if expires_at is None else expires_at
    membership = named(desk, "mbs")
    link, token = _new_link(desk, until, membership, None)
    row = MembershipRow(
        membership=membership,
        club=desk.club,
        label=label,
        roles=",".join(roles),
        member=member,
        person=None,
        created_at=now,
        expires_at=until,
        revoked_at=None,
    )

    def keep(connection: Connection) -> None:
        people.keep_membership(connection, row)
        people.keep_link(connection, link)

    command = Invite(roles, member, until)
    done = order_on(desk, f"membership/{membership}", command, keep)
    return Made(membership, None if done.replayed else token)


def revoke_invitation(desk: Desk, membership: str) -> Done:
    """Let an invitation be accepted by nobody any more."""
    now = desk.ledger.clock()
    keep = partial(people.change_membership, membership=membership, revoked_at=now)
    return order_on(desk, f"membership/{membership}", Revoke(), keep)


def change_roles(desk: Desk, membership: str, roles: tuple[str, ...]) -> Done:
    """Give a person other roles in the club; none lets him leave it.

    What the club's links opened ends: it was let in for the roles of that time.
    """
    now = desk.ledger.clock()

    def keep(connection: Connection) -> None:
        row = people.find_membership(connection, membership)
        assert row is not None
        assert row.person is not None
        _check_owner_left(connection, desk.caller, row, roles)
        people.change_membership(connection, membership, roles=",".join(roles))
        people.spend_links(connection, row.person, desk.club)
        people.end_club_sessions(connection, row.person, desk.club, now)

    return order_on(desk, f"membership/{membership}", ChangeRoles(roles), keep)


def _check_owner_left(
    connection: Connection, caller: Caller, row: MembershipRow, roles: tuple[str, ...]
) -> None:
    """Refuse the only owner to himself when he would be none; a key or the operator knows why."""
    gives_up = row.person == caller.actor and "owner" in row.role_names and "owner" not in roles
    if gives_up and not people.has_other_owner(connection, row.club, row.membership):
        raise Refused("last_owner", pointer="/roles")


def issue_link(desk: Desk, membership: str) -> Made:
    """Make a link by which a person of the club signs in to it once."""
    with desk.ledger.database.read() as connection:
        row = people.find_membership(connection, membership)
    if row is None or row.club != desk.club:
        raise Refused("membership_unknown")
    until = desk.ledger.clock() + LINK_DAYS * DAY
    link, token = _new_link(desk, until, membership, row.person)
    keep = partial(people.keep_link, row=link)
    done = order_on(desk, f"membership/{membership}", IssueLink(link.link, until), keep)
    return Made(link.link, None if done.replayed else token)


def operator_link(ledger: Ledger, person: str) -> str:
    """A link by which a person signs in once to all that is his, and sets a new password."""
    now, secret = ledger.clock(), ledger.token(32).hex()
    with ledger.database.write() as connection:
        row = people.find_person(connection, person) or people.find_login(connection, person)
        if row is None:
            raise Refused("person_unknown", person=person)
        link = LinkRow(
            link=f"lnk_{ledger.token(10).hex()}",
            secret_hash=access.secret_hash(secret),
            club=None,
            membership=None,
            person=row.person,
            created_at=now,
            expires_at=now + LINK_DAYS * DAY,
        )
        people.keep_link(connection, link)
    return people.link_token(link.link, secret)


def join_club(ledger: Ledger, caller: Caller, asked: Asked, token: str) -> Done:
    """Accept an invitation to another club, as the person that one is already."""
    with ledger.database.read() as connection:
        link = people.open_link(connection, token, ledger.clock())
    if link.membership is None or link.person is not None:
        raise Refused("link_invalid", pointer="/link")
    return accept(ledger, caller, asked, link, caller.actor, lambda _: None)


def accept(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    link: LinkRow,
    person: str,
    keep: Callable[[Connection], None],
) -> Done:
    """Accept an invitation for a person, and use up its link; one has one membership in a club."""
    club, membership = link.club or "", link.membership or ""

    def beside(connection: Connection) -> None:
        people.change_membership(connection, membership, person=person)
        people.use_link(connection, link.link, ledger.clock())
        keep(connection)

    order = Order(
        club,
        f"membership/{membership}",
        (Accept(person),),
        asked.key,
        asked.request,
        guards=(Guard(f"person/{person}", None, membership),),
    )
    invited = Caller(person, club, (INVITED,), origin=caller.origin)
    try:
        return perform(ledger, invited, order, beside)
    except Refused as refusal:
        if refusal.code != "guard_stale":
            raise
        raise Refused("already_in_club") from None


def _new_link(desk: Desk, until: int, membership: str, person: str | None) -> tuple[LinkRow, str]:
    """A link of the club and its token."""
    secret = desk.ledger.token(32).hex()
    row = LinkRow(
        link=named(desk, "lnk"),
        secret_hash=access.secret_hash(secret),
        club=desk.club,
        membership=membership,
        person=person,
        created_at=desk.ledger.clock(),
        expires_at=until,
    )
    return row, people.link_token(row.link, secret)
