"""The games of the Clock family and their policies, as data that every part of the package reads.

A *policy* is what a player does where the rules leave a choice, or which reading of the rules is played
where the sources differ. The first policy of a game is its default. A game that leaves nothing open has one
entry without a name.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.errors import InputError

__all__ = ["GAMES", "Variant", "find_variant", "policy_names"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A game together with one of its policies.

    Parameters
    ----------
    game : str
        Name of the game, as on the command line.
    policy : str or None
        Name of the policy; None if the game has only this one.
    description : str
        The policy in a sentence.
    """

    game: str
    policy: str | None
    description: str

    def __str__(self) -> str:
        return self.game if self.policy is None else f"{self.game} {self.policy}"


GAMES: dict[str, tuple[Variant, ...]] = {
    "clock": (Variant("clock", None, "nothing is left to choose"),),
}


def policy_names(game: str) -> tuple[str, ...]:
    """Names of the policies of `game`, the default first; none if the game leaves nothing open."""
    return tuple(variant.policy for variant in GAMES[game] if variant.policy is not None)


def find_variant(game: str, policy: str | None = None) -> Variant:
    """Return the variant of these names; without a policy, the game's default.

    Raises
    ------
    InputError
        If there is none, with the names there are.
    """
    if game not in GAMES:
        raise InputError(f"unknown game {game!r} of the Clock family: {', '.join(GAMES)}")
    for variant in GAMES[game]:
        if policy is None or policy == variant.policy:
            return variant
    names = policy_names(game)
    if not names:
        raise InputError(f"{game} leaves nothing to choose, so it has no policy {policy!r}")
    raise InputError(f"unknown policy {policy!r} of {game}: {', '.join(names)}")
