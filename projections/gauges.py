"""How far the projections are behind the log, and which were stopped, as the operator sees it."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from prometheus_client.core import Metric
from sqlalchemy import Connection, func, select

from ledger import metrics
from ledger.store import heads
from projections.checkpoint import checkpoints, live_generations
from projections.projection import ALL

_SAME = sa.and_(
    *(live_generations.c[key] == checkpoints.c[key] for key in ("projection", "club", "generation"))
)
_STOPPED = checkpoints.c.error.is_not(None)
_COME = sa.case((_STOPPED, heads.c.position), else_=checkpoints.c.position)
_EACH = (
    select(
        checkpoints.c.projection,
        func.sum(_COME),
        func.count(checkpoints.c.error),
    )
    .join(live_generations, _SAME)
    .join(heads, heads.c.club == checkpoints.c.club)
    .group_by(checkpoints.c.projection)
)
_EVENTS = select(func.coalesce(func.sum(heads.c.position), 0))


def gauges(connection: Connection, _: int) -> Iterator[Metric]:
    """For each projection, the events it is behind in all clubs, and the clubs it stopped in.

    Where an event has stopped it, it counts as stopped, not as behind.
    """
    events = int(connection.execute(_EVENTS).scalar_one())
    found = {name: (int(come), count) for name, come, count in connection.execute(_EACH)}
    each = [((one.name,), *found.get(one.name, (0, 0))) for one in ALL]
    lag = [(name, events - come) for name, come, _ in each]
    stopped = [(name, count) for name, _, count in each]
    label = ("projection",)
    yield metrics.gauge("projection_lag_events", "Events not shown yet.", label, lag)
    yield metrics.gauge("projections_stopped", "Clubs where an event stopped it.", label, stopped)
