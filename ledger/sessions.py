"""How people sign in: by a link that opens once, or by login and password; and out again.

What a person does with his own name, password and sessions is no event of any club, and stands
in tables alone.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ledger import access, passwords, people
from ledger.access import Caller, Origin
from ledger.acts import Asked, new_id
from ledger.admission import DAY, accept
from ledger.names import FILLERS, check_text
from ledger.people import LinkRow, PersonRow, SessionRow
from ledger.perform import Ledger
from ledger.refusal import Refused

SESSION_DAYS = 30
SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
SHORTEST_LOGIN = 3
LOGIN_SIGNS = ".-_+@"


class Entry(Struct, frozen=True):
    """A session that began, with its token, which is None in a retry."""

    session: SessionRow
    token: str | None


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
    if not passwords.is_password(kept, password) or row is None:
        raise Refused("login_wrong")
    begun = _session(ledger, caller, asked, row.person, row.person, None, "password")

    def look_again(connection: Connection) -> None:
        now = people.lock_person(connection, begun.row.person)
        if now is None or now.password_hash != kept:
            raise Refused("login_wrong")

    return _begin(ledger, begun, look_again)


def set_password(
    ledger: Ledger, caller: Caller, login: str, password: str, old: str | None = None
) -> None:
    """Give oneself a login and a password; every other session ends.

    One who has a password must know it, unless the operator's link let him in; one who has none
    sets it in the session in which he came in. What is so already is done, so that a request
    whose answer was lost may be sent again.
    """
    _check_login(login)
    _check_password(password, login)
    for _ in range(2):
        if _password_is_set(ledger, caller, login, password, old):
            return
    raise Refused("old_password_wrong", pointer="/old_password")


def _password_is_set(
    ledger: Ledger, caller: Caller, login: str, password: str, old: str | None
) -> bool:
    """Set a password, unless it is so already; false if another was set meanwhile."""
    with ledger.database.read() as connection:
        person = people.find_person(connection, caller.actor)
        session = people.find_session(connection, caller.session or "")
    if person is None or session is None:
        raise Refused("session_needed")
    first = session.way == "invitation" and person.password_hash is None
    trusted = first or session.way == "operator"
    if not trusted and not passwords.is_password(person.password_hash, old or ""):
        if _has(person, login, password):
            return True
        raise Refused("old_password_wrong", pointer="/old_password")
    return _set(ledger, person, session, login, passwords.password_hash(password))


def _has(person: PersonRow, login: str, password: str) -> bool:
    """Whether somebody has a login and a password already."""
    named = person.login == passwords.plain_login(login)
    return named and passwords.is_password(person.password_hash, password)


def _set(ledger: Ledger, person: PersonRow, session: SessionRow, login: str, kept: str) -> bool:
    """Keep a login and the hash of a password, if the one that was looked at is still there."""
    with ledger.database.write() as connection:
        now = people.lock_person(connection, person.person)
        if now is None or now.password_hash != person.password_hash:
            return False
        people.check_open(connection, session.session, ledger.clock())
        people.set_password(connection, person.person, login, kept)
        people.spend_links(connection, person.person)
        people.end_other_sessions(connection, person.person, session.session, ledger.clock())
    return True


def change_name(ledger: Ledger, caller: Caller, name: str) -> None:
    """Call oneself otherwise; what clubs call one, by their labels, is theirs."""
    check_text("/name", name)
    with ledger.database.write() as connection:
        people.check_open(connection, caller.session or "", ledger.clock())
        people.change_name(connection, caller.actor, name)


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

    done = accept(ledger, caller, asked, link, person, keep)
    with ledger.database.read() as connection:
        session = people.find_session(connection, begun.row.session)
    assert session is not None
    if done.replayed:
        return _first_answer(session)
    return Entry(session, people.session_token(session.session, begun.secret))


def _check_login(login: str) -> None:
    plain = passwords.plain_login(login)
    fits = all(character.isalnum() or character in LOGIN_SIGNS for character in plain)
    is_id = plain.startswith("per_")
    if len(plain) < SHORTEST_LOGIN or is_id or not fits or set(plain) & set(FILLERS):
        raise Refused("login_form", pointer="/login", shortest=SHORTEST_LOGIN)


def _check_password(password: str, login: str) -> None:
    """A password long enough, whatever is in it, and not the login again."""
    fits = SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD
    if not fits or passwords.plain_login(password) == passwords.plain_login(login):
        raise Refused(
            "password_form",
            pointer="/password",
            shortest=SHORTEST_PASSWORD,
            longest=LONGEST_PASSWORD,
        )
