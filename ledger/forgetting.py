"""Forgetting 遗忘: all that is kept of a person or a member outside of the log goes.

Events tell people by opaque ids and stay as they are, so the chain and old proofs hold. A
pseudonym, made of the id, stands where a name stood. Backups made before are out of reach.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal

from msgspec import Struct, structs
from sqlalchemy import Connection, bindparam, delete, select, update

from ledger import access, acts, admission, codec, exports, people, store
from ledger.access import KeyRow, MemberRow, keys, members, origins, texts, uses
from ledger.acts import Desk, order_on
from ledger.people import MembershipRow, SessionRow, links, memberships, sessions
from ledger.perform import Ledger, hint
from ledger.refusal import Refused
from ledger.streams.member import ForgetMember
from ledger.streams.membership import ForgetPerson
from ledger.streams.roles import ROLES

What = Literal[
    "name",
    "login",
    "password",
    "session",
    "link",
    "role",
    "label",
    "member",
    "invitation",
    "key",
    "text",
    "origin",
    "export",
]
"""What goes: of a person, then of his place in a club, then of what else tells of him there."""
SHORTEST_NAME = 2
"""What is shorter is looked for in no text: it would be found everywhere."""
ENDING = 6
_PSEUDONYM = re.compile("已遗忘 forgotten [0-9a-z]+")
_SPELT = r"[^\W\u2e80-\U0003ffff]"
"""A sign of a script that puts spaces between words."""
_ORIGIN = delete(origins).where(
    origins.c.club == bindparam("of_club"), origins.c.position == bindparam("at")
)


class Gone(Struct, frozen=True):
    """Something that goes: what it is, in which club (None: in all), and how it reads."""

    what: What
    club: str | None
    told: str


class Forgotten(Struct, frozen=True):
    """Who was forgotten: what he is called from now on, and all that went.

    `ownerless` are clubs that have no owner any more; `namesakes` members of his clubs who have
    a name of his and are not known to be him. `wiped`: no byte of it is left in the database's
    files either, as far as that can be known.
    """

    id: str
    name: str
    gone: tuple[Gone, ...]
    ownerless: tuple[str, ...] = ()
    namesakes: tuple[tuple[str, str], ...] = ()
    wiped: bool = False


def pseudonym(id: str) -> str:
    """What somebody is called who was forgotten: `已遗忘 forgotten` and the end of his id."""
    return f"已遗忘 forgotten {id[-ENDING:]}"


def forget_person(ledger: Ledger, named: str) -> Forgotten:
    """Forget a person, named by id or login, in all of his clubs, which he leaves.

    He may be the last owner of a club: the operator alone can forget. Whoever was forgotten can
    be forgotten again; then goes what is left. Refuses nobody's name (`person_unknown`).
    """
    with _at_once(ledger) as (within, connection):
        found = people.find_person(connection, named) or people.find_login(connection, named)
        if found is None:
            raise Refused("person_unknown", person=named)
        for club in sorted({place.club for place in _places(connection, found.person)}):
            store.hold(connection, club)
        told = _Person(within, connection, found.person).forget()
    return _wiped(ledger, told)


def forget_member(ledger: Ledger, club: str, named: str) -> Forgotten:
    """Forget a member who is nobody's with an account, named by id or code.

    Refuses who is a person's (`member_is_person`): the person is forgotten, and he with him.
    """
    with _at_once(ledger) as (within, connection):
        if store.hold(connection, club) is None:
            raise Refused("club_unknown", club=club)
        row = access.find_members(connection, club, (named,)).get(named)
        if row is None:
            raise Refused("member_unknown", member=named)
        _check_nobodys(connection, row)
        trace = _Trace(within, connection, row.member, [row])
        trace.forget_member(row)
        trace.forget_in(club)
        told = Forgotten(row.member, trace.name, tuple(trace.gone))
    return _wiped(ledger, told)


def tried(ledger: Ledger, forget: Callable[[Ledger], Forgotten]) -> Forgotten:
    """What would go; all of it is there again afterwards."""
    with ledger.database.rehearse() as database:
        return forget(replace(ledger, database=database, appended=lambda *_: None))


@contextmanager
def _at_once(ledger: Ledger) -> Iterator[tuple[Ledger, Connection]]:
    """A ledger of which all that is done is kept, or nothing; only then others are told."""
    hints: list[tuple[str, frozenset[str], tuple[int, ...]]] = []

    def keep(club: str, types: frozenset[str], left: tuple[int, ...]) -> None:
        hints.append((club, types, left))

    with ledger.database.together() as database, database.write() as connection:
        yield replace(ledger, database=database, appended=keep), connection
    for one in hints:
        hint(ledger, *one)


def _wiped(ledger: Ledger, told: Forgotten) -> Forgotten:
    """Let no byte linger in the file; a rehearsal has deleted nothing."""
    wiped = not ledger.database.rehearses and ledger.database.wipe()
    return structs.replace(told, wiped=wiped)


def _places(connection: Connection, person: str) -> list[MembershipRow]:
    """All of a person's memberships, those that he has left too."""
    found = select(memberships).where(memberships.c.person == person)
    ordered = found.order_by(memberships.c.created_at, memberships.c.membership)
    return [MembershipRow(*row) for row in connection.execute(ordered)]


def _check_nobodys(connection: Connection, row: MemberRow) -> None:
    """Refuse a member as whom somebody with an account plays, or has played last."""
    same = (memberships.c.club == row.club) & (memberships.c.member == row.member)
    known = people.people.c.person, people.people.c.forgotten_at
    owner = select(*known).join(memberships, memberships.c.person == known[0]).where(same)
    for person, forgotten_at in connection.execute(owner):
        if forgotten_at is None:
            raise Refused("member_is_person", member=row.code, person=person)


def _folded(text: str) -> str:
    """A text as it is compared: letters of one width, form and case, and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _pattern(name: str) -> str:
    """A name as a word of its own, where its script has words; in Chinese it stands anywhere."""
    before = f"(?<!{_SPELT})" if re.match(_SPELT, name[0]) else ""
    after = f"(?!{_SPELT})" if re.match(_SPELT, name[-1]) else ""
    return f"{before}{re.escape(name)}{after}"


class _Trace:
    """Somebody on his way to being forgotten: as whom he played, and what has gone of him."""

    def __init__(
        self,
        ledger: Ledger,
        connection: Connection,
        subject: str,
        played: list[MemberRow],
        called: Iterable[str] = (),
    ) -> None:
        self.ledger, self.connection = ledger, connection
        self.name = pseudonym(subject)
        self.members = {row.member for row in played}
        self.gone: list[Gone] = []
        said = {*called, *(row.name for row in played)}
        names = {_folded(one) for one in said if not _PSEUDONYM.fullmatch(one)}
        self._called = names - set(ROLES)
        long = sorted(one for one in self._called if len(one) >= SHORTEST_NAME)
        self._naming = re.compile("|".join(map(_pattern, long)) or "(?!)")

    def add(self, what: What, club: str | None, told: str) -> None:
        """Note something that goes."""
        self.gone.append(Gone(what, club, told))

    def desk(self, club: str) -> Desk:
        """Where the operator asks for what happens in a club."""
        return Desk(self.ledger, access.operator(), club)

    def is_called(self, name: str) -> bool:
        """Whether a name is one of his, however it is spelt."""
        return _folded(name) in self._called

    def is_named(self, text: str) -> bool:
        """Whether a text names him somewhere, however it is spelt."""
        return self._naming.search(_folded(text)) is not None

    def is_his(self, label: str, member: str | None) -> bool:
        """Whether a label is that of a member of his, or names him, and does so still."""
        named = self.is_called(label) or self.is_named(label)
        return not _PSEUDONYM.fullmatch(label) and (named or member in self.members)

    def forget_member(self, row: MemberRow) -> None:
        """Let a member be called by his pseudonym; his code, points and hands stay."""
        order_on(self.desk(row.club), f"member/{row.member}", ForgetMember(), lambda _: None)
        if not _PSEUDONYM.fullmatch(row.name):
            same = (members.c.club == row.club) & (members.c.member == row.member)
            name = pseudonym(row.member)
            self.connection.execute(update(members).where(same).values(name=name))
            self.add("member", row.club, f"{row.code} {row.name}")

    def forget_in(self, club: str, said: Iterable[str] = ()) -> None:
        """Let go what else names him in a club, and the texts that he said, by their digests."""
        self._forget_invitations(club)
        self._forget_keys(club)
        self._drop_exports(club)
        wrote = set(said)
        found = select(texts.c.digest, texts.c.text).where(texts.c.club == club)
        for digest, text in list(self.connection.execute(found)):
            if digest in wrote or self.is_named(text):
                this = (texts.c.club == club) & (texts.c.digest == digest)
                self.connection.execute(delete(texts).where(this))
                self.add("text", club, text)

    def _drop_exports(self, club: str) -> None:
        """Let the files of exports go, in which he may be named."""
        dropped = exports.drop(self.connection, (club,), self.ledger.clock())
        if dropped:
            self.add("export", club, f"the files of {dropped} exports")

    def _forget_invitations(self, club: str) -> None:
        """Take back invitations of his that nobody has accepted, and what they call him."""
        waiting = select(memberships).where(
            memberships.c.club == club, memberships.c.person.is_(None)
        )
        for row in [MembershipRow(*one) for one in self.connection.execute(waiting)]:
            if not self.is_his(row.label, row.member):
                continue
            if row.revoked_at is None:
                admission.revoke_invitation(self.desk(club), row.membership)
            self.relabel(row, "invitation")

    def relabel(self, row: MembershipRow, what: What) -> None:
        """Let a membership be called by the pseudonym, and its links be gone."""
        self.connection.execute(delete(links).where(links.c.membership == row.membership))
        if not _PSEUDONYM.fullmatch(row.label):
            people.change_membership(self.connection, row.membership, label=self.name)
            self.add(what, row.club, row.label)

    def _forget_keys(self, club: str) -> None:
        """End the keys of his members, and forget what names him in what keys are for."""
        of_club = select(keys).where(keys.c.club == club)
        for row in [KeyRow(*one) for one in self.connection.execute(of_club)]:
            if row.member in self.members:
                if row.revoked_at is None:
                    acts.revoke_key(self.desk(club), row.key)
                self.forget_use(row.key)
            if self.is_his(row.label, row.member):
                this = update(keys).where(keys.c.key == row.key)
                self.connection.execute(this.values(label=self.name))
                self.add("key", club, row.label)

    def forget_use(self, subject: str) -> None:
        """Forget when a key or a session was used."""
        self.connection.execute(delete(uses).where(uses.c.subject == subject))


class _Person:
    """A person on his way to being forgotten. His doors close first, so that nobody comes in."""

    def __init__(self, ledger: Ledger, connection: Connection, person: str) -> None:
        row = people.lock_person(connection, person)
        assert row is not None
        self.row, self.connection = row, connection
        own = sessions.c.person == person
        begun = select(sessions).where(own).order_by(sessions.c.created_at, sessions.c.session)
        self.sessions = [SessionRow(*one) for one in connection.execute(begun)]
        connection.execute(delete(sessions).where(own))
        self.places = _places(connection, person)
        played = {one.member: one for place in self.places for one in self._members(place)}
        self.played = list(played.values())
        called = {row.name, row.login or row.name, *(place.label for place in self.places)}
        self.trace = _Trace(ledger, connection, person, self.played, called)

    def _members(self, place: MembershipRow) -> list[MemberRow]:
        """The member as whom he plays, or played last and nobody else does now."""
        if place.member is None:
            return []
        holder = store.guard(self.connection, place.club, f"member/{place.member}")
        if holder not in (None, place.membership):
            return []
        return list(access.find_members(self.connection, place.club, (place.member,)).values())

    def forget(self) -> Forgotten:
        """Let all of it go."""
        trace, clubs = self.trace, dict.fromkeys(place.club for place in self.places)
        namesakes = tuple(one for club in clubs for one in self._namesakes(club))
        self._forget_account()
        ownerless = tuple(place.club for place in self.places if self._leave(place))
        for row in self.played:
            trace.forget_member(row)
        for club in clubs:
            trace.forget_in(club, self._forget_acts(club))
        told = tuple(trace.gone)
        return Forgotten(self.row.person, trace.name, told, ownerless, namesakes)

    def _namesakes(self, club: str) -> Iterator[tuple[str, str]]:
        """Members of a club, by their codes, who are called as he is and not known to be him."""
        of_club = select(members).where(members.c.club == club)
        for row in [MemberRow(*one) for one in self.connection.execute(of_club)]:
            if self.trace.is_called(row.name) and row.member not in self.trace.members:
                yield club, row.code

    def _forget_account(self) -> None:
        """What is his in all clubs: name, login and password, sessions and links."""
        trace, row = self.trace, self.row
        for session in self.sessions:
            trace.forget_use(session.session)
            from_where = (session.way, session.address, session.device)
            trace.add("session", None, ", ".join(filter(None, from_where)))
        of_him = delete(links).where(links.c.person == row.person)
        for _ in range(self.connection.execute(of_him).rowcount):
            trace.add("link", None, "a way to sign in")
        if row.forgotten_at is None:
            self._forget_name()

    def _forget_name(self) -> None:
        """What he is called and signs in with."""
        trace, row = self.trace, self.row
        trace.add("name", None, row.name)
        if row.login is not None:
            trace.add("login", None, row.login)
            trace.add("password", None, "its hash")
        nothing: dict[str, Any] = {"login": None, "password_hash": None}
        known = {"name": trace.name, **nothing, "forgotten_at": trace.ledger.clock()}
        this = update(people.people).where(people.people.c.person == row.person)
        self.connection.execute(this.values(known))

    def _leave(self, place: MembershipRow) -> bool:
        """Let him leave a club, which tells of it; whether it has no owner any more."""
        desk, stream = self.trace.desk(place.club), f"membership/{place.membership}"
        owned = "owner" in place.role_names
        if place.roles:
            admission.change_roles(desk, place.membership, ())
            self.trace.add("role", place.club, place.roles)
        order_on(desk, stream, ForgetPerson(), lambda _: None)
        self.trace.relabel(place, "label")
        return owned and not people.has_other_owner(self.connection, place)

    def _forget_acts(self, club: str) -> list[str]:
        """Forget from where he acted in a club; the digests of what he wrote there."""
        digests, gone = [], 0
        for row in store.read_acts(self.connection, club, self.row.person):
            note = getattr(codec.unseal(row.type, row.public).fact, "note", None)
            digests += [note] if note else []
            at = {"of_club": club, "at": row.position}
            gone += self.connection.execute(_ORIGIN, at).rowcount
        if gone:
            self.trace.add("origin", club, f"address and device of {gone} of his acts")
        return digests
