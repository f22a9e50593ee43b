"""The words and phrases by which claims are told, and what they mean."""

from __future__ import annotations

UNKNOWNS = frozenset("k n q u v w x y z".split())
"""Letters that stand for what is sought where the problem uses them for nothing."""
WANTED = frozenset("k n x y z".split())
"""Those of them that a player would hardly mean otherwise."""
EXTRAPOSED = frozenset(
    """true correct right case possible impossible necessary known allowed said likely certain clear helpful useful
    fair important easy that so enough better best wise safe sufficient legal permitted""".split()
)
"""What is said of ``it`` where ``it`` stands for the rest of the sentence."""
BEFORE_TO = frozenset("equal coprime congruent equivalent prime up next close".split())
"""Words whose ``to`` opens no clause."""
BEFORE_IT = frozenset(
    """is are does do did can could will would must should was divide divides a an the factor divisor of and so then
    not isn't doesn't has have greater less than below above at least most more twice half double""".split()
)
"""Words before ``it`` that name nothing it could stand for."""
SAID_OF_IT = frozenset(
    """is was isn't wasn't has have leaves leave ends end divides divide exceeds exceed equals equal lies lie must can
    does doesn't will would cannot contains contain be""".split()
)
"""Verbs whose subject ``it`` may be the answer; a robot makes jumps and takes steps."""
NO_START = frozenset("on in at by with from for to into of until after before".split())
"""Words that no name of a quantity begins with."""
OF_MODULUS = frozenset("order remainder residue rest inverse".split())
"""Nouns to which ``modulo m`` belongs."""

RELATIONS = {"=": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
CONVERSE = {"Eq": "Eq", "Ne": "Ne", "Lt": "Gt", "Le": "Ge", "Gt": "Lt", "Ge": "Le"}
COMPARATIVES = (
    ("Gt", "strictly greater than|strictly larger than|strictly more than|greater than|larger than|more than|bigger "
           "than|higher than|longer than|exceeding|exceeds|exceed|exceeded|above|over|strictly "
           "above|later than|beyond"),
    ("Ge", "at least|no less than|not less than|no fewer than|no smaller than|not smaller than|greater than or equal "
           "to|more than or equal to|larger than or equal to|as many as|a minimum of"),
    ("Lt", "strictly less than|strictly smaller than|strictly fewer than|less than|smaller than|fewer than|lower than|"
           "shorter than|below|under|strictly below|strictly under|short of"),
    ("Le", "at most|no more than|not more than|no greater than|not greater than|no larger than|not larger than|less "
           "than or equal to|smaller than or equal to|fewer than or equal to|up to|a maximum of"),
    ("Eq", "exactly equal to|precisely equal to|equal to|the same as|exactly|precisely|just|only|identical to"),
    ("Ne", "different from|other than|unequal to|not equal to"),
)  # fmt: skip
COMPARATIVE = sorted(
    ((tuple(words.split()), relation) for relation, line in COMPARATIVES for words in line.split("|")),
    key=lambda pair: -len(pair[0]),
)
OPENINGS = sorted(
    (tuple(line.split()) for line in (
        "is it true that|is it the case that|is it correct that|is it right that|is it so that|does it hold that|can "
        "we say that|can one say that|can we conclude that|do we have that|do we have|i claim that|i claim|claim|my "
        "claim is that|i think that|i think|i believe that|it is true that|it holds that|it is the case that|we have "
        "that|we have|one has|note that|so|thus|therefore|hence|then|also|that|in total|in all|in fact|is it a fact "
        "that|we know that|it follows that|altogether|am i right that|would you agree that|true or false|prove that|"
        "show that|clearly|consequently|moreover|and|is that"
    ).split("|")),
    key=len, reverse=True,
)  # fmt: skip
CLOSINGS = sorted(
    (tuple(line.split()) for line in (
        "in total|altogether|overall|in all|right|is that right|is that correct|correct|true|too|as well|in the end|"
        "in this problem|here|holds|isn't it|doesn't it|is true|in fact|, right|, correct|, too|together|is it"
    ).split("|")),
    key=len, reverse=True,
)  # fmt: skip
NEGATIONS = sorted(
    (tuple(line.split()) for line in (
        "it is not true that|it is not the case that|it is false that|is it false that|is it not true that|it isn't "
        "true that|it isn't the case that|not"
    ).split("|")),
    key=len, reverse=True,
)  # fmt: skip
BE = ("is", "are", "was", "were", "be", "being", "equals", "equal", "makes", "gives", "yields", "amounts to",
       "comes to", "come to", "amount to", "evaluates to", "becomes", "stands at", "comes out as", "comes out to",
       "comes out at", "turns out to be", "must be", "has to be", "is given by", "has the value", "has value", "give",
       "will be", "would be", "can be", "works out to", "works out as", "are equal to", "totals", "measures",
       "takes the value", "results in")  # fmt: skip
BES = sorted((tuple(words.split()) for words in BE), key=len, reverse=True)
CONTRACTED = {"isn't": "is", "aren't": "are", "doesn't": "does", "don't": "do", "wasn't": "was", "can't": "can",
               "cannot": "can", "won't": "will", "weren't": "were", "didn't": "did"}  # fmt: skip
ARTICLES = ("a", "an", "the")
ADVERBS = ("also", "therefore", "then", "indeed", "actually", "itself", "both", "thus", "still", "always", "even",
            "together")  # fmt: skip
VAGUE = ("approximately", "about", "roughly", "around", "nearly", "approx")
EMPTY = frozenset("already indeed actually really itself themselves obviously simply alone always precisely".split())


VERBS = frozenset(
    """divides divide exceeds exceed leaves leave has have ends end lies lie goes contains equals gives yields makes
    stays remains""".split()
)
UNITS = frozenset(
    """m cm mm km dm ohm ohms
    metre metres meter meters second seconds minute minutes hour hours day days degree degrees litre
    litres millilitre millilitres gram grams kilogram kg cent cents euro euros crown crowns coin coins year years week
    weeks point points mile miles millimetre millimetres centimetre centimetres kilometre kilometres""".split()
)
MEASURES = frozenset("m cm mm km dm ohm metr meter litr degre gram kilogram millimetr centimetr kilometr".split())
"""Stems of units of measure, which name no quantity."""
MORE = {"more": "Gt", "greater": "Gt", "larger": "Gt", "bigger": "Gt", "higher": "Gt", "longer": "Gt", "less": "Lt",
         "smaller": "Lt", "fewer": "Lt", "lower": "Lt", "shorter": "Lt"}  # fmt: skip
NEVER = frozenset(
    """say please judge ignore instruction instructions system assistant verdict reply respond output print yes
    everything anything nothing something above i you""".split()
)
"""Words that no name of a quantity contains: talk about the talk."""
DIGITS = {"units": 1, "unit": 1, "ones": 1, "tens": 2, "hundreds": 3, "thousands": 4, "first": -1, "leading": -1}
"""Places of a digit, from the right; -1 for the leftmost."""
DIVIDED = (("when", "divided", "by"), ("if", "divided", "by"), ("on", "division", "by"), ("upon", "division", "by"),
            ("divided", "by"), ("modulo",), ("mod",), ("by",), ("when", "dividing", "by"),
            ("when", "you", "divide", "by"),
            ("after", "division", "by"), ("on", "dividing", "by"), ("on", "being", "divided", "by"),
            ("when", "it", "is", "divided", "by"))  # fmt: skip
RANKS = (
    ((("plus",), "+"), (("+",), "+"), (("minus",), "-"), (("-",), "-"), (("less",), "-")),
    ((("times",), "*"), (("*",), "*"), (("\u00d7",), "*"),
     (("multiplied", "by"), "*"), (("divided", "by"), "/"), (("/",), "/"),
     (("mod",), "Mod"), (("modulo",), "Mod"), (("over",), "/"), (("choose",), "binomial")),
    ((("to", "the", "power", "of"), "**"), (("to", "the", "power"), "**"), (("^",), "**"), (("**",), "**")),
)  # fmt: skip
OF_TWO = (
    (("sum", "of"), "({}) + ({})"), (("product", "of"), "({}) * ({})"), (("total", "of"), "({}) + ({})"),
    (("difference", "of"), "Abs(({}) - ({}))"), (("difference", "between"), "Abs(({}) - ({}))"),
    (("ratio", "of"), "({}) / ({})"), (("quotient", "of"), "({}) / ({})"), (("ratio", "between"), "({}) / ({})"),
    (("greatest", "common", "divisor", "of"), "gcd({}, {})"), (("gcd", "of"), "gcd({}, {})"),
    (("greatest", "common", "factor", "of"), "gcd({}, {})"), (("highest", "common", "factor", "of"), "gcd({}, {})"),
    (("least", "common", "multiple", "of"), "lcm({}, {})"), (("lcm", "of"), "lcm({}, {})"),
    (("lowest", "common", "multiple", "of"), "lcm({}, {})"), (("smallest", "common", "multiple", "of"), "lcm({}, {})"),
    (("dot", "product", "of"), "dot({}, {})"), (("scalar", "product", "of"), "dot({}, {})"),
    (("inner", "product", "of"), "dot({}, {})"), (("cross", "product", "of"), "cross({}, {})"),
    (("vector", "product", "of"), "cross({}, {})"), (("vector", "from"), "({1}) - ({0})"),
    (("vector", "leading", "from"), "({1}) - ({0})"), (("distance", "from"), "Abs(({1}) - ({0}))"),
    (("distance", "between"), "Abs(({1}) - ({0}))"),
    (("larger", "of"), "Max({}, {})"), (("maximum", "of"), "Max({}, {})"), (("smaller", "of"), "Min({}, {})"),
    (("minimum", "of"), "Min({}, {})"), (("average", "of"), "(({}) + ({}))/2"), (("mean", "of"), "(({}) + ({}))/2"),
)  # fmt: skip
OF_ONE = (
    (("square", "root", "of"), "sqrt({})"), (("cube", "root", "of"), "cbrt({})"), (("square", "of"), "({})**2"),
    (("cube", "of"), "({})**3"), (("reciprocal", "of"), "1/({})"), (("inverse", "of"), "1/({})"),
    (("absolute", "value", "of"), "Abs({})"), (("factorial", "of"), "factorial({})"), (("negative", "of"), "-({})"),
    (("last", "digit", "of"), "Mod({}, 10)"), (("final", "digit", "of"), "Mod({}, 10)"),
    (("units", "digit", "of"), "Mod({}, 10)"), (("unit", "digit", "of"), "Mod({}, 10)"),
    (("digit", "sum", "of"), "digit_sum({})"), (("sum", "of", "digits", "of"), "digit_sum({})"),
    (("sum", "of", "the", "digits", "of"), "digit_sum({})"), (("last", "two", "digits", "of"), "Mod({}, 100)"),
    (("last", "2", "digits", "of"), "Mod({}, 100)"), (("last", "3", "digits", "of"), "Mod({}, 1000)"),
    (("logarithm", "of"), "log({})"), (("double",), "2*({})"), (("twice",), "2*({})"), (("thrice",), "3*({})"),
    (("half",), "({})/2"), (("half", "of"), "({})/2"), (("totient", "of"), "totient({})"), (("triple",), "3*({})"),
    (("length", "of"), "Abs({})"), (("norm", "of"), "Abs({})"), (("squared", "length", "of"), "Abs({})**2"),
    (("x", "component", "of"), "component({}, 1)"), (("y", "component", "of"), "component({}, 2)"),
    (("z", "component", "of"), "component({}, 3)"), (("x", "coordinate", "of"), "component({}, 1)"),
    (("y", "coordinate", "of"), "component({}, 2)"), (("z", "coordinate", "of"), "component({}, 3)"),
    (("numerator", "of"), "numerator({})"), (("denominator", "of"), "denominator({})"),
    (("floor", "of"), "floor({})"), (("ceiling", "of"), "ceiling({})"), (("opposite", "of"), "-({})"),
)  # fmt: skip
SIMPLE = {
    tuple(words.split()): form
    for line, form in (
        ("even|even number|even integer", "Eq(Mod({}, 2), 0)"),
        ("odd|odd number|odd integer", "Eq(Mod({}, 2), 1)"),
        ("prime|prime number", "isprime({})"),
        ("composite|composite number", "iscomposite({})"),
        ("perfect square|square|square number", "issquare({})"),
        ("perfect cube|cube|cube number|cubic number", "iscube({})"),
        ("positive|positive number|greater than zero", "Gt({}, 0)"),
        ("negative|negative number", "Lt({}, 0)"),
        ("nonnegative|non-negative", "Ge({}, 0)"),
        ("zero|nil", "Eq({}, 0)"),
        ("nonzero|non-zero", "Ne({}, 0)"),
        ("integer|whole number|natural number|whole|integral", "isinteger({})"),
        ("positive integer|positive whole number", "And(isinteger({0}), Gt({0}, 0))"),
        ("rational|rational number|fraction", "isrational({})"),
        ("irrational|irrational number", "Not(isrational({}))"),
        ("real|real number", "isreal({})"),
        ("palindrome|palindromic", "ispalindrome({})"),
        ("power of two", "ispowerof({}, 2)"),
        ("power of 2", "ispowerof({}, 2)"),
        ("2 prime|twice prime|twice prime number", "And(Divides(2, {0}), isprime({0}/2))"),
    )
    for words in line.split("|")
}
LEADS = (
    (("divisible", "by"), "Divides({1}, {0})"), (("exactly", "divisible", "by"), "Divides({1}, {0})"),
    (("a", "multiple", "of"), "Divides({1}, {0})"), (("multiple", "of"), "Divides({1}, {0})"),
    (("a", "divisor", "of"), "Divides({0}, {1})"), (("a", "factor", "of"), "Divides({0}, {1})"),
    (("a", "proper", "divisor", "of"), "And(Divides({0}, {1}), Lt({0}, {1}))"),
    (("coprime", "to"), "coprime({0}, {1})"), (("coprime", "with"), "coprime({0}, {1})"),
    (("relatively", "prime", "to"), "coprime({0}, {1})"), (("prime", "to"), "coprime({0}, {1})"),
    (("a", "power", "of"), "ispowerof({0}, {1})"), (("a", "whole", "multiple", "of"), "Divides({1}, {0})"),
    (("equal", "to"), "Eq({0}, {1})"), (("half",), "Eq({0}, ({1})/2)"), (("the", "square", "of"), "Eq({0}, ({1})**2)"),
)  # fmt: skip


AXES = {"first": "x", "second": "y", "third": "z"}
NO_NAME = frozenset("is are was were does do about or most if not".split())
"""Words that are no part of a name."""
NO_END = frozenset(
    """of for in on at to by with from as into and more very much many up out over exactly only just also still the a
    an least than precisely itself when where which who that between strictly either""".split()
)
"""Words that no name ends with."""
FINITE = frozenset(
    """is are was were has have can will would gives give makes make contributes contribute costs cost leaves leave
    holds hold takes take stands stand lies lie needs need fixes fix equals equal be been""".split()
)
"""Verbs that a clause does not lack."""
_TOO_LITTLE = "too few|too short|too small|too little|too low|insufficient"
_SUFFICES = "enough|suffices|suffice|sufficient|possible|works|work|do"
_TOO_MUCH = "too many|too long|too large|too big|too much|too high|impossible"
_FITS = "possible|works|work|allowed|suffices|suffice|fits|fit"
ENOUGH = {
    "least": tuple(
        (tuple(words.split()), relation)
        for line, relation in ((_TOO_LITTLE, "Gt"), (_SUFFICES, "Le"))
        for words in line.split("|")
    ),
    "most": tuple(
        (tuple(words.split()), relation)
        for line, relation in ((_TOO_MUCH, "Lt"), (_FITS, "Ge"))
        for words in line.split("|")
    ),
}
"""What is said of a number where the least or the largest of its kind is asked for: how the answer compares to it."""
MUST = (("must",), ("has", "to"), ("have", "to"), ("needs", "to"), ("need", "to"))
GOING = frozenset("go walk cover travel run use take be wait pay move make have spend cost".split())
THERE = tuple(tuple(words.split()) for words in (
    "there would be|there are|there were|there will be|we would have|we have|one would have|one has|one gets|one would "
    "get|we get|it would be|there would still be|you get"
).split("|"))  # fmt: skip
"""Words before a number of things that exist."""
NOUN_OF = {"contributes": "contribution", "contribute": "contribution", "costs": "price", "cost": "price",
            "high": "height", "tall": "height", "long": "length", "wide": "width", "deep": "depth", "away": "distance",
            "apart": "distance", "weighs": "weight"}  # fmt: skip
"""The noun that a verb or an adjective speaks of."""
RESULTS = frozenset("product sum difference quotient fraction power".split())
"""Nouns behind which their value may stand."""
BEFORE_ENOUGH = frozenset("is are would be will not isn't aren't it still already can long".split())
"""Words between a number and what is said of it there."""
POINTS = frozenset("the a direction normal vector point".split())
"""Words before coordinates."""
