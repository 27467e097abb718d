"""What the names of limits, allowances, closings and members mean; as in words.py."""

from __future__ import annotations

PARAMETERS = {
    "allowance": "An allowance, by its id.",
    "last": "The last business day of what would be closed.",
    "near": "How many points may be left before the limit.",
    "state": "How it stands.",
    "word": "What the member has said.",
}

_LIMITS = {
    "alarm": "The points at which, or below, the club is told (预警分); null for none.",
    "answer_hours": "How many hours the others have to answer.",
    "appeal_hours": "How many hours there are to appeal, once it is decided.",
    "correction": "The points that one referee may move alone; null for any.",
    "day_loss": "What one may lose on a business day (每日输分上限); null for any.",
    "decide_hours": "How many hours there are to decide it.",
    "entry_ceiling": "The most points to sit down with (入桌上限); null for none.",
    "entry_floor": "The fewest points to sit down with (入桌下限); null for none.",
    "file_hours": "How many hours there are to file a dispute, once the match has ended.",
    "hand_cap": "What one can lose in a hand (单局封顶); null for no cap.",
    "pause_floor": "The fewest points to start a hand with (暂停下限); null for none.",
    "Limits.allowance": "What one officer may move alone for a member on a day; null for any.",
    "Limits.tables": "At how many open tables a member may sit.",
    "Limits.version": "The version of all that is set of the club, its keys too, for If-Match.",
    "LimitsBody.allowance": "What one officer may move alone for a member on a day; null for any.",
    "LimitsBody.tables": "At how many open tables a member may sit.",
    "Deadlines.version": "The version of all that is set of the club, its keys too, for If-Match.",
    "Room.has": "What the member has: his points, what he has lost today, or his open tables.",
    "Room.left": "What may still come or go before the limit is there; below 0 it is beyond.",
    "Room.limit": "The limit.",
    "Room.name": "Which limit it is.",
    "Room.reached": "Whether it keeps him from a seat or a hand; of the alarm, that it is told.",
    "Standing.limits": "How far each limit is away that there is for the member.",
}

_MEMBERS = {
    "GroupBody.group": "The group (分组); null for none.",
    "Member.group": "The group (分组); null for none.",
    "Member.limits": "The member's own limits; null is the club's.",
    "Member.status": "Whether he plays, is barred (禁玩), has left (已退), or was forgotten.",
}

_SEATS = {
    "KeepPlayingBody.wish": "Whose wish it was, and what the others said.",
    "SeatsBody.seats": "The members at the table from now on, by id or by code, in turn order.",
    "VoteBody.seat": "The seat that was asked.",
    "WishBody.seat": "The seat that wishes to dissolve.",
    "wish": "Whose wish it was, and what the others said; null where no seat had it.",
}

_ALLOWANCES = {
    "approved": "Who agreed, as a second person; null where nobody did or had to.",
    "balance_before": "The points before it was booked; null until it is.",
    "control": "The sum that the lines must have, by who counted them; null for none.",
    "entry": "The entry of the journal that books it; null for none.",
    "refused": "Who said no; null where nobody did.",
    "reversal": "The entry of the journal that undoes it; null for none.",
    "total": "The sum of the lines that are shown.",
    "Allowance.asked": "Who asked for it.",
    "Allowance.effective_date": "The business day that it counts for; null for that of booking.",
    "Allowance.booked_date": "The business day on which it was booked; null until it is.",
    "Allowance.lines": "Who is given how much; to a member his own line alone.",
    "Allowance.note": "Why, in the club's own words; null for none.",
    "Allowance.reversed": "Who undid it; null while it stands.",
    "AllowanceBody.effective_date": "From which business day on it counts; null for today.",
    "AllowanceBody.kind": "Whether it opens the books of a member (期初) or is in their course.",
    "AllowanceBody.lines": "Who is given how much, each member once.",
    "AllowanceBody.reason": "Why, as a word; what opens the books has `opening`.",
    "AllowanceLine.balance_after": "The points after it was booked; null until it is.",
    "AllowanceLine.member": "The member, by id.",
    "AllowanceLineBody.member": "The member, by id or by code.",
    "AllowanceLineBody.points": "The points that come to him; below 0 they go from him.",
    "Signed.at": "When it was done.",
    "Signed.by": "Who did it: the id of a key or a person, or `operator`.",
}

_CLOSINGS = {
    "balances": "What each member has who has any points.",
    "carried": "The disputes that are open and carried over, by their ids.",
    "confirmed": "How many have agreed to their balance.",
    "contested": "How many have not agreed to their balance.",
    "last": "The last business day of it.",
    "mode": "Whether the points are carried on or cleared (清零).",
    "open_tables": "The tables of these days that are not closed, by their ids.",
    "over": "Whether these days are over, and none of them is closed.",
    "own": "What it says of the caller as a member; null where it says nothing.",
    "ready": "Whether nothing stands in its way.",
    "reopened": "Who opened it again, and why; null while it stands.",
    "said_at": "When he said it; null where he said nothing.",
    "said_by": "Who said it: the id of his key or person; null where he said nothing.",
    "silent": "How many have said nothing.",
    "unsettled": "The hands that have ended and are not settled, by their ids.",
    "word": "What the member has said.",
    "words": "What members have said of their balances; null to a member.",
    "Checklist.first": "The first business day of it.",
    "Checklist.position": "The position of the log at which the balances stand.",
    "Checklist.sum": "The sum of the balances.",
    "ClosePeriodBody.note": "Why, in the club's own words; null for none.",
    "Has.member": "The member, by id.",
    "Period.checkpoint": "The position of the first signed checkpoint over it; null without one.",
    "Period.closed": "Who closed it.",
    "Period.first": "The first business day of it.",
    "Period.members": "How many members had points; null to a member.",
    "Period.note": "Why, in the club's own words; null for none, and to a member.",
    "Period.number": "The number of the closing, from 1 on.",
    "Period.position": "The position of the log at which the balances stood.",
    "Period.sum": "The sum of the balances; null to a member.",
    "Period.version": "The version of all closings together, for If-Match.",
}

FIELDS = {**_LIMITS, **_MEMBERS, **_SEATS, **_ALLOWANCES, **_CLOSINGS}
