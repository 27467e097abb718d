"""What came of a check, in sentences in the language of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ledger.refusal import Refused
from ledger.terminal import language
from ledger.terminal import said as phrase
from ledger.texts.verdicts import names

if TYPE_CHECKING:
    from ledger.audit import Fault, Report
    from ledger.audit.agreeing import Agreement
    from ledger.audit.bundle import Verdict
    from ledger.audit.lies import Found
    from ledger.audit.told import Payment, Told
    from ledger.audit.trust import Standing
    from ledger.checkpoints import Checkpoint
    from ledger.cli.given import Kept

FAULTS = names("fault")
"""What can be wrong with an event of a log, by the audit's word for it."""
LIES = names("lie")
"""What can be not so in a file of evidence."""


def said(report: Report, yours: int = 0, more: str = "") -> str:
    """What an audit of a log found, in a sentence.

    `yours` of the checkpoints that fit were given; `more` is what else is known of a fault.
    """
    if report.fault is not None:
        return fault_line(report.fault, more)
    waiting = phrase("log.waiting", hands=report.unsettled) if report.unsettled else ""
    return phrase(
        "log.sound",
        events=report.events,
        hands=report.hands,
        waiting=waiting,
        kept=report.checkpoints - yours,
        yours=phrase("log.yours", yours=yours) if yours else "",
        hash=report.hash,
    )


def fault_line(fault: Fault, more: str = "") -> str:
    """What is wrong with a log, with the event at which that shows."""
    where = {"stream": fault.stream, "version": fault.version}
    stop = {"en": ".", "zh": "。"}[language()]
    why = f"{more}{stop}"
    if fault.code:
        why = f": {_sentence(fault.code, fault.rule)}"
    return phrase(
        "log.fault",
        position=fault.position,
        stream=phrase("log.stream", **where) if fault.stream else "",
        what=phrase(f"fault.{fault.why}"),
        why=why,
    )


def reaching(kept: Iterable[Kept]) -> str:
    """The files whose checkpoints say something else than a log, or reach beyond it."""
    told = [phrase("log.reach", file=one.file, position=one.checkpoint.position) for one in kept]
    return phrase("log.reaches", files=", ".join(told)) if told else ""


def _sentence(code: str, rule: str | None) -> str:
    """A refusal by its code, with its paragraph."""
    from ledger.texts import title

    told = title(Refused(code), language())
    return f"{told} ({rule})." if rule else f"{told}."


def plain(text: str) -> str:
    """Text that somebody else wrote, with nothing in it that a screen obeys or does not show."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


# --- checkpoints --------------------------------------------------------------------------------


def note_line(one: Kept, how: Standing, trusted: str) -> str:
    """Whether a checkpoint is signed by one of the keys that are trusted, or why not."""
    club, position, key = plain(one.checkpoint.club), one.checkpoint.position, one.checkpoint.key
    told = {"club": club, "position": position, "file": one.file}
    return phrase(f"note.{how}", **told, key=key, trusted=trusted)


def agreement_line(own: Checkpoint, other: Kept, agreement: Agreement) -> str:
    """What two checkpoints are to each other."""
    pair = {"own": own.position, "position": other.checkpoint.position}
    if agreement == "other_club":
        return uncompared_line(own, other, agreement)
    if agreement in ("agrees", "contradicts"):
        return phrase(f"pair.{agreement}", **pair)
    return phrase("pair.open", **pair, what=uncompared_line(own, other, agreement))


def stray_line(one: Kept) -> str:
    """A checkpoint of a club that was not checked."""
    told = {"club": plain(one.checkpoint.club), "position": one.checkpoint.position}
    return phrase("file.uncompared", what=phrase("kept.other_club", file=one.file, **told))


def uncompared_line(own: Checkpoint, other: Kept, agreement: Agreement) -> str:
    """Why a checkpoint says nothing of another, and what joins them."""
    position = other.checkpoint.position
    first, second = sorted((own.position, position))
    return phrase(
        f"kept.{agreement}",
        file=other.file,
        club=plain(other.checkpoint.club),
        position=position,
        own=own.position,
        first=first,
        second=second,
    )


# --- files of evidence --------------------------------------------------------------------------


def verdict_lines(
    verdict: Verdict, own: Checkpoint | None = None, kept: Sequence[Kept] = (), trusted: str = ""
) -> Iterator[str]:
    """What was checked of a file, what not, what the hand was, and what came of it.

    `own` is the file's checkpoint, `kept` those that it was held against, `trusted` the keys.
    """
    place = {"hand": verdict.hand, "table": verdict.table, "club": verdict.club}
    yield plain(phrase("file.hand", **place))
    if verdict.found is not None:
        yield phrase("file.not_so", lie=_lie(verdict.found, trusted))
        yield phrase("file.nothing_else")
        return
    if verdict.told is not None:
        yield from _told(verdict.told)
    yield from (phrase("file.checked", what=what) for what in _checked(verdict))
    for name in verdict.unchecked:
        yield phrase("file.unchecked", what=phrase(f"unchecked.{name}"))
    for one, agreement in zip(kept, verdict.against, strict=False):
        if agreement != "agrees" and own is not None:
            yield phrase("file.uncompared", what=uncompared_line(own, one, agreement))
    yield _end(verdict)


def _lie(found: Found, trusted: str) -> str:
    sentence = _sentence(found.code, found.rule) if found.code else ""
    place = {"position": found.position, "version": found.version}
    told = {"place": plain(found.place or ""), "sentence": sentence, "key": found.key}
    return phrase(f"lie.{found.lie}", **place, **told, trusted=trusted)


def _told(told: Told) -> Iterator[str]:
    """The hand itself: by which rules, how it ended, who paid whom."""
    winners = ", ".join(_who(told, seat) for seat in told.winners)
    name = "won" if told.end == "win" and not winners else told.end
    end = phrase(f"end.{name}", winners=winners)
    yield phrase("hand.rules", ruleset=plain(told.ruleset), end=end)
    for one in told.payments:
        yield _paid(told, one)
    if told.totals is None:
        return
    if not told.payments:
        yield phrase("hand.nothing_paid")
    for seat, (member, points) in enumerate(zip(told.seats, told.totals, strict=True)):
        yield phrase(
            "hand.seat", seat=seat, member=plain(member), points=f"{points:+d}" if points else "0"
        )


def _paid(told: Told, one: Payment) -> str:
    why = ", ".join(f"{plain(reason)} {points}" for reason, points in one.reasons.items())
    between: dict[str, Any] = {"payer": _who(told, one.payer), "payee": _who(told, one.payee)}
    return phrase("hand.paid", **between, points=one.points, why=why)


def _who(told: Told, seat: int) -> str:
    return phrase("hand.who", seat=seat, member=plain(told.seats[seat]))


def _checked(verdict: Verdict) -> Iterator[str]:
    by = "signed" if verdict.trusted else "signed_itself"
    yield phrase(f"checked.{by}", position=verdict.position)
    yield phrase("checked.events", events=verdict.events)
    if verdict.shuffled:
        yield phrase("checked.wall")
    played = {"points": "points", "outcome": "entered", None: "decided"}[verdict.entered]
    yield phrase(f"checked.{played}")
    if verdict.settled and verdict.entered != "points":
        yield phrase("checked.settlement")
    agree = verdict.against.count("agrees")
    if agree:
        yield phrase("checked.agree", agree=agree)


def _end(verdict: Verdict) -> str:
    """The one line that says what came of it."""
    if not verdict.trusted:
        return phrase("file.sound_in_itself")
    left = len(verdict.against) - verdict.against.count("agrees")
    return phrase("file.sound_partly", open=left) if left else phrase("file.sound")
