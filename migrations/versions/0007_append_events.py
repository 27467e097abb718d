"""On PostgreSQL: an append as one function, so that it is one round trip.

It is written once more whenever the way of appending changes; SQLite appends by statements.
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

LP = """
CREATE FUNCTION lp(part bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT int4send(length(part)) || part $$
"""

LEAF = r"""
CREATE FUNCTION event_leaf(
  club text, stream text, version bigint, type text, recorded_at bigint,
  actor text, role text, command bytea, public bytea, digests bytea
) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
  SELECT sha256(
    '\x00'::bytea || lp(convert_to(club, 'UTF8')) || lp(convert_to(stream, 'UTF8'))
    || int8send(version) || lp(convert_to(type, 'UTF8')) || int8send(recorded_at)
    || lp(convert_to(actor, 'UTF8')) || lp(convert_to(role, 'UTF8'))
    || lp(command) || lp(public)
    || set_byte('\x00'::bytea, 0, length(digests) / 32) || digests
  )
$$
"""

APPEND = r"""
CREATE FUNCTION append_events(
  of_club text, by_actor text, in_role text, asked_at bigint, founds boolean,
  by_digest bytea, of_request bytea,
  streams text[], versions bigint[],
  of_streams text[], at_versions bigint[], types text[],
  publics bytea[], all_slots bytea[], all_digests bytea[],
  guard_keys text[], guard_values text[], guard_next text[],
  OUT refused text, OUT subject text, OUT value text,
  OUT first bigint, OUT last bigint, OUT hash bytea, OUT recorded_at bigint, OUT replayed boolean
)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  head record;
  known record;
  founded integer := 0;
  leaves bytea[] := '{}';
  hashes bytea[] := '{}';
BEGIN
  subject := of_club;
  replayed := false;
  IF founds THEN
    INSERT INTO heads (club, position, hash, recorded_at)
    VALUES (of_club, 0, decode(repeat('00', 32), 'hex'), 0) ON CONFLICT (club) DO NOTHING;
    GET DIAGNOSTICS founded = ROW_COUNT;
  END IF;

  SELECT * INTO head FROM heads WHERE club = of_club FOR UPDATE;
  IF NOT FOUND THEN
    refused := 'club_unknown';
    RETURN;
  END IF;

  IF by_digest IS NOT NULL THEN
    SELECT c.request, c.first, c.last, e.hash, e.recorded_at INTO known
    FROM commands c JOIN events e ON e.club = c.club AND e.position = c.last
    WHERE c.club = of_club AND c.digest = by_digest;
    IF FOUND THEN
      IF known.request <> of_request THEN
        refused := 'idempotency_key_reused';
        RETURN;
      END IF;
      first := known.first;
      last := known.last;
      hash := known.hash;
      recorded_at := known.recorded_at;
      replayed := true;
      RETURN;
    END IF;
  END IF;

  IF founds AND founded = 0 THEN
    refused := 'club_exists';
    RETURN;
  END IF;

  SELECT s.stream, s.now::text INTO subject, value
  FROM unnest(streams, versions) WITH ORDINALITY AS w (stream, version, place)
  CROSS JOIN LATERAL (
    SELECT w.stream, coalesce(max(e.version), 0) AS now
    FROM events e WHERE e.club = of_club AND e.stream = w.stream
  ) AS s
  WHERE s.now <> w.version ORDER BY w.place LIMIT 1;
  IF FOUND THEN
    refused := 'version_stale';
    RETURN;
  END IF;

  SELECT w.key, g.value INTO subject, value
  FROM unnest(guard_keys, guard_values) WITH ORDINALITY AS w (key, value, place)
  LEFT JOIN guards g ON g.club = of_club AND g.key = w.key
  WHERE g.value IS DISTINCT FROM w.value ORDER BY w.place LIMIT 1;
  IF FOUND THEN
    refused := 'guard_stale';
    RETURN;
  END IF;

  recorded_at := greatest(asked_at, head.recorded_at);
  first := head.position + 1;
  last := head.position + cardinality(types);
  hash := head.hash;
  IF by_digest IS NOT NULL THEN
    INSERT INTO commands (club, digest, request, first, last)
    VALUES (of_club, by_digest, of_request, first, last);
  END IF;
  IF cardinality(types) = 0 THEN
    RETURN;
  END IF;

  FOR at IN 1 .. cardinality(types) LOOP
    leaves[at] := event_leaf(
      of_club, of_streams[at], at_versions[at], types[at], recorded_at,
      by_actor, in_role, coalesce(by_digest, ''), publics[at], all_digests[at]
    );
    hash := sha256('\x02'::bytea || hash || int8send(head.position + at) || leaves[at]);
    hashes[at] := hash;
  END LOOP;

  INSERT INTO events (
    club, position, stream, version, type, recorded_at, actor, role, command,
    public, slots, digests, leaf, hash
  )
  SELECT
    of_club, head.position + w.place, w.stream, w.version, w.type, recorded_at,
    by_actor, in_role, coalesce(by_digest, ''), w.public, w.slots, w.digests, w.leaf, w.hash
  FROM unnest(
    of_streams, at_versions, types, publics, all_slots, all_digests, leaves, hashes
  ) WITH ORDINALITY AS w (stream, version, type, public, slots, digests, leaf, hash, place);

  DELETE FROM guards g USING unnest(guard_keys, guard_values, guard_next) AS w (key, was, next)
  WHERE g.club = of_club AND g.key = w.key AND w.next IS DISTINCT FROM w.was;
  INSERT INTO guards (club, key, value)
  SELECT of_club, w.key, w.next
  FROM unnest(guard_keys, guard_values, guard_next) AS w (key, was, next)
  WHERE w.next IS NOT NULL AND w.next IS DISTINCT FROM w.was;

  UPDATE heads
  SET position = last, hash = append_events.hash, recorded_at = append_events.recorded_at
  WHERE club = of_club;
  subject := NULL;
END $$
"""


def upgrade() -> None:
    """Make the functions, where they are of use."""
    if op.get_bind().dialect.name == "postgresql":
        for function in (LP, LEAF, APPEND):
            op.execute(function)
