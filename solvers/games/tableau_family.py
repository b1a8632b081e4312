"""Baker's Dozen and its relatives: every reading of the rules is a game with a name of its own."""

from __future__ import annotations

from solvers.foundations import Foundations
from solvers.games.values import Building, Groups, Kings, Spaces, TableauRules

BAKERS_DOZEN = TableauRules(
    name="bakers-dozen",
    title="Baker's Dozen",
    sentence=(
        "Thirteen face-up columns of four, Kings moved to the bottom of theirs. Build down in rank"
        " regardless of suit, one top card at a time; an empty column stays empty. Foundations go up in"
        " suit from ace to King, and a card there stays there. Won when all 52 are up."
    ),
    source="Wikipedia, 'Baker's Dozen (solitaire)'; PySolFC, game 31 'Baker's Dozen'",
)

TABLEAU_FAMILY = (
    BAKERS_DOZEN,
    TableauRules(
        name="good-measure",
        title="Good Measure",
        sentence=(
            "Baker's Dozen with ten columns of five: two aces are on their foundations before the deal,"
            " then Kings move to the bottom. PySolFC's numbered deals move Kings first and take two aces"
            " out after, so that now and then a King is not at the bottom."
        ),
        source="Wikipedia, 'Baker's Dozen (solitaire)', variations; PySolFC, game 86 'Good Measure'",
        columns=10,
        column_cards=5,
        aces_out=2,
    ),
    TableauRules(
        name="spanish-patience",
        title="Spanish Patience",
        sentence=(
            "Baker's Dozen with foundations that go up in alternate colours: a red two on a black ace, a"
            " black three on that."
        ),
        source="PySolFC, game 85 'Spanish Patience'",
        foundations=Foundations.ALTERNATE_COLOURS,
    ),
    TableauRules(
        name="spanish-patience-ii",
        title="Spanish Patience II",
        sentence="Baker's Dozen with Kings left as dealt; any card may go to an empty column.",
        source="PySolFC, game 664 'Spanish Patience II'",
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        spaces=Spaces.ANY,
    ),
    TableauRules(
        name="spanish-patience-jair",
        title="Spanish Patience (JAIR)",
        sentence=(
            "Baker's Dozen with Kings left as dealt; any card may go to an empty column, and the top card"
            " of a foundation may come back to the tableau."
        ),
        source=(
            "Blake and Gent, 'The Winnability of Klondike Solitaire and Many Other Patience Games', JAIR"
            " 85:21; Solvitaire's preset 'spanish-patience'"
        ),
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        spaces=Spaces.ANY,
        worrying_back=True,
    ),
    TableauRules(
        name="spanish-patience-any-suit",
        title="Spanish Patience (any suit)",
        sentence="Baker's Dozen with foundations that go up from ace to King regardless of suit.",
        source="Solitaire Forever II, 'Spanish Patience'; Wikipedia, 'Baker's Dozen (solitaire)', variations",
        foundations=Foundations.ANY_SUIT,
    ),
    TableauRules(
        name="bakers-dozen-fill",
        title="Baker's Dozen, spaces filled",
        sentence="The easy house rule: Baker's Dozen, but any card may go to an empty column.",
        source=(
            "house rule; kpat's Baker's Dozen with 'Empty Stack Fill: Any (Easy)', where cards may come"
            " back from foundations as well"
        ),
        spaces=Spaces.ANY,
    ),
    TableauRules(
        name="bakers-dozen-group",
        title="Baker's Dozen, sequences moved",
        sentence=(
            "The easy house rule: Baker's Dozen, but any number of top cards that lie in descending"
            " order, regardless of suit, may move as one."
        ),
        source="house rule",
        groups=Groups.SEQUENCE,
    ),
    TableauRules(
        name="bakers-dozen-easy",
        title="Baker's Dozen, both easy rules",
        sentence=(
            "Both easy house rules: any number of top cards that lie in descending order may move as one"
            " onto a card, and any single card may go to an empty column."
        ),
        source="house rule",
        spaces=Spaces.SINGLE_CARD,
        groups=Groups.SEQUENCE,
    ),
    TableauRules(
        name="castles-in-spain",
        title="Castles in Spain",
        sentence=(
            "Thirteen columns of four, Kings as dealt, and all cards known. Build down in alternate"
            " colours, one card at a time; any card may go to an empty column. Foundations go up in suit"
            " and keep what they have."
        ),
        source=(
            "PySolFC, game 83 'Castles in Spain', which deals three rows face down and moves a sequence"
            " only where single cards could be moved to the same end"
        ),
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        building=Building.RED_BLACK,
        spaces=Spaces.ANY,
    ),
    TableauRules(
        name="castles-in-spain-sequences",
        title="Castles in Spain, sequences moved",
        sentence=(
            "Castles in Spain, but any number of top cards that lie in descending order and alternate"
            " colours may move as one, to an empty column as well."
        ),
        source="classicklondikesolitaire.com, 'Castles in Spain', where only top cards are face up at first",
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        building=Building.RED_BLACK,
        spaces=Spaces.ANY,
        groups=Groups.SEQUENCE,
    ),
    TableauRules(
        name="portuguese-solitaire",
        title="Portuguese Solitaire",
        sentence=(
            "Baker's Dozen with Kings left as dealt; only a King may go to an empty column. As kpat plays"
            " it, Kings move to the bottom first: --kings swap."
        ),
        source="PySolFC, game 308 'Portuguese Solitaire'; kpat's Baker's Dozen, preset of that name",
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        spaces=Spaces.KINGS,
    ),
    TableauRules(
        name="bakers-dozen-red-black",
        title="Baker's Dozen in red and black",
        sentence="Baker's Dozen, but the columns are built down in alternate colours.",
        source=(
            "kpat's Baker's Dozen with 'Build Sequence: Alternating Color' and no empty stack filled,"
            " where cards may come back from foundations as well"
        ),
        building=Building.RED_BLACK,
    ),
    TableauRules(
        name="bakers-dozen-same-suit",
        title="Baker's Dozen in suit",
        sentence="Baker's Dozen, but the columns are built down in suit.",
        source=(
            "kpat's Baker's Dozen with 'Build Sequence: Matching Suit' and no empty stack filled, where"
            " cards may come back from foundations as well"
        ),
        building=Building.SAME_SUIT,
    ),
    TableauRules(
        name="grandfathers-clock",
        title="Grandfather's Clock",
        sentence=(
            "Twelve foundations lie round a dial and begin with 2S at five o'clock, then 3H 4C 5D 6S 7H"
            " 8C 9D TS JH QC and KD at four. Each goes up in suit, from King on to ace, until its card"
            " shows the hour. The other cards are dealt to eight columns of five: build down in rank"
            " regardless of suit, one card at a time; any card may go to an empty column."
        ),
        source=(
            "PySolFC, game 261 'Grandfather's Clock'; Wikipedia, 'Grandfather's Clock', begins with 2H 3S"
            " 4D 5C and so on: the same game with other names for the suits"
        ),
        columns=8,
        column_cards=5,
        kings=Kings.AS_DEALT,
        numbered_kings=Kings.AS_DEALT,
        namesakes=(
            ("Big Ben", "two decks, a stock, and building in suit; older books call it Grandfather's Clock"),
            ("Clock", "a game of chance with thirteen face-down piles"),
        ),
        spaces=Spaces.ANY,
        foundations=Foundations.DIAL,
    ),
)
