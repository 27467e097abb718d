"""Every column that could hold a text of somebody, and what becomes of it when he is forgotten."""

from __future__ import annotations

OPAQUE = "an id, a code, or a word of the ledger's own"
HASH = "hashes, or bytes whose texts are ids, rules and tiles"
GONE = "replaced or deleted when he is forgotten"
DIGEST = "a digest; the text behind it is in texts"
THEIRS = "not about a person"
REPORT = "said by the ledger of its own work, in ids and positions"

COLUMNS = {
    "accounts": dict.fromkeys(("club", "account", "code", "last_hand"), OPAQUE),
    "allowance_lines": dict.fromkeys(("club", "member"), OPAQUE),
    "allowances": {
        **dict.fromkeys(
            (
                "club",
                "allowance",
                "kind",
                "reason",
                "state",
                "asked_by",
                "approved_by",
                "refused_by",
                "reversed_by",
            ),
            OPAQUE,
        ),
        **dict.fromkeys(("effective_date", "booked_date"), THEIRS),
        **dict.fromkeys(("note", "refusal_note", "reversal_note"), DIGEST),
    },
    "closing_balances": {
        **dict.fromkeys(("club", "member", "word", "said_by"), OPAQUE),
        **dict.fromkeys(("note",), DIGEST),
    },
    "closings": {
        **dict.fromkeys(("club", "mode", "carried", "state", "closed_by", "reopened_by"), OPAQUE),
        **dict.fromkeys(("first_day", "last_day", "booked_date"), THEIRS),
        **dict.fromkeys(("note", "reopening_note"), DIGEST),
    },
    "counted_hands": dict.fromkeys(("club", "table_id", "added"), OPAQUE),
    "counted_tables": {
        **dict.fromkeys(
            ("club", "table_id", "ruleset", "seats", "lines", "totals", "asked_by", "reason"),
            OPAQUE,
        ),
        **dict.fromkeys(("day",), THEIRS),
    },
    "deal_in_sums": {
        **dict.fromkeys(("club", "ruleset", "feeder", "others"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "dispute_members": dict.fromkeys(("club", "member"), OPAQUE),
    "dispute_steps": {
        **dict.fromkeys(("club", "step", "actor", "role", "member", "told"), OPAQUE),
        **dict.fromkeys(("note",), DIGEST),
    },
    "disputes": {
        **dict.fromkeys(
            (
                "club",
                "dispute",
                "table_id",
                "seats",
                "member",
                "opened_by",
                "claim",
                "totals",
                "state",
                "ruling",
                "reason",
                "rule",
                "decided_by",
                "proposed_by",
                "proposal_of",
                "entries",
            ),
            OPAQUE,
        ),
        **dict.fromkeys(("note",), DIGEST),
    },
    "dissolutions": {
        **dict.fromkeys(
            ("club", "table_id", "ruleset", "seats", "scores", "requester", "votes"), OPAQUE
        ),
        **dict.fromkeys(("day", "month"), THEIRS),
    },
    "feeds": {
        **dict.fromkeys(("club", "feeder", "winner", "table_id", "ruleset"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "member_groups": {
        **dict.fromkeys(("club", "member"), OPAQUE),
        **dict.fromkeys(("group",), DIGEST),
    },
    "member_hours": {
        **dict.fromkeys(("club", "member", "ruleset"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "member_months": {
        **dict.fromkeys(("club", "member"), OPAQUE),
        **dict.fromkeys(("month",), THEIRS),
    },
    "member_patterns": {
        **dict.fromkeys(("club", "member", "ruleset", "pattern"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "open_disputes": dict.fromkeys(("club", "hand", "dispute"), OPAQUE),
    "open_seats": {
        **dict.fromkeys(("club", "table_id", "member"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "pair_sums": {
        **dict.fromkeys(("club", "ruleset", "low", "high"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "pair_tables": {
        **dict.fromkeys(("club", "low", "high", "table_id", "ruleset"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "paired_hands": dict.fromkeys(("club", "table_id", "added"), OPAQUE),
    "running_hands": dict.fromkeys(("club", "table_id", "ruleset", "seats", "recorder"), OPAQUE),
    "seat_sums": {
        **dict.fromkeys(("club", "ruleset", "member"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "table_results": {
        **dict.fromkeys(("club", "table_id", "member", "ruleset", "reason"), OPAQUE),
        **dict.fromkeys(("day",), THEIRS),
    },
    "table_seats": dict.fromkeys(("club", "table_id", "ruleset", "seats"), OPAQUE),
    "alembic_version": {"version_num": OPAQUE},
    "checkpoints": {"projection": OPAQUE, "club": OPAQUE, "error": REPORT},
    "clubs": {"club": OPAQUE, "name": THEIRS, "zone": THEIRS, "salt": HASH},
    "commands": {"club": OPAQUE, "digest": HASH, "request": HASH},
    "doubted_hands": dict.fromkeys(("club", "dispute", "table_id"), OPAQUE),
    "events": {
        **dict.fromkeys(("club", "stream", "type", "actor", "role"), OPAQUE),
        **dict.fromkeys(("command", "public", "slots", "digests", "leaf", "hash"), HASH),
    },
    "exports": {
        **dict.fromkeys(("export", "club", "kind", "member", "actor", "role", "state"), OPAQUE),
        **dict.fromkeys(("command", "request", "secret"), HASH),
        **dict.fromkeys(("asked", "made", "error"), REPORT),
    },
    "guards": {"club": OPAQUE, "key": OPAQUE, "value": OPAQUE},
    "hand_members": {"club": OPAQUE, "member": OPAQUE},
    "hands": {
        **dict.fromkeys(("club", "table_id", "ruleset", "seats", "recorder", "state"), OPAQUE),
        **dict.fromkeys(("end", "wins", "totals", "entered", "revised_by"), OPAQUE),
        **dict.fromkeys(("effective_date", "booked_date"), THEIRS),
    },
    "heads": {"club": OPAQUE, "hash": HASH},
    "inspections": {"kind": OPAQUE, "club": OPAQUE, "report": REPORT},
    "jobs": {
        **dict.fromkeys(("club", "kind", "subject", "state", "leased_by"), OPAQUE),
        "error": REPORT,
    },
    "journal": {
        **dict.fromkeys(("club", "kind", "table_id", "allowance", "dispute", "reason"), OPAQUE),
        **dict.fromkeys(("actor", "role"), OPAQUE),
        **dict.fromkeys(("effective_date", "booked_date"), THEIRS),
        "note": DIGEST,
    },
    "keys": {
        "key": OPAQUE,
        "club": OPAQUE,
        "secret_hash": HASH,
        "roles": OPAQUE,
        "member": OPAQUE,
        "label": GONE,
    },
    "links": {
        "link": OPAQUE,
        "secret_hash": GONE,
        "club": OPAQUE,
        "membership": OPAQUE,
        "person": OPAQUE,
    },
    "live_generations": {"projection": OPAQUE, "club": OPAQUE},
    "members": {"club": OPAQUE, "member": OPAQUE, "code": OPAQUE, "name": GONE},
    "memberships": {
        "membership": OPAQUE,
        "club": OPAQUE,
        "label": GONE,
        "roles": OPAQUE,
        "member": OPAQUE,
        "person": OPAQUE,
    },
    "nodes": {"club": OPAQUE, "hash": HASH},
    "operator_acts": {
        **dict.fromkeys(("club", "actor", "role", "act", "target", "before", "after"), OPAQUE),
        "note": DIGEST,
    },
    "origins": {"club": OPAQUE, "request_id": GONE, "address": GONE, "device": GONE},
    "people": {"person": OPAQUE, "name": GONE, "login": GONE, "password_hash": GONE},
    "sessions": {
        **dict.fromkeys(("session", "secret_hash", "person", "club", "way"), GONE),
        **dict.fromkeys(("address", "device", "request"), GONE),
    },
    "postings": {
        **dict.fromkeys(("club", "account", "counterparties"), OPAQUE),
        **dict.fromkeys(("effective_date", "booked_date"), THEIRS),
    },
    "signed_checkpoints": {"club": OPAQUE, "note": HASH},
    "signing_keys": {"key": OPAQUE, "public": HASH, "after": OPAQUE, "signature": HASH},
    "table_members": {"club": OPAQUE, "member": OPAQUE},
    "tables": {
        **dict.fromkeys(("club", "table_id", "ruleset", "seats", "recorder", "status"), OPAQUE),
        **dict.fromkeys(("totals", "changes", "ticked_by"), OPAQUE),
        "day": THEIRS,
        **dict.fromkeys(("room", "floor", "ref"), DIGEST),
    },
    "texts": {"club": OPAQUE, "digest": DIGEST, "text": GONE},
    "uses": {"subject": GONE},
}
"""What becomes of each column that could hold a text. Who adds one says it here, and lets
`ledger.forgetting` do it."""
