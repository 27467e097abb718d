"""What every command has in common: how it is told what it needs, and how it says things.

What a machine may read goes to stdout, progress and refusals to stderr. A refusal is one
sentence and the exit status 2; 1 says that something was checked and is not right.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

import click

from ledger.refusal import Refused
from ledger.terminal import language, machine, progress, write

if TYPE_CHECKING:
    from ledger.acts import Desk
    from ledger.database import Trouble
    from ledger.perform import Ledger
    from ledger.settings import Settings

__all__ = [
    "Commands",
    "Failure",
    "House",
    "commands",
    "desk_of",
    "house",
    "language",
    "machine",
    "progress",
    "sentence_of",
    "tell",
    "write",
]


class House(Protocol):
    """What the composition root hands to the commands; nothing is opened before it is asked for."""

    @property
    def settings(self) -> Settings:
        """The settings of this installation."""

    def ledger(self) -> Ledger:
        """The ledger on the database of the settings."""

    def close(self) -> None:
        """Close what was opened."""

    def settle(self, club: str) -> None:
        """Settle all that waits, and bring what is shown of a club up to date."""

    def seal(self, club: str) -> None:
        """Sign a checkpoint of a club's log as it stands, where there is a key."""

    def replay(self, table: str, hand: int | None) -> Iterable[str]:
        """The lines that tell a table's hands, or one of them, step by step."""


UNKNOWN = ("club_unknown", "person_unknown", "table_unknown")
"""Refusals that come of looking in the wrong data folder as often as of a wrong name."""

TROUBLES: dict[Trouble, str] = {
    "away": "The database does not serve ({reason}). Does it run, and does {variable} name it?",
    "busy": "The database has too much to do just now ({reason}); try again.",
    "right": "The database does not let its user do this ({reason}). Do it as the database's "
    "owner, a role that may make roles.",
    "schema": "The database has not the tables of this release ({reason}). `paizhang db upgrade` "
    "makes a new one and brings an old one up to date; PAIZHANG_DATA or {variable} says which "
    "one is meant.",
    "user": "The database does not let this user in ({reason}). {variable} says who it is, and "
    "with which password.",
}
"""What a database that does not do what it is asked is told to people as."""

house = click.pass_obj


class Failure(click.ClickException):
    """A refusal as the command line says it: one sentence."""

    exit_code = 2


class Commands(click.Group):
    """Commands whose refusals are said in a sentence, never as a traceback."""

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(context)
        except Refused as refusal:
            raise Failure(f"{sentence_of(refusal)}{_place(refusal, context.obj)}") from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise Failure(f"{fault.filename or 'A file'}: {fault.strerror or fault}.") from None
        except UnicodeError:
            raise Failure("What was given is not text in UTF-8.") from None
        except Exception as fault:
            _fail_of_database(fault)
            raise


def _place(refusal: Refused, house: House) -> str:
    """Where something unknown was looked for; a URL that may hold a password is not repeated."""
    from ledger.texts.verdicts import names, phrase

    if refusal.code not in UNKNOWN:
        return ""
    told = str(refusal.params.get("club", ""))
    kind = told.partition("_")[0]
    if kind in names("id") - {"club", "another"}:
        found = phrase(f"id.{kind}", language())
        return phrase("id.another", language(), id=told, found=found)
    kind, _, file = house.settings.database_url.partition(":///")
    if kind != "sqlite":
        return phrase("place.variable", language(), variable=_variable())
    return phrase("place.file", language(), file=file)


def _variable() -> str:
    """The variable that says where the database is."""
    by_file = os.environ.get("PAIZHANG_DATABASE_URL_FILE")
    return "PAIZHANG_DATABASE_URL_FILE" if by_file else "PAIZHANG_DATABASE_URL"


def _fail_of_database(fault: Exception) -> None:
    """Say in a sentence what a database that is missing, old or not reached says in pages."""
    from sqlalchemy.exc import DBAPIError

    from ledger.database import trouble

    if isinstance(fault, DBAPIError):
        reason = str(fault.orig).strip().splitlines()[0]
        said = TROUBLES[trouble(fault)].format(reason=reason, variable=_variable())
        raise Failure(said) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paizhang", prog_name="paizhang")
@click.pass_context
def commands(context: click.Context) -> None:
    """Paizhang 牌账: an event-sourced match ledger for mahjong clubs."""
    context.call_on_close(context.obj.close)


def desk_of(house: House, club: str) -> Desk:
    """Where the operator asks for what he does in a club."""
    from ledger.access import operator
    from ledger.acts import Desk

    return Desk(house.ledger(), operator(), club)


def tell(facts: dict[str, Any], machine: bool) -> None:
    """Facts as JSON, or a line each for people."""
    if machine:
        write(facts)
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        click.echo(f"{name:<{width}} {value}")


def sentence_of(refusal: Refused) -> str:
    """A refusal as the command line says it: to the operator, whose every club is."""
    from ledger.texts import sentence
    from ledger.texts.verdicts import names, phrase

    if refusal.code in names("here"):
        return phrase(f"here.{refusal.code}", language())
    return sentence(refusal, language())
