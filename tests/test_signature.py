"""The node-count signature: states visited over fixed deals, a change of which is deliberate.

After a change of the search that is meant, run this with the new number it shows, and say in the
commit why the search visits other states.
"""

from __future__ import annotations

from solvers.bakers_dozen.solve import solve
from solvers.deals import load_deal

SIGNATURE = 94_231


def test_signature_of_deals_1_to_200() -> None:
    positions = (load_deal("bakers-dozen", f"pysolfc:{number}").position for number in range(1, 201))
    assert sum(solve(position).states for position in positions) == SIGNATURE
