"""The contents of targets: invented names, harmless sentences and prices, drawn by seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True)
class Draw:
    """Draws from one generator."""

    rng: np.random.Generator

    def pick(self, options: Sequence[T]) -> T:
        """One of them."""
        return options[int(self.rng.integers(len(options)))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """So many different ones, in the order drawn."""
        return [options[int(i)] for i in self.rng.permutation(len(options))[:count]]

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return int(self.rng.integers(low, high, endpoint=True))

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return bool(self.rng.random() < share)


@dataclass(frozen=True)
class Topic:
    """What a page is about.

    Attributes:
        kind: of place or trade, after "a".
        last: last words of a name.
        goods: things with a price, as titles.
        things: plural things, in small letters.
        acts: what is done there, as "-ing" forms.
    """

    kind: str
    last: tuple[str, ...]
    goods: tuple[str, ...]
    things: tuple[str, ...]
    acts: tuple[str, ...]


def _topic(line: str) -> Topic:
    kind, last, goods, things, acts = (part.strip() for part in line.split("|"))
    lists = (tuple(item.strip() for item in part.split(",")) for part in (last, goods, things, acts))
    return Topic(kind, *lists)


_TOPICS = """
pottery studio|Pottery,Clay,Kiln|Salt Glaze Bowl,Tall Pouring Jug,Ash Blue Plate,Thumb Cup,Speckled Vase,Honey Pot,\
Butter Dish,Olive Tray,Garlic Jar,Berry Colander|bowls,jugs,glazes,cups,plates|throwing,glazing,firing,kneading
community garden|Garden,Plots,Beds|Broad Bean Seeds,Cedar Trowel,Seedling Tray,Rain Barrel,Willow Trellis,Bee Hotel,\
Compost Fork,Herb Starter Box,Frost Fleece,Garden Twine|beds,seedlings,tools,bean rows,herbs|digging,sowing,pruning,\
watering
bicycle workshop|Cycles,Wheels,Spokes|Touring Saddle,Brass Bell,Canvas Pannier,Gravel Tyre,Cork Grips,Steel Rack,\
Chain Brush,Truing Stand,Wool Cap,Frame Pump|wheels,chains,saddles,frames,brakes|truing,riding,repairing,touring
tea house|Tea,Leaf,Kettle|Smoked Black Tea,Roasted Stem Tea,Spring Green,Mint Infusion,Ginger Blend,White Peony,\
Barley Brew,Orchid Oolong,Rosehip Blend,Evening Camomile|leaves,kettles,blends,teapots,tastings|steeping,tasting,\
blending,roasting
map archive|Maps,Charts,Atlas|Harbour Chart,Valley Survey,Rail Network Map,Star Chart,River Atlas,Contour Print,\
City Plan,Island Sketch,Forest Map,Trade Route Print|charts,surveys,prints,atlases,sketches|mapping,surveying,\
drawing,restoring
bird observatory|Birds,Wing,Heron|Field Glasses,Nest Box,Song Recording,Heron Print,Feather Guide,Seed Feeder,\
Pocket Logbook,Owl Poster,Reed Hide Pass,Winter Mix|sightings,hides,nest boxes,ponds,feeders|watching,counting,\
ringing,recording
bakery|Bakery,Bread,Oven|Rye Loaf,Seeded Round,Cardamom Bun,Apple Turnover,Walnut Stick,Oat Biscuit,Olive Bread,\
Plum Tart,Milk Roll,Cheese Twist|loaves,buns,tarts,starters,ovens|baking,kneading,proving,milling
book bindery|Bindery,Folio,Press|Linen Notebook,Half Leather Album,Sketch Folio,Pocket Diary,Marbled Journal,\
Guest Book,Recipe Ledger,Slip Case,Stitched Zine,Letter Box|notebooks,papers,threads,covers,presses|folding,\
stitching,gilding,binding
sailing club|Sailing,Harbour,Anchor|Deck Shoes,Signal Flags,Tide Table,Rope Fender,Oilskin Jacket,Brass Compass,\
Canvas Bag,Splicing Kit,Buoy Lamp,Sea Chart|boats,moorings,sails,tides,ropes|knotting,rowing,splicing,racing
weather station|Weather,Barometer,Sky|Rain Gauge,Wall Barometer,Wind Vane,Cloud Guide,Storm Lamp,Sun Recorder,\
Frost Alarm,Sky Poster,Pocket Thermometer,Pressure Log|readings,gauges,forecasts,clouds,sensors|measuring,\
forecasting,logging,observing
music school|Music,Strings,Chorus|Beginner Violin,Practice Mat,Tuning Fork,Choir Folder,Reed Set,Travel Metronome,\
Song Sheets,Lesson Card,Rosin Block,Drum Sticks|lessons,choirs,concerts,instruments,rehearsals|singing,practising,\
listening,composing
seed library|Seeds,Harvest,Meadow|Heritage Tomato,Purple Carrot,Runner Bean,Meadow Mix,Winter Kale,Sugar Pea,\
Painted Corn,Salad Burnet,Globe Artichoke,Black Radish|seeds,packets,harvests,jars,borrowers|saving,sorting,lending,\
drying
woodworking shop|Timber,Joinery,Workbench|Oak Stool,Dovetail Box,Spoon Blank,Ash Coat Rack,Walnut Shelf,Bench Hook,\
Birch Tray,Toy Barn,Cherry Board,Pine Ladder|boards,joints,stools,planes,chisels|planing,carving,sanding,joining
film society|Film,Reel,Cinema|Season Pass,Silent Film Night,Poster Print,Matinee Ticket,Programme Book,Balcony Seat,\
Short Film Evening,Members Card,Projector Tour,Festival Badge|screenings,reels,posters,seats,programmes|watching,\
projecting,discussing,editing
climbing hall|Climbing,Boulder,Summit|Chalk Bag,Day Ticket,Rope Course,Finger Board,Hall Shoes,Belay Lesson,\
Junior Pass,Grip Set,Wall Rental,Hold Cleaner|routes,walls,ropes,grades,holds|stretching,bouldering,belaying,training
repair cafe|Repairs,Mending,Toolbox|Solder Course,Patch Kit,Lamp Rewire,Sewing Hour,Glue Set,Zip Repair,\
Toaster Check,Screwdriver Set,Chair Repair,Darning Kit|tools,lamps,chairs,coats,radios|mending,soldering,sewing,\
sharpening
"""
TOPICS = tuple(_topic(line) for line in _TOPICS.strip().splitlines())
TABLE = _topic(
    "small restaurant|Table|Set Supper|tables,loaves,plates,herbs,sauces,jars|cooking,baking,tasting,sharing,pickling"
)
"""What a menu is about."""

_STARTS = (
    "Fern Alder Quill Larch Moss Harrow Bramble Wren Tarn Sable Hazel Copper Marlow Thistle Linden Corrie Juniper "
    "Penny Saffron Otter"
).split()
_ENDS = "hollow wick ridge ford mere field stead combe gate dale".split()
_FIRST = (
    "Ada Bruno Celia Dario Edith Farid Greta Hugo Imani Jonas Kira Lionel Mara Nils Odette Pavel Quinn Rosa Samir "
    "Tilda Ursula Viktor Wanda Yusuf Zora"
).split()
_LAST = (
    "Abbot Bellweather Castell Dunmore Eriksen Fontaine Greaves Haddon Ivarsson Jessop Kestrel Lindqvist Moreau "
    "Norwood Okafor Pereira Quist Rasmussen Sorrel Tanaka Underhill Valdez Whitlock Yarrow"
).split()
PLACES = (
    "Mill Lane|Harbour Street|Station Road|Orchard Walk|Chapel Yard|Bridge Row|Market Square|Canal Path|Weaver Court|"
    "Lantern Hill|Cooper Street|Willow Close"
).split("|")
TOWNS = "Ashbourne Vale|Port Calder|Westerleigh|Kingsmarsh|Lower Tarring|Elmbridge|Stonecross|Little Haven".split("|")
MONTHS = ("January February March April May June July August September October November December").split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

_SENTENCES = (
    "We keep the {thing} in a bright room at the back.",
    "Every week a small group meets for an hour of {act}.",
    "The first visit is free, and the kettle is always on.",
    "Most of our {thing} come from neighbours within ten miles.",
    "No experience of {act} is needed, only a little patience.",
    "On {day} the doors stay open until late in the evening.",
    "{first} looks after the {thing} and knows each one by heart.",
    "What began with three {thing} on a shelf now fills two floors.",
    "You can borrow what you need and bring it back when you are done.",
    "In {month} we move outdoors whenever the weather allows it.",
    "There is a quiet corner for {act} and a louder one for talking.",
    "All the {thing} are checked twice before they leave the house.",
    "Children are welcome as long as a grown-up stays near.",
    "Our notes on {act} are open to anyone who asks.",
    "{first} wrote the first guide in the winter of the great snow.",
    "A good day of {act} ends with tired hands and a short walk home.",
    "We choose slow work, and we say so before you start.",
    "Half of the {thing} were made from things others threw away.",
    "The list of {thing} changes with the season.",
    "Bring a friend, and the two of you share a bench by the window.",
    "People come for the {thing} and stay for the conversation.",
    "The old hall was empty for years before the {thing} arrived.",
    "Each {day} we set aside time for {act} without any plan.",
    "Ask {first} about the map on the wall; there is a story behind it.",
    "Some of us prefer {act}, others only like to watch.",
    "The workshop has room for twelve, and the garden for many more.",
    "Nothing here is finished, which is the reason to come back.",
    "A short letter goes out in {month} with all the dates.",
    "Careful {act} takes time, so we keep the groups small.",
    "The {thing} by the door are for anyone to take.",
    "Rain or shine, the side gate opens at a quarter to nine.",
    "Two volunteers count the {thing} at the end of every month.",
    "What you learn about {act} here, you can do at home.",
    "{first} and {second} share the early shift on {day}.",
    "We answer every letter, if not always on the same day.",
    "A wall of {thing} greets you as you come in.",
)
_LINES = (
    "{Act} and {act}, a short walk from the {spot}",
    "A calm place for {thing}",
    "Made slowly, shared freely",
    "Where {thing} find a second home",
    "{Act} for curious hands",
    "Good {thing}, kind people",
    "Small groups, honest {thing}",
    "An open door for {act}",
    "From first try to steady hand",
    "{Thing} worth the wait",
    "Old {thing}, new hands",
    "Come for the {thing}",
)
_HEADINGS = (
    "How it began",
    "What you will find",
    "On {act}",
    "A day with us",
    "The first {thing}",
    "Why we take our time",
    "Notes from the bench",
    "What comes next",
    "Before you visit",
    "{Thing} and seasons",
    "Learning by {act}",
    "Who looks after it",
    "In good company",
    "Room to try",
    "A word on {thing}",
    "Plain rules",
)
_ACTIONS = (
    "Plan a visit",
    "Join the list",
    "See what is on",
    "Reserve a place",
    "Start today",
    "Find a time",
    "Take a look",
    "Come along",
    "Ask for a tour",
    "Browse the shelf",
    "Try a first hour",
    "Save my seat",
)
_NAV = (
    "Visit Journal Shelf People Diary Workshops Story Prices Events Library Letters Members Help Hours Notes Rooms"
).split()
_SPOTS = ("old harbour", "town square", "river bridge", "railway halt", "market hall", "north gate")


@dataclass
class Copy:
    """Writes the texts of one page, none of them twice where there is a choice.

    Attributes:
        brand: the invented name of the place.
    """

    draw: Draw
    topic: Topic
    brand: str = ""
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.brand = f"{self.draw.pick(_STARTS)}{self.draw.pick(_ENDS)} {self.draw.pick(self.topic.last)}"

    @property
    def domain(self) -> str:
        """A host name that no one can own."""
        return f"{self.brand.split()[0].lower()}.example"

    def fresh(self, options: Sequence[str]) -> str:
        """One of the options that is not used yet, filled in."""
        left = [option for option in options if option not in self.used] or list(options)
        chosen = self.draw.pick(left)
        self.used.add(chosen)
        return self._filled(chosen)

    def _filled(self, text: str) -> str:
        first, second = self.draw.some(_FIRST, 2)
        thing, act = self.draw.pick(self.topic.things), self.draw.pick(self.topic.acts)
        other = self.draw.pick([a for a in self.topic.acts if a != act])
        words = {
            "thing": thing,
            "Thing": thing.capitalize(),
            "act": act,
            "Act": other.capitalize(),
            "first": first,
            "second": second,
            "day": self.draw.pick(DAYS),
            "month": self.draw.pick(MONTHS),
            "spot": self.draw.pick(_SPOTS),
        }
        return text.format(**words)

    def sentence(self) -> str:
        """One sentence."""
        return self.fresh(_SENTENCES)

    def paragraph(self, sentences: int) -> str:
        """So many sentences."""
        return " ".join(self.sentence() for _ in range(sentences))

    def line(self) -> str:
        """A line in large letters, without a full stop."""
        return self.fresh(_LINES)

    def heading(self) -> str:
        """The heading of a section."""
        return self.fresh(_HEADINGS)

    def action(self) -> str:
        """What a button says."""
        return self.fresh(_ACTIONS)

    def good(self) -> str:
        """The name of a thing with a price."""
        return self.fresh(self.topic.goods)

    def nav(self, count: int) -> list[str]:
        """Names of pages."""
        return [self.fresh(_NAV) for _ in range(count)]

    def person(self) -> str:
        """A full name."""
        return f"{self.fresh(_FIRST)} {self.fresh(_LAST)}"

    def price(self, low: int = 3, high: int = 60) -> str:
        """An amount with pence."""
        return f"{self.draw.between(low, high)}.{self.draw.pick(('00', '20', '50', '75', '90'))}"

    def date(self) -> str:
        """A day of the year."""
        return f"{self.draw.between(1, 28)} {self.draw.pick(MONTHS)}"

    def address(self) -> str:
        """A street and a number."""
        return f"{self.draw.between(2, 98)} {self.fresh(PLACES)}, {self.fresh(TOWNS)}"
