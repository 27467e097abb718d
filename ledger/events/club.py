"""What happens to a club: its keys, its members, and the people who have roles in it."""

from __future__ import annotations

from ledger.events.event import Fact


class ClubFounded(Fact, frozen=True):
    """A club begins, with the zone and the cutoff of its business day (minutes after midnight)."""

    zone: str
    day_cutoff: int


class KeyIssued(Fact, frozen=True):
    """An API key of the club, with its roles; a member's key names the member."""

    key: str
    roles: tuple[str, ...]
    member: str | None
    expires_at: int | None


class KeyRevoked(Fact, frozen=True):
    """An API key that opens nothing any more."""

    key: str


class LimitsSet(Fact, frozen=True):
    """What a club allows from now on 额度与限制, whole; None is without limit.

    Entry floor and ceiling 入桌下限/上限 hold when somebody sits down, the pause floor 暂停下限
    and what one may lose in a day 每日输分上限 before a hand starts too. `hand_cap` 单局封顶 is
    what one can lose in a hand. At `alarm` 预警分 or below the club is told. `tables` is how many
    open ones a member may sit at. Above `allowance` and `correction` it takes two people.
    """

    entry_floor: int | None
    entry_ceiling: int | None
    pause_floor: int | None
    hand_cap: int | None
    day_loss: int | None
    alarm: int | None
    tables: int
    allowance: int | None
    correction: int | None


class DeadlinesSet(Fact, frozen=True):
    """How many hours a club gives to file a dispute, to answer, to decide and to appeal."""

    file_hours: int
    answer_hours: int
    decide_hours: int
    appeal_hours: int


class MemberJoined(Fact, frozen=True):
    """A member of the club, with the code that records and account names show."""

    code: str


# --- members: what each may do ----------------------------------------------------------------


class MemberLimitsSet(Fact, frozen=True):
    """Limits of one member in the place of the club's; None is the club's own."""

    entry_floor: int | None
    entry_ceiling: int | None
    pause_floor: int | None
    day_loss: int | None
    alarm: int | None


class MemberBarred(Fact, frozen=True):
    """A member may sit down no more 禁玩; a table at which he sits is played to its end."""

    note: str | None


class MemberReadmitted(Fact, frozen=True):
    """A member who was barred may sit down again."""

    note: str | None


class MemberLeft(Fact, frozen=True):
    """A member has left 已退; his code, his points and his hands stay."""

    note: str | None


class MemberReturned(Fact, frozen=True):
    """A member who had left is one again, under his old code."""


class MemberGrouped(Fact, frozen=True):
    """A member belongs to a group 分组, named by the digest of a text; None is none."""

    group: str | None


# --- memberships: which person has which roles in the club -------------------------------------


class Invited(Fact, frozen=True):
    """Whoever holds the invitation's link may come in with these roles; as a member, as which."""

    roles: tuple[str, ...]
    member: str | None
    expires_at: int


class InvitationAccepted(Fact, frozen=True):
    """A person came in by an invitation; who that is stands outside of events."""

    person: str


class InvitationRevoked(Fact, frozen=True):
    """An invitation that nobody can accept any more."""


class RolesChanged(Fact, frozen=True):
    """The roles that a person has from now on, and the member as whom he acts while he is one.

    None: he has left the club.
    """

    roles: tuple[str, ...]
    member: str | None


class LinkIssued(Fact, frozen=True):
    """A link by which a person who belongs to the club can sign in to it once."""

    link: str
    expires_at: int


# --- forgetting: what was kept of somebody outside of events is gone ---------------------------


class PersonForgotten(Fact, frozen=True):
    """The person of a membership was forgotten: his name and all that he was known by is gone."""

    person: str


class MemberForgotten(Fact, frozen=True):
    """A member whose name was forgotten; his code, his points and his hands stay."""
