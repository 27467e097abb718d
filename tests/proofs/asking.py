"""What is asked over HTTP for checkpoints and proofs, of clubs just founded."""

from __future__ import annotations

import hashlib
from typing import Any

from tests.api.conftest import Answer, Club

JSON = dict[str, Any]
FOUNDED = 13
"""How long the log of a club is that was just founded: itself, members and keys."""


def seal(club: Club) -> JSON:
    """Make a checkpoint of the log as it stands."""
    made = club.owner.post(f"{club.path}/checkpoints")
    assert made.status_code == 200, made.text
    return dict(made.json)


def sealed(club: Club, *members: int) -> list[JSON]:
    """Checkpoints, each after so many members more have joined."""
    made = []
    for count in members:
        for number in range(count):
            club.owner.post(f"{club.path}/members", {"name": f"Another {number}"})
        made.append(seal(club))
    return made


def refusal(answer: Answer) -> tuple[int, str]:
    """The status and the code of an answer that is none."""
    return answer.status_code, answer.json["code"]


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
