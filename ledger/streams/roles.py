"""The roles of a club, and what may be given together."""

from __future__ import annotations

from ledger.refusal import Refused

ROLES = (
    "owner",
    "manager",
    "referee",
    "treasurer",
    "accountant",
    "auditor",
    "recorder",
    "member",
)
"""圈主, 管理员, 裁判, 积分管理员, 会计, 审计, a game server, 成员."""


def check_roles(
    roles: tuple[str, ...], member: str | None, allowed: tuple[str, ...] = ROLES
) -> None:
    """Refuse no role, an unknown one, and the role of a member without the member who has it."""
    for place, role in enumerate(roles or ("",)):
        if role not in allowed:
            pointer = f"/roles/{place}" if roles else "/roles"
            raise Refused("role_unknown", pointer=pointer, role=role, allowed=", ".join(allowed))
    if ("member" in roles) != (member is not None):
        raise Refused("key_member", pointer="/member")
