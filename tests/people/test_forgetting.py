"""Forgetting a person or a member: what is shown afterwards, and what is not any more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection

from ledger import access, admission, people, store
from ledger.forgetting import Forgotten, Gone, forget_member, forget_person, pseudonym
from ledger.refusal import Refused
from tests.api.conftest import Caller, Club, found_club
from tests.people.conftest import (
    HIS,
    LABEL,
    LOGIN,
    MEMBER,
    NAME,
    ON_SQLITE,
    PASSWORD,
    THEIRS,
    Life,
    invite,
)


@pytest.fixture
def forgotten(life: Life) -> Forgotten:
    """What went when Ling was forgotten."""
    told = forget_person(life.club.ledger, life.ling.id)
    life.show()
    return told


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def kinds(told: Forgotten) -> list[tuple[str, str]]:
    """What went, and how it read."""
    return [(one.what, one.told) for one in told.gone]


def log(club: Club, after: int = 0) -> list[tuple[str, str, bytes]]:
    """The events of a club: type, role and what is said."""
    with club.ledger.database.read() as connection:
        rows = store.read_log(connection, club.id, after, 1000)
    return [(row.type, row.role, row.public) for row in rows]


def refused(life: Life, named: str) -> str:
    with pytest.raises(Refused) as refusal:
        forget_member(life.club.ledger, life.club.id, named)
    return refusal.value.code


# --- what is shown ------------------------------------------------------------------------------


def test_a_pseudonym_is_known_as_one_and_tells_two_apart() -> None:
    """In both languages, with the end of the id that stands beside it."""
    assert pseudonym("per_00112233445566778899") == "已遗忘 forgotten 778899"
    assert pseudonym("per_00112233445566aabbcc") == "已遗忘 forgotten aabbcc"


def test_wherever_a_name_was_shown_the_pseudonym_is(life: Life, forgotten: Forgotten) -> None:
    """Of the person in memberships and as actor, of the member beside his code and points."""
    called, played = pseudonym(life.ling.id), pseudonym(life.member)
    shown = life.club.owner.get(f"{life.club.path}/memberships/{life.membership}").json
    assert (shown["name"], shown["label"], shown["state"]) == (called, called, "left")
    assert life.names()["M-0006"] == played
    balances = life.club.owner.get(f"{life.club.path}/balances?limit=100").json["data"]
    assert [row["name"] for row in balances if row["code"] == "M-0006"] == [played]
    acts = life.club.owner.get(f"{life.club.path}/operator_log?actor={life.ling.id}").json["data"]
    assert {row["name"] for row in acts} == {called}
    assert {(row["reason"], row["address"], row["device"], row["request_id"]) for row in acts} == {
        (None, None, None, None)
    }


@ON_SQLITE
def test_others_keep_their_names_and_their_words(life: Life, forgotten: Forgotten) -> None:
    names = life.names()
    assert [names[f"M-000{number}"] for number in range(1, 6)] == [
        f"Member {number}" for number in range(5)
    ]
    acts = life.club.owner.get(
        f"{life.club.path}/operator_log?actor={life.manager.id}&act=table_closed"
    ).json["data"]
    assert [row["reason"] for row in acts] == [THEIRS, None]
    assert {row["name"] for row in acts} == {"Wei"}
    assert {row["address"] for row in acts} == {"127.0.0.1"}


def test_a_repeated_request_is_answered_with_the_pseudonym(life: Life) -> None:
    """The command id is known for ever; the name that came with it is not."""
    join = {"name": "Old Chen"}
    first = life.club.owner.post(f"{life.club.path}/members", join, Idempotency_Key="chen")
    body = {"roles": ["member"], "label": "Old Chen", "member": first.json["code"]}
    path = f"{life.club.path}/memberships"
    invited = life.club.owner.post(path, body, Idempotency_Key="chen-in")
    forget_member(life.club.ledger, life.club.id, first.json["code"])
    called = pseudonym(first.json["id"])

    joined = life.club.owner.post(f"{life.club.path}/members", join, Idempotency_Key="chen")
    again = life.club.owner.post(path, body, Idempotency_Key="chen-in")

    assert joined.headers["Idempotent-Replayed"] == "true"
    assert joined.json == {**first.json, "name": called}
    assert again.json == {**invited.json, "label": called, "token": None}


# --- what he can do no more ---------------------------------------------------------------------


def test_he_gets_in_by_no_way(life: Life) -> None:
    """Not by a session, a key, a login or a link; nor does the operator make one."""
    link = invite(life.other, "somebody", "referee")["token"]
    unused = life.club.owner.post(f"{life.club.path}/memberships/{life.membership}/links")
    key = life.ling.post(
        f"{life.club.path}/keys",
        {"roles": ["member"], "member": life.member, "label": "phone"},
    )
    forget_person(life.club.ledger, life.ling.id)

    client = life.club.owner.client
    stranger = Caller(client, "")
    for token in (life.ling.token, key.json["token"]):
        assert code(Caller(client, token).get("/v1/me")) == (401, "key_invalid")
    assert code(life.ling.post("/v1/me/memberships", {"link": link})) == (401, "key_invalid")
    login = {"login": LOGIN, "password": PASSWORD}
    assert code(stranger.post("/v1/sessions", login)) == (401, "login_wrong")
    by_link = stranger.post("/v1/sessions", {"link": unused.json["token"]})
    assert code(by_link) == (401, "link_invalid")
    with pytest.raises(Refused, match="person_forgotten"):
        admission.operator_link(life.club.ledger, life.ling.id)


@ON_SQLITE
def test_nobody_gives_him_roles_again(life: Life, forgotten: Forgotten) -> None:
    """Who comes back is invited anew, and his login is free."""
    path = f"{life.club.path}/memberships/{life.membership}"
    version = life.club.owner.get(path).headers["ETag"]
    given = life.club.owner.post(f"{path}/roles", {"roles": ["owner"]}, If_Match=version)
    assert code(given) == (409, "person_forgotten")
    anew = invite(life.club, NAME, "member", member="M-0006")
    assert anew["state"] == "invited"
    with life.database.read() as connection:
        assert people.find_login(connection, LOGIN) is None


def test_the_log_of_each_club_tells_of_it(life: Life) -> None:
    """By the operator: he leaves, he is forgotten, and of what was his it is said too."""
    first, second = (len(log(club)) for club in (life.club, life.other))
    forget_person(life.club.ledger, life.ling.id)

    person = b'{"person":"%s"}' % life.ling.id.encode()
    told = [(kind, role) for kind, role, _ in log(life.club, first)]
    assert told == [
        ("RolesChanged/1", "operator"),
        ("PersonForgotten/1", "operator"),
        ("MemberForgotten/1", "operator"),
        ("InvitationRevoked/1", "operator"),
        ("KeyRevoked/1", "operator"),
    ]
    assert log(life.club, first)[1][2] == person
    assert log(life.other, second) == [
        ("RolesChanged/1", "operator", b'{"roles":[],"member":null}'),
        ("PersonForgotten/1", "operator", person),
    ]
    life.show()
    acts = life.club.owner.get(f"{life.club.path}/operator_log?act=person_forgotten").json["data"]
    assert [(row["target"], row["target_name"], row["actor"]) for row in acts] == [
        (life.membership, pseudonym(life.ling.id), "operator")
    ]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_club_that_he_joins_meanwhile_he_leaves_too(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was looked for his clubs already, and his sessions open something still."""
    third, lock = found_club(life.app), people.lock_person
    link = invite(third, "somebody", "owner")["token"]
    joined: list[int] = []

    def join() -> None:
        he = Caller(life.app.test_client(), life.ling.token)
        joined.append(he.post("/v1/me/memberships", {"link": link}).status_code)

    def late(connection: Connection, person: str) -> people.PersonRow | None:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(join).result()
        return lock(connection, person)

    monkeypatch.setattr(people, "lock_person", late)
    told = forget_person(life.club.ledger, life.ling.id)

    assert joined == [201]
    assert told.ownerless == (life.club.id, third.id)
    assert [kind for kind, _, _ in log(third)][-2:] == ["RolesChanged/1", "PersonForgotten/1"]


# --- what goes ----------------------------------------------------------------------------------


def test_all_that_went_is_told(life: Life, forgotten: Forgotten) -> None:
    """Each thing once, as it read."""
    assert forgotten.name == pseudonym(life.ling.id)
    found = sorted(kinds(forgotten))
    assert found == sorted(
        [
            ("name", NAME),
            ("login", LOGIN),
            ("password", "its hash"),
            ("session", "invitation, 198.51.100.77, Teapot/9.1"),
            ("session", "password, 198.51.100.77, Teapot/9.1"),
            ("role", "owner,member"),
            ("role", "referee"),
            ("label", LABEL),
            ("label", LABEL),
            ("member", f"M-0006 {MEMBER}"),
            ("invitation", HIS["an invitation that ran out"]),
            ("key", HIS["what a key is for"]),
            ("key", HIS["what another key is for"]),
            ("text", HIS["why a hand was voided"]),
            ("text", HIS["why a match was closed"]),
            ("text", HIS["why a match was dissolved"]),
            ("text", HIS["a note of somebody else"]),
            ("text", HIS["a room"]),
            ("origin", "address and device of 6 of his acts"),
            ("origin", "address and device of 1 of his acts"),
        ]
    )
    assert Gone("text", life.club.id, HIS["a room"]) in forgotten.gone


def test_who_is_forgotten_again_is_forgotten_still(life: Life, forgotten: Forgotten) -> None:
    """By his id, for he has no login; no event is written twice."""
    heads = [len(log(club)) for club in (life.club, life.other)]
    again = forget_person(life.club.ledger, life.ling.id)
    assert (again.name, again.gone, again.ownerless) == (forgotten.name, (), ())
    assert [len(log(club)) for club in (life.club, life.other)] == heads


@ON_SQLITE
def test_what_was_written_of_him_since_goes_when_he_is_forgotten_again(
    life: Life, forgotten: Forgotten
) -> None:
    """A key for his member is refused by now; an invitation goes when he is forgotten again."""
    his = {"roles": ["member"], "member": "M-0006", "label": "his old phone"}
    refused = life.club.owner.post(f"{life.club.path}/keys", his)
    assert (refused.status_code, refused.json["code"]) == (409, "member_forgotten")
    invited = life.club.owner.post(f"{life.club.path}/memberships", his)
    assert invited.status_code == 201
    again = kinds(forget_person(life.club.ledger, life.ling.id))
    assert again == [("invitation", "his old phone")]


def test_the_last_owner_goes_too_and_it_is_told(life: Life, forgotten: Forgotten) -> None:
    """A club that has another owner is not told of."""
    assert forgotten.ownerless == (life.club.id,)


@ON_SQLITE
def test_with_another_owner_no_club_is_without_one(life: Life) -> None:
    invited = invite(life.club, "Hua", "owner")
    Caller(life.club.owner.client, "").post("/v1/sessions", {"link": invited["token"]})
    assert forget_person(life.club.ledger, LOGIN).ownerless == ()


@ON_SQLITE
def test_who_is_nobody_cannot_be_forgotten(life: Life) -> None:
    with pytest.raises(Refused, match=r"person_unknown\(person=nobody\)"):
        forget_person(life.club.ledger, "nobody")


@ON_SQLITE
def test_a_text_that_names_him_goes_whoever_wrote_it(life: Life) -> None:
    """As a word of its own; in Chinese, which has no spaces, wherever it stands."""
    naming = ("ZHOU LING went home", "because of Zhou Ling's tea", "给阿玲玲打了电话", "ask ling.z")
    others = ("Zhou Lingua Club", "filing.zip", "owner", "z")
    floors = {note: life.club.open_table(floor=note) for note in (*naming, *others)}
    forget_person(life.club.ledger, life.ling.id)
    shown = {note: life.club.owner.get(table).json["floor"] for note, table in floors.items()}
    assert shown == {**dict.fromkeys(naming), **{note: note for note in others}}


@ON_SQLITE
def test_a_name_that_is_a_role_or_a_single_sign_is_looked_for_nowhere(life: Life) -> None:
    """Or all that is said of owners would go; what is called exactly so is still his."""
    invited = invite(life.club, "X", "manager")
    named = {"link": invited["token"], "name": "owner"}
    entered = Caller(life.club.owner.client, "").post("/v1/sessions", named)
    table = life.club.open_table(floor="owner", room="X files")
    key = {"roles": ["recorder"], "label": "owner"}
    made = life.club.owner.post(f"{life.club.path}/keys", key).json["id"]
    forget_person(life.club.ledger, entered.json["person"])
    shown = life.club.owner.get(table).json
    assert (shown["floor"], shown["room"]) == ("owner", "X files")
    with life.database.read() as connection:
        assert access.key_labels(connection, [made]) == {made: "owner"}


@ON_SQLITE
def test_the_label_of_somebody_else_is_his_own(life: Life) -> None:
    """Another person who came in under the same name keeps it."""
    invited = invite(life.club, NAME, "referee")
    Caller(life.club.owner.client, "").post("/v1/sessions", {"link": invited["token"]})
    forget_person(life.club.ledger, life.ling.id)
    path = f"{life.club.path}/memberships/{invited['id']}"
    shown = life.club.owner.get(path).json
    assert (shown["label"], shown["name"], shown["state"]) == (NAME, NAME, "active")


@ON_SQLITE
def test_members_of_his_name_are_told_and_left(life: Life) -> None:
    """Whether they are he the ledger cannot know; the operator forgets them by their codes."""
    joined = life.club.owner.post(f"{life.club.path}/members", {"name": NAME})
    told = forget_person(life.club.ledger, life.ling.id)
    assert told.namesakes == ((life.club.id, joined.json["code"]),)
    assert life.names()[joined.json["code"]] == NAME
    forget_member(life.club.ledger, life.club.id, joined.json["code"])
    assert life.names()[joined.json["code"]] == pseudonym(joined.json["id"])


@ON_SQLITE
def test_a_member_whom_somebody_else_plays_now_keeps_his_name(life: Life) -> None:
    """Ling was taken for M-0001 before, and has left; Hua is M-0001."""
    path = f"{life.club.path}/memberships/{life.membership}"
    for number, body in enumerate(
        ({"roles": ["owner", "member"], "member": "M-0001"}, {"roles": ["owner"]}), 2
    ):
        changed = life.club.operator.post(f"{path}/roles", body, If_Match=f'"{number}"')
        assert changed.status_code == 200, changed.text
    invited = invite(life.club, "Hua", "member", member="M-0001")
    Caller(life.club.owner.client, "").post("/v1/sessions", {"link": invited["token"]})
    forget_person(life.club.ledger, life.ling.id)
    assert life.names()["M-0001"] == "Member 0"


# --- a member who never was a person ------------------------------------------------------------


def test_a_member_without_an_account_is_forgotten(life: Life) -> None:
    """His name, his key, an invitation that waits for him; code, points and hands stay."""
    joined = life.club.owner.post(f"{life.club.path}/members", {"name": "Old Chen"}).json
    noted = life.club.open_table(room="Old Chen's table")
    invite(life.club, "at the desk", "member", member=joined["code"])
    key = {"roles": ["member"], "member": joined["id"], "label": "his phone"}
    life.club.owner.post(f"{life.club.path}/keys", key)
    before = len(log(life.club))

    told = forget_member(life.club.ledger, life.club.id, joined["code"])

    called = pseudonym(joined["id"])
    assert (told.id, told.name) == (joined["id"], called)
    assert kinds(told) == [
        ("member", f"{joined['code']} Old Chen"),
        ("invitation", "at the desk"),
        ("key", "his phone"),
        ("text", "Old Chen's table"),
    ]
    assert [(kind, role) for kind, role, _ in log(life.club, before)] == [
        ("MemberForgotten/1", "operator"),
        ("InvitationRevoked/1", "operator"),
        ("KeyRevoked/1", "operator"),
    ]
    assert life.names()[joined["code"]] == called
    assert life.club.owner.get(noted).json["room"] is None
    again = forget_member(life.club.ledger, life.club.id, joined["id"])
    assert (again.gone, len(log(life.club))) == ((), before + 3)


@ON_SQLITE
def test_an_invitation_that_was_taken_back_is_not_taken_back_again(life: Life) -> None:
    joined = life.club.owner.post(f"{life.club.path}/members", {"name": "Old Chen"}).json
    waits = invite(life.club, "Old Chen", "member", member=joined["code"])
    life.club.owner.post(f"{life.club.path}/memberships/{waits['id']}/revoke")
    before = len(log(life.club))
    told = forget_member(life.club.ledger, life.club.id, joined["code"])
    assert kinds(told)[1] == ("invitation", "Old Chen")
    assert [kind for kind, _, _ in log(life.club, before)] == ["MemberForgotten/1"]


def test_a_member_with_an_account_is_forgotten_with_the_person(life: Life) -> None:
    """And, once the person is forgotten, also alone."""
    assert refused(life, "M-0006") == "member_is_person"
    forget_person(life.club.ledger, life.ling.id)
    assert forget_member(life.club.ledger, life.club.id, "M-0006").gone == ()


@ON_SQLITE
def test_who_is_no_member_cannot_be_forgotten(life: Life) -> None:
    assert refused(life, "M-0099") == "member_unknown"
    with pytest.raises(Refused, match="club_unknown"):
        forget_member(life.club.ledger, "club_x", "M-0001")
