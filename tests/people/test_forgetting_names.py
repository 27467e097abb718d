"""How a name is found again by which somebody is to be forgotten: in any spelling, but as it is."""

from __future__ import annotations

from ledger.forgetting import forget_member, forget_person
from tests.people.conftest import ON_SQLITE, Life


@ON_SQLITE
def test_a_name_is_found_in_every_spelling(life: Life) -> None:
    """In letters of another width or case, with more spaces, in ligatures; a part of it is none."""
    naming = ("ＺＨＯＵ Ling", "Zhou  Ling was late", "zhoU LinG", "ask ＬＩＮＧ.z")
    others = ("ZhouLing", "Zhou-Ling", "Zhou")
    floors = {note: life.club.open_table(floor=note) for note in (*naming, *others)}
    forget_person(life.club.ledger, life.ling.id)
    shown = {note: life.club.owner.get(table).json["floor"] for note, table in floors.items()}
    assert shown == {**dict.fromkeys(naming), **{note: note for note in others}}


@ON_SQLITE
def test_a_name_in_odd_letters_is_found_in_plain_ones(life: Life) -> None:
    joined = life.club.owner.post(f"{life.club.path}/members", {"name": "Ｍei  STRAẞE"})
    table = life.club.open_table(floor="mei strasse again")
    forget_member(life.club.ledger, life.club.id, joined.json["id"])
    assert life.club.owner.get(table).json["floor"] is None


@ON_SQLITE
def test_a_namesake_is_one_in_every_spelling(life: Life) -> None:
    joined = life.club.owner.post(f"{life.club.path}/members", {"name": "ZHOU  ling"})
    told = forget_person(life.club.ledger, life.ling.id)
    assert told.namesakes == ((life.club.id, joined.json["code"]),)


@ON_SQLITE
def test_a_name_of_before_is_not_looked_for(life: Life) -> None:
    """It is kept nowhere, so what others wrote of it is not known to be about him."""
    table = life.club.open_table(floor="corner of Zhou Ling")
    assert life.ling.put("/v1/me/name", {"name": "Lin Zhou"}).status_code == 200
    forget_person(life.club.ledger, life.ling.id)
    assert life.club.owner.get(table).json["floor"] == "corner of Zhou Ling"
