"""Ciphers: every truth a second time, textbook vectors, what is read, what is asked, what is generated."""

from __future__ import annotations

import dataclasses
import json
import re
import string
from collections import Counter

import numpy as np
import pytest

from interactive_envs.agents.black_box import ReferenceCipher
from interactive_envs.black_box.base import LEVELS, Trial
from interactive_envs.black_box.cipher.boxes import (
    BOXES,
    FAMILY,
    LONGEST,
    CipherBox,
    generate,
    plain_texts,
    sound,
)
from interactive_envs.black_box.cipher.solver import Solver
from interactive_envs.black_box.cipher.stages import (
    LOWER,
    LOWER_FIRST,
    Blocks,
    Cipher,
    Codes,
    Columns,
    EarlierShift,
    Hill,
    KeyShift,
    PairPower,
    Playfair,
    Rails,
    affine,
    key_of,
    keyword_alphabet,
)
from interactive_envs.black_box.env import BlackBoxEnv
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.parsing import Unreadable
from tests.black_box import second_cipher
from tests.black_box.showing import shown_of

TRIAL = Trial()
NAMES = list(BOXES)
CASED = set(
    "bacon caesar curve fibonacci index-shift simple-substitution zigzag dynamic-curve frequency playfair "
    "positional-keyword sequential-feedback".split()
)
"""Where capitals matter, as ORACLE has it."""
BLANKS = {
    "stay": "adhxz caesar fibonacci index-shift simple-substitution compositional frequency hill positional-keyword "
    "sequential-feedback vigenere",
    "drop": "letter-number bacon curve zigzag dynamic-curve rsa",
    "letter": "01248-digits 01248-counts backpack",
    "words": "playfair",
}
EDGES = (
    "a",
    "Z",
    "zz",
    "a b",
    "I j J i",
    "xx",
    "X x",
    "balloon",
    "aA Aa",
    "The quick brown fox",
    "x" * 60,
    "Hello hello",
)


def box(name: str, **options: bool) -> CipherBox:
    made = BOXES[name].make()
    assert isinstance(made, CipherBox)
    return dataclasses.replace(made, **options)


def texts(seed: int, count: int) -> list[str]:
    """Legal queries of every length, in small letters, in capitals and mixed, some of few different letters."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        signs = [LOWER, LOWER.upper(), LOWER_FIRST + "    ", "abAB ", LOWER + "   "][number % 5]
        text = " ".join("".join(rng.choice(list(signs), int(rng.integers(1, LONGEST + 1)))).split())
        made.append(text or "q")
    return made


# Truths.


@pytest.mark.parametrize("name", NAMES)
def test_a_fixed_box_is_what_its_sentence_says(name: str) -> None:
    second = second_cipher.FIXED[name]
    for text in (*EDGES, *texts(1, 60), *plain_texts(np.random.default_rng(2))):
        assert box(name).value(TRIAL, text) == second(text), text


@pytest.mark.parametrize("name", second_cipher.DECIPHERED)
def test_a_cipher_text_can_be_deciphered(name: str) -> None:
    decipher, loses = second_cipher.DECIPHERED[name]
    for text in (*EDGES, *texts(3, 100)):
        wanted = text.lower() if "small" in loses else text
        wanted = wanted.replace(" ", "") if "solid" in loses else wanted
        assert decipher(box(name).value(TRIAL, text)) == wanted, text


@pytest.mark.every(5)
@pytest.mark.parametrize("text", [*EDGES, *texts(4, 100)])
def test_what_pads_can_be_deciphered_up_to_the_padding(text: str) -> None:
    solid = text.replace(" ", "").lower()
    assert second_cipher.unhill(box("hill").value(TRIAL, solid)) == solid + "x" * (len(solid) % 2)
    pairs = " ".join("".join(second_cipher.fillers(word)) for word in text.split())
    assert second_cipher.unplayfair(box("playfair").value(TRIAL, text)) == pairs


@pytest.mark.parametrize(
    ("stages", "plain", "cipher_text"),
    [
        ((KeyShift(key=key_of("lemon", LOWER)),), "ATTACKATDAWN", "LXFOPVEFRNHR"),
        ((EarlierShift(primer=key_of("queenly", LOWER), of="plain"),), "ATTACKATDAWN", "QNXEPVYTWTWP"),
        ((affine(1, 3),), "thequickbrownfox", "wkhtxlfneurzqira"),
        ((affine(5, 8),), "AFFINECIPHER", "IHHWVCSWFRCP"),
        ((affine(-1, -1),), "attackatdawn", "zggzxpzgwzdm"),
        ((Rails(rows=3),), "WEAREDISCOVEREDFLEEATONCE", "WECRLTEERDSOEEFEAOCAIVDEN"),
        ((Columns(key=(4, 2, 1, 3, 5, 0)),), "WEAREDISCOVEREDFLEEATONCE", "EVLNACDTESEAROFODEECWIREE"),
        ((Blocks(),), "abcdef", "fedcba"),
        ((Hill(matrix=(3, 3, 2, 5)),), "help", "hiat"),
        (
            (Playfair(square=keyword_alphabet("playfairexample").replace("j", "")),),
            "hidethegoldinthetreestump",
            "bmodzbxdnabekudmuixmmouvif",
        ),
        ((PairPower(exponent=17, modulus=3233),), "bm", "2790"),
        ((Codes(codes=tuple(keyword_alphabet("zebras"))),), "fleeatonce", "siaazqlkba"),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value[0]).__name__,
)
def test_textbook_vectors(stages: tuple[object, ...], plain: str, cipher_text: str) -> None:
    # Lemon: Vigenère's textbook key; Zebras: the textbooks' columns; 65 to the 17th modulo 3233; and so on.
    assert Cipher(stages=stages, joint=",").encrypt(plain).replace(",", "") == cipher_text  # type: ignore[arg-type]


def test_every_box_has_a_second_method() -> None:
    assert BOXES["letter-number"].items == 3
    assert set(second_cipher.FIXED) == set(NAMES)


@pytest.mark.parametrize("name", [name for names in BLANKS.values() for name in names.split()])
def test_case_and_blanks_are_treated_as_oracle_has_them(name: str) -> None:
    one = box(name)
    assert (one.value(TRIAL, "attack") == one.value(TRIAL, "ATTACK")) == (name not in CASED)
    (treatment,) = (kind for kind, names in BLANKS.items() if name in names.split())
    assert one.cipher.blanks == treatment
    solid, parted = one.value(TRIAL, "defend"), one.value(TRIAL, "def end")
    if treatment == "drop":
        assert solid == parted
    elif treatment == "stay":
        assert parted.replace(" ", "") == solid
        assert parted.count(" ") == 1


def test_adhxz_and_compositional_have_the_tables_of_oracles_release() -> None:
    square = "".join(second_cipher.adhxz(letter) for letter in LOWER)
    assert square == "AHAAXHDAZHHDXADDXDXDDZAXZAHZDHAZHAZDHXADXXHHZXXZZZDX"
    assert "".join(box("adhxz").value(TRIAL, letter) for letter in LOWER) == square
    # 'a' after the key letter l (11) is l, after 3x + 10 is r (17), and the table's place 17 holds 11, which is l.
    assert box("compositional").value(TRIAL, "a") == "l"


# What ORACLE had wrong.


def test_characters_are_never_dropped_silently() -> None:
    for text in ("attack!", "ab1", "caf\u00e9", "a,b", "a-b", "\u0430bc", "\u017f"):
        assert isinstance(box("caesar").read_query("query", text, None), Unreadable)


def test_blanks_of_caesar_stay_by_the_rule_itself() -> None:
    assert box("caesar").cipher.encrypt("a b") == "i j"


def test_i_and_j_have_the_code_xd_and_no_others_share_one() -> None:
    codes = [box("adhxz").value(TRIAL, letter) for letter in LOWER]
    assert codes[8] == codes[9] == "XD"
    assert len(set(codes)) == 25


def test_equal_letters_are_parted_even_where_they_are_the_filler() -> None:
    pairs = Playfair(square=keyword_alphabet("security").replace("j", "")).pairs("xxAaX")
    assert pairs == [("x", "q"), ("x", "A"), ("a", "X")]
    assert Playfair(square=keyword_alphabet("security").replace("j", "")).pairs("X") == [("X", "Q")]


def test_the_key_of_backpack_gives_two_pairs_of_letters_the_same_number() -> None:
    sums = Counter(box("backpack").value(TRIAL, sign) for sign in LOWER)
    assert [number for number, count in sums.items() if count > 1] == ["69", "120"]


def test_what_was_asked_is_never_an_item() -> None:
    for name in NAMES:
        rng = np.random.default_rng(5)
        asked = box(name).arguments(TRIAL, (), rng, 8)
        again = box(name).arguments(TRIAL, [text.swapcase() for text in asked], np.random.default_rng(5), 8)
        told = {box(name).value(TRIAL, text.swapcase()) for text in asked}
        assert not told & {box(name).value(TRIAL, text) for text in again}


# Reading and telling.


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("abc", "abc"),
        ("  a   b\tc\n", "a b c"),
        ("A" * 60, "A" * 60),
        ("a" + " " * 100 + "b", "a b"),
    ],
)
def test_legal_queries(body: str, read: str) -> None:
    assert box("hill").read_query("query", body, None) == read


@pytest.mark.parametrize(
    "body",
    [
        "",
        "   ",
        "a" * 61,
        "a" * 20_000,
        " " * 20_000,
        "\u0661",
        "1" * 20_000,
        "<b>",
        "\x00",
        "\U0001f600",
        "nan.",
        "a_b",
    ],
)
def test_what_is_no_query_is_unreadable_with_the_reason(body: str) -> None:
    found = box("hill").read_query("query", body, None)
    assert isinstance(found, Unreadable)
    assert repr(body[:40]) in found.reason
    assert "60" in found.reason


@pytest.mark.parametrize(
    ("body", "read"),
    [(" Ab  c ", "Ab c"), ("1, 2 ,3", "1,2,3"), ("12,5", "12,5"), ("0110 10", "0110 10"), ("a\nb", "a b")],
)
def test_answers(body: str, read: str) -> None:
    assert box("hill").read_answer("attack", body) == read


@pytest.mark.parametrize("body", ["", "a" * 201, "a" * 20_000, "caf\u00e9", "\u0663", "a.b", "x\x00", '"abc"'])
def test_what_is_no_answer(body: str) -> None:
    found = box("hill").read_answer("attack", body)
    assert isinstance(found, Unreadable)
    assert repr(body[:40]) in found.reason


def test_values_of_functions_are_marked_like_answers() -> None:
    one = box("rsa")
    for value in (None, 1, float("nan"), float("inf"), ["1"], {}, True, "", "x" * 10**5, "\ud800"):
        assert one.mark_value("1,2", value) == 0
    assert one.mark_value("1,2", "1, 2 ") == 1
    assert json.loads(json.dumps(one.as_json("ab"))) == "ab"


def test_a_whole_exploration_word_for_word() -> None:
    one, rng = box("zigzag"), np.random.default_rng(0)
    assert one.introduction() == (
        "A secret cipher turns plain texts into cipher texts, always by the same rule.\n"
        "<query>Some plain text</query> enciphers a plain text. It may have letters A to Z and a to z and blanks, at "
        "most 60 characters, and nothing else. The reply is its cipher text, e.g. 'Cipher text: Kqw zzt'. A cipher "
        "text has letters, digits, commas and blanks. In plain and cipher texts several blanks in a row are read as "
        "one, and blanks at the ends are dropped. What the cipher does with capitals and blanks is for you to find out."
    )
    query = one.read_query("query", " Defend  the East ", None)
    fact, memory = one.reply(TRIAL, one.begin(TRIAL), query, rng)
    assert (query, fact, memory) == ("Defend the East", "DneteedhEsfta", None)
    assert one.tell(query, fact) == "Cipher text: DneteedhEsfta"
    assert one.examination() == (
        "Each question gives a plain text of 6 to 14 letters, sometimes with capitals or blanks, whose cipher text "
        "you have not seen. Answer with its cipher text, e.g. <answer>Kqw zzt</answer>. Capitals, blanks "
        "and commas must be right, too."
    )
    (item,) = one.arguments(TRIAL, [query], np.random.default_rng(3), 1)
    assert one.question(TRIAL, item) == "The plain text is: yZmWOdVOFErPU\nWhat is its cipher text?"
    assert one.mark(one.value(TRIAL, item), one.read_answer(item, " yOFUZWdOEPmVr ")) == 1


def test_half_of_the_cipher_text_is_shown_where_observability_is_partial() -> None:
    one, rng = box("caesar", partial=True), np.random.default_rng(0)
    assert [one.reply(TRIAL, None, text, rng)[0] for text in ("a", "ab", "abcde", "abcdef")] == [
        "i",
        "i_",
        "__klm",
        "ijk___",
    ]
    assert one.tell("abcde", "__klm") == "Cipher text: __klm"
    assert one.value(TRIAL, "abcde") == "ijklm"
    assert "the first half if the number of characters is even" in one.introduction()
    assert "whole" in one.examination()
    assert "_" not in box("caesar").introduction()


def test_an_empty_cipher_text_can_be_told() -> None:
    assert box("hill").tell("a", "") == "The cipher text is empty."
    assert box("hill", partial=True).tell("a", "") == "The cipher text is empty."


@pytest.mark.every(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("partial", [False, True])
def test_texts_are_short_and_give_nothing_away(name: str, partial: bool) -> None:
    one = box(name, partial=partial)
    said = one.introduction() + one.examination()
    assert len(said) <= 1500
    assert said == box("caesar", partial=partial).introduction() + box("caesar", partial=partial).examination()
    for word in ("caesar", "shift", "keyword", "vigen", "hill", "rail", "zigzag", "curve", "rsa", "bacon", "fib"):
        assert word not in said.lower()
    for example in one.examples:
        tag, body = example[1:].split(">", 1)
        read = one.read_query if tag == "query" else lambda tag, body, seen, one=one: one.read_answer("abc", body)
        assert not isinstance(read(tag, body.split("<")[0], None), Unreadable)


# Items.


@pytest.mark.every(3)
@pytest.mark.parametrize("name", NAMES)
def test_items_are_new_varied_and_the_same_for_the_same_draws(name: str) -> None:
    one, asked = box(name), texts(6, 20)
    items = one.arguments(TRIAL, asked, np.random.default_rng(7), 8)
    assert items == one.arguments(TRIAL, asked, np.random.default_rng(7), 8)
    assert len({one.value(TRIAL, text) for text in items}) == 8
    assert not {one.value(TRIAL, text) for text in items} & {one.value(TRIAL, text) for text in asked}
    for text in items:
        assert one.read_query("query", text, None) == text
        assert one.read_answer(text, one.value(TRIAL, text)) == one.value(TRIAL, text)
        assert 6 <= len(text.replace(" ", "")) <= 14


def test_eight_items_have_all_that_tells_rules_apart() -> None:
    for seed in range(100):
        made = plain_texts(np.random.default_rng(seed))
        lengths = [len(text.replace(" ", "")) for text in made]
        assert len(set(lengths)) == 8
        assert {length % 3 for length in lengths} == {0, 1, 2}
        assert len({length % 6 for length in lengths}) >= 5
        assert len(set("".join(made).lower()) - {" "}) >= 23
        assert sum(any(sign.isupper() for sign in text) for text in made) == 4
        assert sum(" " in text for text in made) == 4
        doubled = [re.search(r"(.)\1", text.replace(" ", "")) for text in made]
        assert sum(map(bool, doubled)) >= 4
        assert sum(len(set(text.replace(" ", ""))) < len(text.replace(" ", "")) for text in made) == 8


def test_a_thousand_arguments_for_a_function() -> None:
    for name in ("01248-digits", "frequency"):
        asked = texts(8, 10)
        many = box(name).arguments(TRIAL, asked, np.random.default_rng(9), 1000)
        assert len(set(many)) == 1000
        assert not set(many) & set(asked)


@pytest.mark.parametrize("name", NAMES)
def test_players_that_miss_a_rule_fail_most_items(name: str) -> None:
    one = box(name)
    items = [text for seed in range(5) for text in one.arguments(TRIAL, (), np.random.default_rng(seed), 8)]
    truths = [one.value(TRIAL, text) for text in items]
    assert Counter(truths).most_common(1)[0][1] == 1
    assert all(truth != text for truth, text in zip(truths, items, strict=True))
    # One who takes the first letter's code for the code of that letter everywhere.
    code = {sign: one.value(TRIAL, sign) for sign in string.ascii_letters} | {" ": " "}
    simple = sum("".join(code[sign] for sign in text) == truth for text, truth in zip(items, truths, strict=True))
    assert isinstance(one.cipher.stages[0], Codes) or simple <= 2


# The generator.


@pytest.mark.parametrize("count", [40, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("level", LEVELS)
def test_generated_ciphers_are_sound_and_right_by_a_second_way(level: int, count: int) -> None:
    shapes = Counter()
    for seed in range(count):
        one = generate(np.random.default_rng([seed, level]), level)
        cipher = one.cipher
        shapes[len(cipher.stages) - bool(cipher.joint)] += 1
        assert sound(cipher)
        if seed % 4:
            continue
        assert one == generate(np.random.default_rng([seed, level]), level)
        for text in (*EDGES[:6], *texts(seed, 5), *plain_texts(np.random.default_rng(seed))):
            made = cipher.encrypt(text)
            assert made == second_cipher.chained(cipher, text)
            known = {"keep": text, "lower": text.lower(), "upper": text.upper()}[cipher.case]
            known = known if cipher.blanks == "stay" else known.replace(" ", "")
            assert second_cipher.unchained(cipher, made) == known
    assert set(shapes) == {1: {1}, 2: {1}, 3: {2}, 4: {2, 3}, 5: {3, 4}}[level]


def test_levels_are_those_there_are() -> None:
    for level in (0, 6, -1):
        with pytest.raises(ValueError, match="level"):
            generate(np.random.default_rng(0), level)


def test_a_stage_that_does_nothing_is_not_sound() -> None:
    twice = Cipher(stages=(Blocks(), Blocks()))
    assert not sound(twice)
    assert not sound(Cipher(stages=(affine(5, 8), Columns(key=(0,)))))
    assert not sound(Cipher(stages=(affine(13, 8),)))
    assert not sound(Cipher(stages=()))
    assert sound(Cipher(stages=(affine(5, 8), Rails(rows=3))))


def test_the_family_is_complete() -> None:
    assert FAMILY.items == 8
    assert FAMILY.generate is generate
    assert all(entry.make().reveal(TRIAL) for entry in BOXES.values())


# The reference player.


def played(one: CipherBox, seed: int, turns: int = 10, *, delayed: bool = False) -> tuple[float, int]:
    """The reference player's score and turns."""
    player = Solver()
    heard: list[tuple[str, object]] = []

    def shown(item: str | None) -> BoxShown:
        told = () if delayed and item is None else tuple(heard)
        return shown_of("cipher", one, observations=told, item=item, items=8, exploring=item is None)

    player.start(np.random.default_rng(seed))
    for turn in range(turns):
        text = player.ask(shown(None), turns - turn)
        if text is None:
            break
        query = one.read_query("query", text.removeprefix("<query>").removesuffix("</query>"), None)
        assert isinstance(query, str), query
        heard.append((query, one.reply(TRIAL, None, query, np.random.default_rng(0))[0]))
    items = one.arguments(TRIAL, [query for query, _ in heard], np.random.default_rng(seed), 8)
    right = [one.read_answer(item, player.answer(shown(item))) == one.value(TRIAL, item) for item in items]
    return sum(right) / len(right), len(heard)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_player_finds_every_fixed_box(name: str) -> None:
    assert played(box(name), 0)[0] == 1
    assert played(box(name), 0, delayed=True) == (1, 10)


@pytest.mark.every(3)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("count", [2, pytest.param(5, marks=pytest.mark.long)])
def test_the_reference_player_finds_generated_ciphers(level: int, count: int) -> None:
    scores = [played(generate(np.random.default_rng([seed, level]), level), seed)[0] for seed in range(count)]
    assert np.mean(scores) >= (0.9 if level < 5 else 0.5)


def test_the_reference_player_sees_halves_too() -> None:
    for name in ("caesar", "playfair", "zigzag", "rsa", "01248-digits"):
        assert played(box(name, partial=True), 0)[0] >= 0.5


def test_outside_its_class_it_gives_the_text_back() -> None:
    strange = CipherBox(cipher=Cipher(stages=(KeyShift(key=(1, 5, 2)), Rails(rows=3), KeyShift(key=(4, 9)))))
    assert played(strange, 0, turns=5) == (0.0, 5)
    assert played(strange, 0, turns=0) == (0.0, 0)


def test_as_a_function_it_hands_in_the_source_of_what_it_found() -> None:
    env = BlackBoxEnv(family="cipher", box="playfair", answer_as="code")
    player = ReferenceCipher()
    observation, info = env.reset(seed=1)
    player.reset(seed=1, info=info)
    terminated = False
    while not terminated:
        observation, score, terminated, _, info = env.step(player.act(observation, info))
    assert score == 1
    assert info["solution"] == "pairs in the square of SECURITY, word by word"
