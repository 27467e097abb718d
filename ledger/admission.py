"""How people come in: invitations, links that open once, passwords, sessions.

What gives or takes rights in a club is an event of that club. What a person does with his own
password and sessions is not, and stands in tables alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ledger import access, people
from ledger.access import Caller, Origin
from ledger.acts import Asked, Desk, check_text, members_of, named, new_id, order_on
from ledger.people import LinkRow, MembershipRow, PersonRow, SessionRow
from ledger.perform import Done, Ledger, Order, perform
from ledger.refusal import Refused
from ledger.rights import INVITED
from ledger.store import Guard
from ledger.streams.membership import Accept, ChangeRoles, Invite, IssueLink, Revoke

DAY = 24 * 3600 * 1_000_000
INVITATION_DAYS = 7
LINK_DAYS = 1
SESSION_DAYS = 30
SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
SHORTEST_LOGIN = 3


class Made(Struct, frozen=True):
    """Something made with a secret: its id, and its token, which is None in a retry."""

    id: str
    token: str | None


class Entry(Struct, frozen=True):
    """A session that began, with its token, which is None in a retry."""

    session: SessionRow
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


def enter_by_link(
    ledger: Ledger, caller: Caller, asked: Asked, token: str, name: str | None = None
) -> Entry:
    """Begin a session by a link: a new person's, who accepts an invitation, or a known one's."""
    with ledger.database.read() as connection:
        link = people.open_link(connection, token, ledger.clock())
    if link.person is None:
        return _enter_anew(ledger, caller, asked, link, name)
    way = "operator" if link.club is None else "link"
    begun = _session(ledger, caller, asked, link.link, link.person, link.club, way)

    def use(connection: Connection) -> None:
        people.use_link(connection, link.link, begun.row.created_at)

    return _begin(ledger, begun, use)


def enter_by_password(
    ledger: Ledger, caller: Caller, asked: Asked, login: str, password: str
) -> Entry:
    """Begin a session by login and password; says of a wrong one not which of them it is.

    Looking at a password takes its time, so that it is still the one is seen again at the end.
    """
    with ledger.database.read() as connection:
        row = people.find_login(connection, login)
    kept = None if row is None else row.password_hash
    if not people.is_password(kept, password) or row is None:
        raise Refused("login_wrong")
    begun = _session(ledger, caller, asked, row.person, row.person, None, "password")

    def look_again(connection: Connection) -> None:
        now = people.lock_person(connection, begun.row.person)
        if now is None or now.password_hash != kept:
            raise Refused("login_wrong")

    return _begin(ledger, begun, look_again)


def join_club(ledger: Ledger, caller: Caller, asked: Asked, token: str) -> Done:
    """Accept an invitation to another club, as the person that one is already."""
    with ledger.database.read() as connection:
        link = people.open_link(connection, token, ledger.clock())
    if link.membership is None or link.person is not None:
        raise Refused("link_invalid", pointer="/link")
    return _accept(ledger, caller, asked, link, caller.actor, lambda _: None)


def set_password(
    ledger: Ledger, caller: Caller, login: str, password: str, old: str | None = None
) -> None:
    """Give oneself a login and a password; every other session ends.

    One who has a password must know it, unless the operator's link let him in; one who has none
    sets it in the session in which he came in.
    """
    _check_login(login)
    _check_password(password, login)
    with ledger.database.read() as connection:
        person = people.find_person(connection, caller.actor)
        session = people.find_session(connection, caller.session or "")
    if person is None or session is None:
        raise Refused("session_needed")
    first = session.way == "invitation" and person.password_hash is None
    trusted = first or session.way == "operator"
    if not trusted and not people.is_password(person.password_hash, old or ""):
        raise Refused("old_password_wrong", pointer="/old_password")
    kept = people.password_hash(password)
    with ledger.database.write() as connection:
        now = people.lock_person(connection, person.person)
        if now is None or now.password_hash != person.password_hash:
            raise Refused("old_password_wrong", pointer="/old_password")
        people.check_open(connection, session.session, ledger.clock())
        people.set_password(connection, person.person, login, kept)
        people.spend_links(connection, person.person)
        people.end_other_sessions(connection, person.person, session.session, ledger.clock())


def end_session(ledger: Ledger, caller: Caller, session: str) -> SessionRow:
    """End one of one's own sessions; one that has ended stays so."""
    with ledger.database.write() as connection:
        people.end_session(connection, caller.actor, session, ledger.clock())
        row = people.find_session(connection, session)
    if row is None or row.person != caller.actor:
        raise Refused("session_unknown")
    return row


class _Begun(Struct, frozen=True):
    """A session about to begin, and its secret."""

    row: SessionRow
    secret: str


def _session(
    ledger: Ledger,
    caller: Caller,
    asked: Asked,
    scope: str,
    person: str,
    club: str | None,
    way: str,
) -> _Begun:
    """A session whose id comes from the command id, so that a retry finds it again.

    What it is bound to leaves the password out: its hash would be easier to guess from than
    the one that is kept.
    """
    now, secret = ledger.clock(), ledger.token(32).hex()
    origin = caller.origin or Origin("")
    row = SessionRow(
        session=new_id("", scope, asked, ledger.token(16), "ses"),
        secret_hash=access.secret_hash(secret),
        person=person,
        club=club,
        way=way,
        address=origin.address,
        device=origin.device,
        created_at=now,
        expires_at=now + SESSION_DAYS * DAY,
        request=asked.request,
    )
    return _Begun(row, secret)


def _begin(ledger: Ledger, begun: _Begun, let_in: Callable[[Connection], None]) -> Entry:
    """Keep a session that no event belongs to, or find the one that this request began.

    `let_in` refuses who may not begin one after all.
    """
    session = begun.row.session
    try:
        with ledger.database.write() as connection:
            known = people.find_session(connection, session)
            if known is None:
                people.keep_session(connection, begun.row)
                let_in(connection)
    except IntegrityError:  # the same request at the same time: the other one was first
        with ledger.database.read() as connection:
            known = people.find_session(connection, session)
    if known is not None and known.request != begun.row.request:
        raise Refused("idempotency_key_reused")
    if known is not None:
        return _first_answer(known)
    return Entry(begun.row, people.session_token(session, begun.secret))


def _first_answer(session: SessionRow) -> Entry:
    """The answer that began a session, without its token, whatever has become of it since."""
    return Entry(replace(session, ended_at=None), None)


def _enter_anew(
    ledger: Ledger, caller: Caller, asked: Asked, link: LinkRow, name: str | None
) -> Entry:
    """A new person, who accepts the invitation that the link is, and his first session."""
    if name is not None:
        check_text("/name", name)
    person = new_id("", link.link, asked, ledger.token(16), "per")
    begun = _session(ledger, caller, asked, link.link, person, None, "invitation")

    def keep(connection: Connection) -> None:
        invited = people.find_membership(connection, link.membership or "")
        assert invited is not None
        called, now = name or invited.label, begun.row.created_at
        people.keep_person(connection, PersonRow(person, called, None, None, now))
        people.keep_session(connection, begun.row)

    done = _accept(ledger, caller, asked, link, person, keep)
    with ledger.database.read() as connection:
        session = people.find_session(connection, begun.row.session)
    assert session is not None
    if done.replayed:
        return _first_answer(session)
    return Entry(session, people.session_token(session.session, begun.secret))


def _accept(
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


def _check_login(login: str) -> None:
    plain = people.plain_login(login)
    if len(plain) < SHORTEST_LOGIN or not plain.isprintable() or " " in plain:
        raise Refused("login_form", pointer="/login", shortest=SHORTEST_LOGIN)


def _check_password(password: str, login: str) -> None:
    """A password long enough, whatever is in it, and not the login again."""
    fits = SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD
    if not fits or people.plain_login(password) == people.plain_login(login):
        raise Refused(
            "password_form",
            pointer="/password",
            shortest=SHORTEST_PASSWORD,
            longest=LONGEST_PASSWORD,
        )
