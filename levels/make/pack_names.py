"""Names of generated levels: an adjective and a noun that suits the pack, each used once in it."""

from collections.abc import Sequence

from sokoterm.solver.common.dice import Dice

ADJECTIVES = """
    amber ancient autumn blue borrowed bright broken careful clever copper crooked curious distant drowsy dusty early
    faded fallen first folded foreign forgotten frosty gentle gilded golden green grey half-open hidden hollow honest
    humble idle ivory late left-hand little lonely long lost lucky mended merry mossy narrow neat nimble northern odd
    old open painted pale patient plain polished proud quiet restless round rusty salted second secret seven-day shaded
    silent silver simple sleepy slow small smoky stray stubborn sturdy sunken tall tangled tiny twisted uneven velvet
    wandering warm weathered whispering wide wooden worn yellow
"""

EVENING = """
    armchair biscuit blanket bookshelf bread-bin broom candle chimney clock cupboard curtain cushion door-key drawer
    fireplace footstool hallway hat-stand jam-jar kettle lamp lantern larder letterbox matchbox mantelpiece mirror
    needle newspaper pantry parlour pillow saucepan sideboard slipper spoon staircase sugar-bowl teacup teapot
    thimble toast-rack window-seat wireless
"""

RAINY_DAY = """
    arcade attic awning bell-tower bridge bus-stop canal cellar chess-club cinema cloister courtyard drain ferry
    fountain gallery garden-shed gate glasshouse gutter harbour heron jetty kiosk library lighthouse lock-gate market
    mill-wheel museum orchard pavilion pier pond puddle raincoat rooftop sluice station-hall tea-room tram umbrella
    viaduct well
"""

LONG_NIGHT = """
    alley almanac badger beacon boiler-room bat cathedral cellar-door comet compass crypt dormouse dream engine-shed
    fog-horn fox freight-yard ghost hedgehog hourglass insomniac lamplighter locksmith midnight moon moth night-train
    nightwatch observatory orbit owl pendulum safe-cracker shadow signal-box smuggler star-chart strongroom sundial
    telescope tunnel vault watchtower wolf
"""

WEEKEND = """
    abbey archipelago avalanche barn battlement bivouac boulder canyon caravan castle citadel cliff crossing
    dovecote expedition fjord foothill fortress glacier gorge granary headland hermitage island kiln labyrinth ledge
    marsh mine monastery mountain-hut pass peninsula plateau quarry ravine reservoir ridge river-bend ruin sawmill
    summit trail valley waterfall windmill
"""


def names(nouns: str, seeds: Sequence[tuple[int, ...]]) -> list[str]:
    """Return a name for each of the seeds, at most as many as there are nouns.

    >>> names("owl fox", [(1, 2), (3, 4)])
    ['Old owl', 'Sunken fox']
    """
    free, adjectives = nouns.split(), ADJECTIVES.split()
    found = []
    for each in seeds:
        dice = Dice.of(*each)
        adjective, noun = dice.choice(adjectives), dice.choice(free)
        adjectives.remove(adjective)
        free.remove(noun)
        found.append(f"{adjective} {noun}".capitalize())
    return found
