"""What came of a check, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledger.refusal import Refused

if TYPE_CHECKING:
    from ledger.audit import Fault, Report
    from ledger.audit.agreeing import Agreement
    from ledger.audit.bundle import Verdict
    from ledger.audit.lies import Found
    from ledger.checkpoints import Checkpoint

FAULTS = {
    "unreadable": "cannot be read",
    "position": "is missing",
    "stream": "is of a type that cannot stand in its stream",
    "founding": "is not what founds the club, or does it again",
    "closed": "was added to a match that was over",
    "node": "lies under a node of the kept tree that is another",
    "version": "does not follow the one before it in its stream",
    "time": "is older than the one before it",
    "leaf": "was changed",
    "chain": "does not follow from the one before it",
    "slot": "has a private part that was changed",
    "malformed": "is not written in the one way in which events are",
    "secret": "has a secret that is none, or not the one that its hand was played with",
    "head": "is not the one that the head of the log names as its last",
    "refused": "was not open to who decided it",
    "otherwise": "is not what follows from what was decided",
    "missing": "is missing: what was decided has more consequences than are there",
    "settlement": "is not the settlement that the rules give for the hand",
    "root": "is under a checkpoint that says something else",
    "cut": "is missing: a checkpoint reaches beyond the end of the log",
    "signature": "is under a checkpoint that none of the keys has signed",
}
"""What is wrong with an event of a log, by the audit's word for it."""

LIES = {
    "signature": "The checkpoint is not signed by a key that is trusted here.",
    "contradicted": "A checkpoint that was kept, at position {position}, contradicts the file's.",
    "order": "The event at position {position} is out of its order.",
    "left_out": "Before position {position} the event with version {version} is left out.",
    "not_in_log": "The event at position {position}, as it is shown, is not in the club's log.",
    "not_of_this_hand": "The event at position {position} does not belong to this hand.",
    "malformed": "The event at position {position} is not written as events are.",
    "opened_otherwise": "The hand that starts at position {position} has another {place} than its "
    "match can have.",
    "told_otherwise": "What the file tells at {place} is not what its events say (position "
    "{position}).",
    "refused": "What was decided at position {position} was not open: {sentence}",
    "otherwise": "The event at position {position} is not what follows from what was decided.",
    "settlement": "The settlement at position {position} is not what the rules give.",
}
"""What is not so in a file of evidence."""


def said(report: Report) -> str:
    """What an audit of a log found, in a sentence."""
    if report.fault is not None:
        return _fault(report.fault)
    hands = f"{report.hands} hands were decided and settled again"
    hands += f" ({report.unsettled} more wait to be settled)" if report.unsettled else ""
    return (
        f"{report.events} events are as they were recorded, {hands}, and {report.checkpoints} "
        f"checkpoints fit; last hash {report.hash}."
    )


def _fault(fault: Fault) -> str:
    stream = f" ({fault.stream}, version {fault.version})" if fault.stream else ""
    why = f": {_sentence(fault.code, fault.rule)}" if fault.code else "."
    return f"The event at position {fault.position}{stream} {FAULTS[fault.why]}{why}"


def _sentence(code: str, rule: str | None) -> str:
    """A refusal by its code, with its paragraph."""
    from ledger.texts import LANGUAGES, title

    told = title(Refused(code), LANGUAGES[0])
    return f"{told} ({rule})." if rule else f"{told}."


def plain(text: str) -> str:
    """Text that somebody else wrote, with nothing in it that a screen obeys or does not show."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def signed_line(one: Checkpoint, is_signed: bool) -> str:
    """Whether a checkpoint is signed by a trusted key."""
    by = "is signed by" if is_signed else "is NOT signed by"
    return f"The checkpoint of {plain(one.club)} at {one.position} {by} a key that you trust."


def agreement_line(own: Checkpoint, other: Checkpoint, agreement: Agreement) -> str:
    """What two checkpoints are to each other."""
    pair = f"The checkpoints at {own.position} and {other.position}"
    return {
        "agrees": f"{pair} are of one log that only grew.",
        "contradicts": f"{pair} contradict each other: they cannot both be of this log.",
        "unjoined": f"{pair} could not be compared: no --proof joins them.",
        "misproven": f"{pair} could not be compared: the --proof that was given is wrong.",
        "other_club": stray_line(other),
    }[agreement]


def stray_line(one: Checkpoint) -> str:
    """A checkpoint that says nothing of what is checked."""
    return f"The checkpoint of {plain(one.club)} at {one.position} is of another club."


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """What was checked of a file, what not, and what was found."""
    found = verdict.found
    yield plain(f"Hand {verdict.hand} of table {verdict.table} in {verdict.club}.")
    if found is not None:
        yield f"NOT SO: {_lie(found)}"
        yield "Nothing else that the file says counts."
        return
    yield from (f"  checked: {line}" for line in _checked(verdict))
    yield from (f"  not checked: {line}" for line in _unchecked(verdict))
    yield from (f"NOT COMPARED: {line}" for line in _uncompared(verdict))


def _lie(found: Found) -> str:
    sentence = _sentence(found.code, found.rule) if found.code else ""
    place = {"position": found.position, "version": found.version, "place": found.place}
    return LIES[found.lie].format(**place, sentence=sentence)


def _checked(verdict: Verdict) -> Iterator[str]:
    by = "a key that you trust" if verdict.trusted else "the key in the file"
    yield f"the checkpoint at position {verdict.position} is signed by {by}"
    yield f"{verdict.events} events lie in the log under it, none of the hand is left out or moved"
    if verdict.shuffled:
        yield "the wall follows from the hand's secret: nobody chose it"
    if verdict.entered == "points":
        yield "the points were entered as they stand, and sum to zero"
    elif verdict.entered:
        yield "the hand was played elsewhere and entered; what was entered can have been"
    else:
        yield "every decision was open to who took it, and all else follows from the rules"
    if verdict.settled and verdict.entered != "points":
        yield "the settlement is what the rules give for it, payment by payment"
    agree = verdict.against.count("agrees")
    if agree:
        yield f"{agree} checkpoints that you have kept agree with it"


def _unchecked(verdict: Verdict) -> Iterator[str]:
    if not verdict.trusted:
        yield "whose key it is: give the club's with --key, which you have from elsewhere"
    if verdict.entered == "points":
        yield "who earned what: of a hand that was entered by points nothing else is known"
    elif not verdict.shuffled and not verdict.entered:
        yield "how the wall was mixed: it was brought from outside"
    if not verdict.settled:
        yield "a settlement: there is none in the file"
    yield "what lies beside the hand in the log, hands before it included"
    yield "whether others were shown the same checkpoint: compare it with theirs"


def _uncompared(verdict: Verdict) -> Iterator[str]:
    """Of the checkpoints that one has kept, those of which the question is open."""
    told = {
        "unjoined": "{} of your checkpoints: no --proof joins them with the file's",
        "misproven": "{} of your checkpoints: the --proof that was given is wrong",
        "other_club": "{} of your checkpoints: they are of another club",
    }
    for agreement, line in told.items():
        if agreement in verdict.against:
            yield line.format(verdict.against.count(agreement))
