"""Legal random play: the demo, the load and the property tests are made of it.

There are several kinds of play; the same seed plays the same match.
"""

from __future__ import annotations

from ledger.simulate.beginner import choose
from ledger.simulate.kinds import ALL, KINDS_OF_PLAY
from ledger.simulate.match import Match, Played, play_match, play_matches, record_of
from ledger.simulate.options import random_options
from ledger.simulate.report import Report

__all__ = [
    "ALL",
    "KINDS_OF_PLAY",
    "Match",
    "Played",
    "Report",
    "choose",
    "play_match",
    "play_matches",
    "random_options",
    "record_of",
]
