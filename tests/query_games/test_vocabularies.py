"""Every text of every component, told in every domain."""

import functools
import re
import string

import numpy as np
import pytest

from interactive_envs.dialogue.task import Terms
from interactive_envs.errors import UnknownNameError
from interactive_envs.query_games import games
from interactive_envs.query_games.base import node
from interactive_envs.query_games.rules import QueryTask
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.vocabularies import DOMAINS, vocabulary

CASES = [(structure, domain) for structure in games.STRUCTURES for domain in DOMAINS]
EVERYDAY = {"number", "numbers", "at", "in"}
"""Words of structures that texts need in another sense too."""


@functools.cache
def templates(name):
    """All texts of a structure's components: where from, the template, its parameters and example arguments."""
    found = []
    worlds = {family.name: family.world(1) for family in games.structure(name).families}

    def add(source, world, *texts):
        found.extend((source, text, dict(world.facts), ()) for text in texts)

    for family in games.structure(name).families:
        world = worlds[family.name]
        add(family.name, world, family.hides, family.prior.states)
        if family.mode == "inductive":
            add(family.name, world, *world.pool, *world.new)
    for kind in games.structure(name).kinds:
        mode = "inductive" if kind in induction.KINDS else "deductive"
        world = next(worlds[f.name] for f in games.structure(name).families if f.mode == mode)
        arguments = list(kind.arguments(world))
        add(kind.name, world, kind.legal, kind.reply.hint, *kind.reply.words)
        found += [(kind.name, kind.asks, dict(world.facts), (kind, arguments[len(arguments) // 2]))]
    for target in games.structure(name).targets:
        mode = "inductive" if target in induction.TARGETS else "deductive"
        world = next(worlds[f.name] for f in games.structure(name).families if f.mode == mode)
        add(target.name, world, target.asks, target.form.hint)
    return found


def rendered(name, words):
    words = {**games.words(name), **words}
    for source, text, facts, asked in templates(name):
        shown = ()
        if asked:
            kind, argument = asked
            shown = [node(atom, words) if kind.nodes else str(atom) for atom in argument]
        yield source, text.format(*shown, **words, **{key: facts[key] for key in facts if key not in words})


def words_of(text):
    return set(re.findall(r"[^\W\d_]+", text.lower()))


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_replaces_every_word_and_no_other(name, domain):
    found = vocabulary(name, domain)
    named = {f"node {letter}" for letter in string.ascii_uppercase[:16]} if name in ("tree", "graph") else set()
    assert set(found) == set(games.words(name)) | {"intro"} | named
    assert {key for key, word in games.words(name).items() if found[key] == word} <= EVERYDAY


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_every_text_renders_and_keeps_no_word_of_the_structure(name, domain):
    found = vocabulary(name, domain)
    own = words_of(" ".join(found.values()))
    gone = {word for key, word in games.words(name).items() if found[key] != word} - own - EVERYDAY
    for source, text in rendered(name, found):
        assert not re.search("[{}]", text), source
        assert not words_of(text) & gone, (source, text)


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_articles_fit(name, domain):
    found = vocabulary(name, domain)
    for source, text, _, _ in templates(name):
        assert not re.search(r"\b[Aa]n \{", text), source
        for key in re.findall(r"\b[Aa] \{(\w+)\}", text):
            if key in games.words(name):
                assert not re.match("[aeiou]|hour|honest|heir", found[key]), (source, key)
    assert not re.search(r"\b(a [aeio]|an [^aeio])", found["intro"])


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_plurals_and_the_scene(name, domain):
    found = vocabulary(name, domain)
    for key in games.words(name):
        if f"{key}s" in games.words(name):
            assert found[f"{key}s"] != found[key]
    assert found["intro"].endswith(".")
    assert found["intro"][0].isupper()
    assert not re.search("[{}]", "".join(found.values()))


def test_words_of_a_domain_differ_from_those_of_the_others():
    for name in games.STRUCTURES:
        assert len({vocabulary(name, domain)[name] for domain in DOMAINS} | {name}) == len(DOMAINS) + 1


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", ["tree", "graph"])
def test_names_are_unmistakable(name, domain):
    found = vocabulary(name, domain)
    names = {key[-1]: word for key, word in found.items() if key.startswith("node ")}
    assert len({word[:3].lower() for word in names.values()}) == 16
    said = set()
    for domain_or_none in (None, *DOMAINS):
        words = dict(vocabulary(name, domain_or_none)) if domain_or_none else {}
        others = {key: word for key, word in words.items() if not key.startswith("node ") and key != "intro"}
        for _, text in rendered(name, others):
            said |= words_of(text)
    assert f"A for {names['A']}, B for {names['B']} and so on." in found["intro"]
    said |= words_of(found["intro"]) - {names["A"].lower(), names["B"].lower()}
    for letter, word in names.items():
        # Texts speak of the order of the alphabet and of letters.
        assert word.startswith(letter)
        assert re.fullmatch("[A-Z][a-z]{2,}", word)
        assert word.lower() not in said


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", games.STRUCTURES)
@pytest.mark.parametrize("mode", games.MODES)
def test_rules_of_a_game_are_told_in_the_domain(name, domain, mode):
    game = next(key for key in games.every() if key.startswith(f"{name}/{mode}/"))
    found = vocabulary(name, domain)
    task = QueryTask(game, 1)
    text = task.rules(task.case(np.random.default_rng(0), "0"), Terms(10, 0, False, True, False), found)
    assert found[name] in text
    assert mode != "deductive" or found[f"{name}s"] in text
    assert not re.search("[{}]", text)


def test_unknown_names():
    with pytest.raises(UnknownNameError, match=r"unknown domain 'helthcare'; did you mean 'healthcare'\?"):
        vocabulary("set", "helthcare")
    with pytest.raises(UnknownNameError, match="unknown structure"):
        vocabulary("heap", "law")
