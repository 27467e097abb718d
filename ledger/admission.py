"""How people come into a club: invitations, the roles they have in it, links that open once.

What gives or takes rights in a club is an event of that club.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from msgspec import Struct
from sqlalchemy import Connection

from ledger import access, people, store
from ledger.access import Caller
from ledger.acts import Asked, Desk, members_of, named, order_on
from ledger.names import check_text
from ledger.orders import Order
from ledger.people import LinkRow, MembershipRow
from ledger.perform import Done, Ledger, perform
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
    link, token = _club_link(desk, until, membership, None)
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


def change_roles(
    desk: Desk, membership: str, roles: tuple[str, ...], member: str | None = None
) -> Done:
    """Give a person other roles in the club, as another member if one is named; none: he leaves.

    What the club's links opened ends: it was let in for the roles of that time.
    """
    if member is not None:
        (member,) = members_of(desk, (member,), "/member")
    now = desk.ledger.clock()

    def keep(connection: Connection) -> None:
        row = people.find_membership(connection, membership)
        assert row is not None
        assert row.person is not None
        _check_owner_left(connection, desk.caller, row, roles)
        changed = {"roles": ",".join(roles), "member": member or row.member}
        people.change_membership(connection, membership, **changed)
        people.spend_links(connection, row.person, desk.club)
        people.end_club_sessions(connection, row.person, desk.club, now)

    command = ChangeRoles(roles, member)
    with desk.ledger.database.read() as connection:
        row = people.find_membership(connection, membership)
        guards = () if row is None else _moves(connection, row, row.person, roles, member)
    with _taken_told():
        return order_on(desk, f"membership/{membership}", command, keep, *guards)


def _moves(
    connection: Connection,
    row: MembershipRow,
    person: str | None,
    roles: tuple[str, ...],
    member: str | None,
) -> tuple[Guard, ...]:
    """What a membership gives up and takes: each person and each member has one in a club."""
    before = _held(row.person, row.role_names if row.person else (), row.member)
    after = _held(person, roles, member or row.member)
    kept = {key: store.guard(connection, row.club, key) for key in (*before, *after)}
    given = [key for key in before if key not in after and kept[key] == row.membership]
    return (
        *(Guard(key, row.membership, None) for key in given),
        *(Guard(key, _unless_other(kept[key], row), row.membership) for key in after),
    )


def _held(person: str | None, roles: tuple[str, ...], member: str | None) -> tuple[str, ...]:
    """What a membership with these roles holds in its club, as keys of guards."""
    if not roles:
        return ()
    return (f"person/{person}", *([f"member/{member}"] if "member" in roles else []))


def _unless_other(holder: str | None, row: MembershipRow) -> str | None:
    """What a guard is expected to hold: this membership or nothing; another one makes it stale."""
    return row.membership if holder == row.membership else None


@contextmanager
def _taken_told() -> Iterator[None]:
    """Say of a guard that another membership holds who it is that has one already."""
    try:
        yield
    except Refused as refusal:
        if refusal.code != "guard_stale":
            raise
        if str(refusal.params["key"]).startswith("member/"):
            raise Refused("member_taken", pointer="/member") from None
        raise Refused("already_in_club") from None


def _check_owner_left(
    connection: Connection, caller: Caller, row: MembershipRow, roles: tuple[str, ...]
) -> None:
    """Refuse to leave a club without an owner; the operator alone may know why."""
    gives_up = "owner" in row.role_names and "owner" not in roles
    if gives_up and not caller.has(access.OPERATOR) and not people.has_other_owner(connection, row):
        raise Refused("last_owner", pointer="/roles")


def issue_link(desk: Desk, membership: str) -> Made:
    """Make a link by which a person of the club signs in to it once."""
    with desk.ledger.database.read() as connection:
        row = people.find_membership(connection, membership)
    if row is None or row.club != desk.club:
        raise Refused("membership_unknown")
    until = desk.ledger.clock() + LINK_DAYS * DAY
    link, token = _club_link(desk, until, membership, row.person)
    keep = partial(people.keep_link, row=link)
    done = order_on(desk, f"membership/{membership}", IssueLink(link.link, until), keep)
    return Made(link.link, None if done.replayed else token)


def operator_link(ledger: Ledger, person: str) -> str:
    """A link by which a person signs in once to all that is his, and sets a new password.

    It opens what he has in every club, so the log of each of them tells of it, before it is good.
    """
    until = ledger.clock() + LINK_DAYS * DAY
    with ledger.database.read() as connection:
        row = people.find_person(connection, person) or people.find_login(connection, person)
        if row is None:
            raise Refused("person_unknown", person=person)
        memberships = people.person_memberships(connection, row.person)
    name = f"lnk_{ledger.token(10).hex()}"
    link, token = _new_link(ledger, name, until, person=row.person)
    for one in memberships:
        desk = Desk(ledger, access.operator(), one.club)
        order_on(desk, f"membership/{one.membership}", IssueLink(link.link, until), lambda _: None)
    with ledger.database.write() as connection:
        now = people.lock_person(connection, row.person)
        if now is None or now.forgotten_at is not None:
            raise Refused("person_forgotten")
        people.keep_link(connection, link)
    return token


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

    with ledger.database.read() as connection:
        row = people.find_membership(connection, membership)
        assert row is not None
        guards = _moves(connection, row, person, row.role_names, None)
    stream = f"membership/{membership}"
    order = Order(club, stream, (Accept(person),), asked.key, asked.request, guards=guards)
    invited = Caller(person, club, (INVITED,), session=caller.session, origin=caller.origin)
    with _taken_told():
        return perform(ledger, invited, order, beside)


def _club_link(desk: Desk, until: int, membership: str, person: str | None) -> tuple[LinkRow, str]:
    """A link of the club and its token."""
    name = named(desk, "lnk")
    return _new_link(desk.ledger, name, until, desk.club, membership, person)


def _new_link(
    ledger: Ledger,
    link: str,
    until: int,
    club: str | None = None,
    membership: str | None = None,
    person: str | None = None,
) -> tuple[LinkRow, str]:
    """A link that is good until a time, and its token."""
    secret, now = ledger.token(32).hex(), ledger.clock()
    kept = access.secret_hash(secret)
    row = LinkRow(link, kept, club, membership, person, created_at=now, expires_at=until)
    return row, people.link_token(link, secret)
