"""A client of the ledger's API, for the developer of a game server to use or to copy.

    with Client("http://127.0.0.1:8000", key) as ledger:
        table = ledger.open_table(club, ruleset="huaihua/1", seats=seats, hands=8)
        answer = ledger.start_hand(table["id"])
        answer = ledger.act(table["id"], answer["version"], action)

It needs httpx and nothing else. `client.py` has a method for each step of the road,
`connection.py` sends and tries again, `answers.py` names what comes back.
"""

from paizhang_client.answers import Action, Balance, Event, Hand, Recorded, Settlement, Table
from paizhang_client.client import Client
from paizhang_client.connection import NoAnswer, Refusal, VersionStale

__all__ = ["Action", "Balance", "Client", "Event", "Hand", "NoAnswer", "Recorded", "Refusal"]
__all__ += ["Settlement", "Table", "VersionStale"]
