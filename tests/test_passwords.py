"""What is kept of a password costs whoever guesses it as much as it should."""

from __future__ import annotations

from argon2 import PasswordHasher, Type, extract_parameters

from tests.conftest import NOBODY

KIB_OF_MEMORY = 65536


def test_a_guess_takes_the_memory_and_the_time_that_are_recommended(
    dear_passwords: PasswordHasher,
) -> None:
    """Three passes over 64 MiB, as RFC 9106 has it for machines with little memory (4)."""
    kept = extract_parameters(dear_passwords.hash("nine green bamboos"))

    assert (kept.type, kept.version) == (Type.ID, 19)
    assert (kept.memory_cost, kept.time_cost, kept.parallelism) == (KIB_OF_MEMORY, 3, 4)
    assert (kept.salt_len, kept.hash_len) == (16, 32)


def test_an_unknown_login_takes_as_long_as_a_known_one(dear_passwords: PasswordHasher) -> None:
    kept = dear_passwords.hash("nine green bamboos")

    assert extract_parameters(NOBODY) == extract_parameters(kept)
