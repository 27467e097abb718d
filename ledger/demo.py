"""The demo club: members, a game server's key, and hands that were really recorded.

`play_days` records many hands over many business days through `perform`, a hand to a
transaction. `play_over_http` records them as a game server would, action by action.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import msgspec
from msgspec import Struct, structs

from ledger import access, acts, simulate
from ledger.access import Caller, operator
from ledger.acts import Asked, Desk, Opening
from ledger.perform import Ledger
from ledger.record import Choice, RecordedHand
from ledger.record import choice as bare
from ledger.rules.catalog import CATALOG
from ledger.streams.table import Act, StartHand
from ledger.tiles import parse_tile, parse_tiles
from paizhang_client import Client

NAME = "翠苑麻将会 Jade Garden"
ZONE = "Asia/Shanghai"
CUTOFF = 5 * 60
NAMES = ("老张", "小李", "王姐", "陈叔", "Ann", "赵敏", "老周", "孙哥", "吴婶", "Ben")
SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR
THINKING = 3 * SECOND
LONGEST_MATCH = 2 * 3600 * SECOND
HANDS_AT_A_TABLE = 8
SERVER = "demo game server"
READ_KEY = "paizhang run"
LOW_SCORE = 5
OPTIONS: dict[str, dict[str, Any]] = {
    "huaihua/1": {
        "zhong_wild": True,
        "win_mode": "discard",
        "bird_count": 2,
        "patterns": ["long_qi_dui", "jiang_jiang_hu", "tian_hu", "di_hu", "yi_tiao_long"],
    },
    "haozi/1": {"feeder_pays_kong": True, "discarder_pays_kongs": True},
    "zhuoji/1": {"wugu_ji": True, "week_ji": True, "gumai": True, "dealer_mode": "streak"},
}
"""The rules of the demo's tables; a ruleset that is not named plays with its defaults."""


class DemoClub(Struct, frozen=True):
    """A club with its members and the tokens of its keys."""

    club: str
    owner: str
    recorder: str
    recorder_key: str
    members: tuple[str, ...]


def found(ledger: Ledger, members: int, days: int = 0) -> DemoClub:
    """Found the demo club with an owner's key, a game server's key and members.

    It was founded before the days that are to be played in it.
    """
    if days:
        then = ledger.clock() - days * DAY - HOUR
        ledger = dataclasses.replace(ledger, clock=lambda: then)
    club = acts.found_club(ledger, operator(), Asked(), NAME, ZONE, CUTOFF).club
    desk = Desk(ledger, operator(), club)
    owner = acts.issue_key(desk, ("owner",), "demo owner")
    server = acts.issue_key(desk, ("recorder",), SERVER)
    joined = [acts.join_member(desk, _name(number)) for number in range(members)]
    ids = tuple(done.stream.removeprefix("member/") for done in joined)
    return DemoClub(club, owner.token or "", server.token or "", server.key, ids)


def _name(number: int) -> str:
    name = NAMES[number % len(NAMES)]
    return name if number < len(NAMES) else f"{name} {number // len(NAMES) + 1}"


def play_days(
    ledger: Ledger, club: DemoClub, rulesets: tuple[str, ...], hands: int, days: int, seed: int
) -> Iterator[int]:
    """Record hands over business days that end now, a hand to a transaction; yields each hand."""
    rng = random.Random(seed)
    desk = Desk(ledger, Caller(club.recorder_key, club.club, ("recorder",)), club.club)
    first, span = ledger.clock() - days * DAY, days * DAY - LONGEST_MATCH
    for done in range(0, hands, HANDS_AT_A_TABLE):
        at = first + span * done // hands
        count = min(HANDS_AT_A_TABLE, hands - done)
        key = rulesets[done // HANDS_AT_A_TABLE % len(rulesets)]
        yield from _play_table(desk, club.members, key, count, at, rng)


def _play_table(
    desk: Desk, members: tuple[str, ...], key: str, hands: int, at: int, rng: random.Random
) -> Iterator[int]:
    """One match from its opening to its close, at the times it pretends to have."""
    table = ""
    for number, played in enumerate(simulate.play_match(rng, key, OPTIONS.get(key, {}), hands)):
        if number == 0:
            seats = tuple(rng.sample(members, played.hand.players))
            opening = Opening(
                key, OPTIONS.get(key, {}), seats, hands, LOW_SCORE, played.hand.dealer, at=at
            )
            table = acts.open_table(_at(desk, at), opening).stream.removeprefix("table/")
        commands = _commands(played.recorded, at + THINKING, desk.ledger.token(32).hex())
        at = commands[-1].at or at
        acts.on_table(_at(desk, at), table, commands)
        yield number


def _at(desk: Desk, at: int) -> Desk:
    """The desk as it was at a moment: its ledger's clock stands there."""
    return structs.replace(desk, ledger=dataclasses.replace(desk.ledger, clock=lambda: at))


def _commands(hand: RecordedHand, at: int, secret: str) -> tuple[StartHand | Act, ...]:
    """A recorded hand as commands, a few seconds apart."""
    wilds = tuple(map(parse_tile, hand.wilds))
    start = StartHand(parse_tiles(hand.wall), secret, wilds, at, hand.weekday)
    actions = (
        Act(bare(action), at=at + THINKING * step) for step, action in enumerate(hand.actions, 1)
    )
    return (start, *actions)


def play_over_http(
    base: str, club: DemoClub, hands: int, seed: int, played: Callable[[int], None]
) -> None:
    """Record hands over the API as a game server does: read what is legal, send what is chosen.

    The tables take turns at the rulesets.
    """
    rng, rulesets = random.Random(seed), cycle(CATALOG)
    with Client(base, club.recorder, trust_env=False) as client:
        for done in range(0, hands, HANDS_AT_A_TABLE):
            count, key = min(HANDS_AT_A_TABLE, hands - done), next(rulesets)
            table = client.open_table(
                club.club,
                ruleset=key,
                options=OPTIONS.get(key, {}),
                seats=rng.sample(club.members, 4),
                hands=count,
                low_score=LOW_SCORE,
                room="大厅",
            )
            for number in range(count):
                _play_hand(client, table["id"], rng)
                played(done + number + 1)


def _play_hand(client: Client, table: str, rng: random.Random) -> None:
    answer = client.start_hand(table)
    while any(answer["legal_actions"]):
        told = [choice for choices in answer["legal_actions"] for choice in choices or ()]
        legal = msgspec.convert(told, tuple[Choice, ...])
        chosen = told[legal.index(simulate.choose(rng, legal))]
        answer = client.act(table, answer["version"], chosen)


def read_key(ledger: Ledger, club: str) -> str:
    """A key that reads the club; the one given at the last start opens nothing any more."""
    desk = Desk(ledger, operator(), club)
    with ledger.database.read() as connection:
        old = access.labelled_keys(connection, club, READ_KEY)
    for key in old:
        if key.revoked_at is None:
            acts.revoke_key(desk, key.key)
    return acts.issue_key(desk, ("auditor",), READ_KEY).token or ""
