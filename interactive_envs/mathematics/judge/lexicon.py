"""The words and phrases that claims are made of, and what they mean; ``data/lexicon.toml`` lists and explains them."""

from __future__ import annotations

from interactive_envs.mathematics.judge.tables import by_phrase, load, longest_first, meanings, phrases, words

_TABLES = load("lexicon")

UNKNOWNS = words(_TABLES["unknowns"])
WANTED = words(_TABLES["wanted"])
EXTRAPOSED = words(_TABLES["extraposed"])
BEFORE_TO = words(_TABLES["before_to"])
BEFORE_IT = words(_TABLES["before_it"])
SAID_OF_IT = words(_TABLES["said_of_it"])
NO_START = words(_TABLES["no_start"])
NO_NAME = words(_TABLES["no_name"])
NO_END = words(_TABLES["no_end"])
NEVER = words(_TABLES["never"])
OF_MODULUS = words(_TABLES["of_modulus"])
ARTICLES = words(_TABLES["articles"])
ADVERBS = words(_TABLES["adverbs"])
VAGUE = words(_TABLES["vague"])
EMPTY = words(_TABLES["empty"])
VERBS = words(_TABLES["verbs"])
FINITE = words(_TABLES["finite"])
GOING = words(_TABLES["going"])
UNITS = words(_TABLES["units"])
MEASURES = words(_TABLES["measures"])
RESULTS = words(_TABLES["results"])
BEFORE_ENOUGH = words(_TABLES["before_enough"])
POINTS = words(_TABLES["points"])
AS_LARGE = words(_TABLES["as_large"])

OPENINGS = longest_first(_TABLES["openings"])
CLOSINGS = longest_first(_TABLES["closings"])
NEGATIONS = longest_first(_TABLES["negations"])
BE = longest_first(_TABLES["be"])
DIVIDED = phrases(_TABLES["divided"])
MUST = phrases(_TABLES["must"])
THERE = phrases(_TABLES["there"])
EQUAL_TO = phrases(_TABLES["equal_to"])
REST = phrases(_TABLES["rest"])
SUM_TO = phrases(_TABLES["sum_to"])
NOTHING_COMMON = phrases(_TABLES["nothing_common"])
NOTHING_COMMON_WITH = phrases(_TABLES["nothing_common_with"])
COMMON_ABOVE = phrases(_TABLES["common_above"])

RELATIONS: dict[str, str] = _TABLES["relations"]
CONTRACTED: dict[str, str] = _TABLES["contracted"]
MORE: dict[str, str] = _TABLES["more"]
DIGITS: dict[str, int] = _TABLES["digits"]
AXES: dict[str, str] = _TABLES["axes"]
NOUN_OF: dict[str, str] = _TABLES["noun_of"]
OPERATIONS: dict[str, tuple[str, str]] = {verb: (link, sign) for verb, (link, sign) in _TABLES["operations"].items()}

COMPARATIVES = tuple(sorted(by_phrase(_TABLES["comparatives"]), key=lambda pair: -len(pair[0])))
RANKS = tuple(meanings(rank) for rank in _TABLES["ranks"].values())
OF_TWO = meanings(_TABLES["of_two"])
OF_ONE = meanings(_TABLES["of_one"])
LEADS = meanings(_TABLES["leads"])
HAS = meanings(_TABLES["has"])
SHARED = meanings(_TABLES["shared"])
TOGETHER = meanings(_TABLES["together"])
SIMPLE = dict(by_phrase(_TABLES["simple"]))
ENOUGH = {asked: by_phrase(table) for asked, table in _TABLES["enough"].items()}
