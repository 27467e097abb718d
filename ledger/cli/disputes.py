"""The commands of disputes 争议: a hand's points doubted, decided, corrected in one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from ledger.cli.books import (
    balance_of,
    dry_run,
    note,
    on_trial,
    people_of,
    points_of,
    show_balances,
)
from ledger.cli.claimed import preview_facts, show_preview
from ledger.cli.frame import Failure, House, commands, desk_of, house, machine, write
from ledger.streams.hearing import REASONS
from ledger.terminal import said, say, show_facts, time_text

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.claiming import Claim
    from ledger.disputing import Verdict
    from ledger.events import DecisionProposed
    from ledger.streams.hearing import Dispute

Command = TypeVar("Command", bound=Callable[..., Any])
STATES = {
    "open": "待答复",
    "answered": "已答复",
    "decided": "已裁决",
    "appealed": "已申诉",
    "final": "已生效",
    "withdrawn": "已撤回",
    "expired": "已过期",
}
RULINGS = {"uphold": "维持", "correct": "更正", "void": "作废", "no_fault": "无过错"}


class Totals(click.ParamType[tuple[int, ...]]):
    """Points by seat, such as 4,-4,4,-4."""

    name = "POINTS,…"

    def convert(self, value: Any, *_: Any) -> tuple[int, ...]:
        """The points of a text."""
        try:
            return tuple(int(points) for points in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} are no points by seat such as 4,-4,4,-4.")


def _claims(command: Command) -> Command:
    """The options by which it is said what a hand comes to."""
    outcome = click.option("--outcome", type=click.File("rb"), help="Its outcome, as JSON.")
    totals = click.option("--totals", type=Totals(), help="Its points by seat: 4,-4,4,-4.")
    return totals(outcome(command))


def _rules(rulings: tuple[str, ...]) -> Callable[[Command], Command]:
    """The options by which it is said how it is ruled, and why."""
    told = ", ".join(f"{word} {RULINGS[word]}" for word in rulings)
    options = (
        click.option("--ruling", type=click.Choice(rulings), required=True, help=told),
        _claims,
        click.option("--reason", type=click.Choice(list(REASONS)), required=True),
        click.option("--rule", help='The paragraph, such as "huaihua/1 C5.4".'),
        note,
        dry_run,
        machine,
        house,
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@commands.group()
def dispute() -> None:
    """Disputes about a hand's points 争议, from filing to correction.

    The operator acts as an officer who did not play. Where it takes two persons, the second one
    approves with a key or a session of his own, by the API.
    """


@dispute.command("file")
@click.argument("club")
@click.argument("table")
@click.argument("number", type=click.IntRange(1))
@_claims
@note
@machine
@house
def file_dispute(
    house: House,
    /,
    club: str,
    table: str,
    number: int,
    note: str | None,
    machine: bool,
    **told: Any,
) -> None:
    """Doubt a hand's points as an officer; its evidence is locked, and a checkpoint taken.

    Claim points or an outcome, or say in a note what is wrong.
    """
    from ledger import disputing

    desk = desk_of(house, club)
    done = disputing.file(desk, table, number, _claim(**told), note)
    house.seal(club)
    _tell(desk, done.stream.removeprefix("dispute/"), machine)


@dispute.command("correct")
@click.argument("club")
@click.argument("table")
@click.argument("number", type=click.IntRange(1))
@_rules(("correct", "void"))
def correct_hand(
    house: House, /, club: str, table: str, number: int, dry_run: bool, machine: bool, **told: Any
) -> None:
    """File and decide in one act, where a hand was entered wrongly; to void it needs a --note.

    Above the club's limit it waits for a second person. With --dry-run each balance is shown
    before and after.
    """
    from ledger import disputing

    verdict = _verdict(**told)
    with on_trial(desk_of(house, club), dry_run) as desk:
        seats = disputing.preview(desk, table, number, disputing.Claim()).seats
        before = points_of(desk, seats)
        done = disputing.correct(desk, table, number, verdict)
        _tell(desk, done.stream.removeprefix("dispute/"), machine, before)


@dispute.command("claim")
@click.argument("club")
@click.argument("table")
@click.argument("number", type=click.IntRange(1))
@_claims
@machine
@house
def show_claim(
    house: House, /, club: str, table: str, number: int, machine: bool, **told: Any
) -> None:
    """Show what is claimed beside what the rules compute, and where they part; writes nothing."""
    from ledger import disputing

    claim = _claim(**told)
    if claim == disputing.Claim():
        raise click.UsageError("Claim --totals or an --outcome.")
    desk = desk_of(house, club)
    found = disputing.preview(desk, table, number, claim)
    if machine:
        write(preview_facts(found))
    else:
        show_preview(desk, found, _ruleset(desk, table, number))


@dispute.command("decide")
@click.argument("club")
@click.argument("dispute")
@_rules(tuple(RULINGS))
def decide_dispute(
    house: House, /, club: str, dispute: str, dry_run: bool, machine: bool, **told: Any
) -> None:
    """Rule on a dispute, and book what the ruling says.

    Above the club's limit it waits for a second person. With --dry-run each balance is shown
    before and after.
    """
    from ledger import disputing

    verdict = _verdict(**told)
    with on_trial(desk_of(house, club), dry_run) as desk:
        before = _before(desk, dispute)
        disputing.decide(desk, dispute, verdict)
        _tell(desk, dispute, machine, before)


@dispute.command("approve")
@click.argument("club")
@click.argument("dispute")
@click.option("--version", type=click.IntRange(1), help="The version at which it was read.")
@dry_run
@machine
@house
def approve_decision(
    house: House, club: str, dispute: str, version: int | None, dry_run: bool, machine: bool
) -> None:
    """Agree, as a second person, to the decision that waits, and book what it says.

    Without the --version that `dispute show` tells it shows the decision, and asks.
    """
    from ledger import disputing

    asked = desk_of(house, club)
    seen = version or (_seen if dry_run else _ask)(asked, dispute)
    with on_trial(asked, dry_run) as desk:
        before = _before(desk, dispute)
        disputing.approve(desk, dispute, seen)
        _tell(desk, dispute, machine, before)


@dispute.command("withdraw")
@click.argument("club")
@click.argument("dispute")
@note
@machine
@house
def withdraw_dispute(
    house: House, club: str, dispute: str, note: str | None, machine: bool
) -> None:
    """Take back a dispute that the operator has filed, before the first ruling."""
    from ledger import disputing

    desk = desk_of(house, club)
    disputing.withdraw(desk, dispute, note)
    _tell(desk, dispute, machine)


@dispute.command("answer")
@click.argument("club")
@click.argument("dispute")
def answer_dispute(club: str, dispute: str) -> None:
    """Say what another member of the hand has to say: the member's own, by the API."""
    raise Failure(said("dispute.own", club=club, dispute=dispute, act="answer"))


@dispute.command("appeal")
@click.argument("club")
@click.argument("dispute")
def appeal_dispute(club: str, dispute: str) -> None:
    """Ask, once, that another person decide: the own affair of who sat in the hand, by the API."""
    raise Failure(said("dispute.own", club=club, dispute=dispute, act="appeal"))


# --- what is given --------------------------------------------------------------------------------


def _claim(totals: tuple[int, ...] | None, outcome: IO[bytes] | None) -> Claim:
    """What somebody says the hand comes to."""
    from ledger.disputing import Claim

    if totals is not None and outcome is not None:
        raise click.UsageError("Claim --totals or an --outcome, not both.")
    return Claim(totals, None if outcome is None else _object(outcome))


def _ruleset(desk: Desk, table: str, number: int) -> str:
    from ledger import booked

    with desk.ledger.database.read() as connection:
        return booked.find(connection, desk.club, table, number).money.ruleset


def _object(file: IO[bytes]) -> dict[str, Any]:
    try:
        return msgspec.json.decode(file.read(), type=dict[str, Any])
    except msgspec.DecodeError as fault:
        raise Failure(f"{file.name} is no outcome in JSON: {fault}.") from None


def _verdict(
    ruling: Any,
    reason: str,
    rule: str | None,
    note: str | None,
    totals: tuple[int, ...] | None,
    outcome: IO[bytes] | None,
) -> Verdict:
    from ledger.disputing import Verdict

    return Verdict(ruling, reason, rule, note, _claim(totals, outcome))


def _before(desk: Desk, dispute: str) -> dict[str, int]:
    """What the players of the hand in dispute have."""
    return points_of(desk, _read(desk, dispute)[0].seats)


def _read(desk: Desk, dispute: str) -> tuple[Dispute, int]:
    """A dispute as it stands, and the version that it is."""
    from ledger import acts, docket

    acts.club_of(desk)
    with desk.ledger.database.read() as connection:
        return docket.as_seen(connection, desk.club, dispute)


def _seen(desk: Desk, dispute: str) -> int:
    """The version of a dispute as it stands."""
    return _read(desk, dispute)[1]


def _ask(desk: Desk, dispute: str) -> int:
    """The version of a dispute whose decision somebody reads here, and agrees to.

    Where nobody is there to answer, nothing happens.
    """
    found, version = _read(desk, dispute)
    if found.proposal is None:
        return version
    for name, value in _proposed(found.proposal).items():
        click.echo(f"{name}  {value}", err=True)
    try:
        agreed = click.confirm(said("dispute.agree"), err=True)
    except click.Abort:
        click.echo(err=True)
        agreed = False
    if not agreed:
        raise Failure(said("dispute.not_agreed", version=version))
    return version


def _proposed(told: DecisionProposed) -> dict[str, str]:
    """What a decision says that waits for a second person."""
    facts = {
        "ruling": f"{told.ruling} {RULINGS[told.ruling]}",
        "reason": told.reason,
        "rule": told.rule,
        "totals": told.totals and ",".join(map(str, told.totals)),
        "outcome": told.outcome and msgspec.json.encode(told.outcome).decode(),
        "by": told.by,
    }
    return {name: value for name, value in facts.items() if value}


# --- what is told ---------------------------------------------------------------------------------


def _tell(desk: Desk, name: str, machine: bool, before: dict[str, int] | None = None) -> None:
    """How a dispute stands; after a decision with the balances before it and after it."""
    from ledger.disputing import OPEN

    found, version = _read(desk, name)
    told: dict[str, Any] = {
        "club": desk.club,
        "dispute": name,
        "hand": f"{found.table}-{found.number}",
        "state": found.state,
        "proposed": found.proposal is not None and found.state in OPEN,
        "ruling": found.ruling and found.ruling.ruling,
        "due": _due(found.answer_until, found.decide_until, found.state, found.ruling),
        "version": version,
    }
    balances = list(_balances(desk, before, _would(desk, found))) if before else []
    if machine:
        write({**told, **({"balances": balances} if before else {})})
        return
    told["state"] = f"{found.state} {STATES[found.state]}"
    told["ruling"] = found.ruling and f"{found.ruling.ruling} {RULINGS[found.ruling.ruling]}"
    waits = told.pop("proposed")
    show_facts(told)
    if balances:
        show_balances(balances)
    if waits:
        say("dispute.waits")


def _due(answer: int, decide: int, state: str, ruling: Any) -> str | None:
    """The next deadline of a dispute."""
    if state == "decided":
        return time_text(ruling.appeal_until)
    ends = {"open": answer, "answered": decide, "appealed": decide}
    return time_text(ends[state]) if state in ends else None


def _would(desk: Desk, found: Dispute) -> tuple[int, ...]:
    """What a decision that waits would do to each player."""
    from ledger import disputing

    with desk.ledger.database.read() as connection:
        return disputing.would_move(connection, desk.club, found)


def _balances(
    desk: Desk, before: dict[str, int], would: tuple[int, ...]
) -> Iterator[dict[str, Any]]:
    """What each player of the hand had, what comes of the decision, and what he has then."""
    members = tuple(before)
    after, people = points_of(desk, members), people_of(desk, members)
    for member, more in zip(members, would, strict=True):
        change = after[member] - before[member] + more
        yield balance_of(member, people[member], before[member], change)
