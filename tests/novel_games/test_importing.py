"""Import of gg-bench's release: pairing by number, tables, and pickles that are never read."""

import pickle
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.importing import import_release
from interactive_envs.novel_games.admission import check, describe
from interactive_envs.novel_games.folder import read_folder

SOURCE = (Path(__file__).parent / "fixtures" / "good-foreign" / "game.py").read_text()
RULES = "**Title: Shy Neighbours**\n\nTwo players claim cells of a grid. Who cannot move loses; there is no draw.\n"
ACTIONS = "Index i is the cell i of the board, counted row by row.\n"


class Bomb:
    def __reduce__(self):
        return print, ("read",)


def release(root):
    files = {
        "data/envs/env_7.py": SOURCE,
        "data/envs/env_12.py": SOURCE,
        "data/envs/env_30.py": SOURCE,
        "data/descriptions/7.txt": RULES,
        "data/descriptions/12.txt": "# Dice of Doom\n\nRoll a die each turn; the luck of the roll counts.\n",
        "data/actions/7.txt": ACTIONS,
        "data/actions/12.txt": ACTIONS,
        "README.md": "A release.\n",
        "train_agents.py": "raise SystemExit\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    agent = root / "data" / "models" / "env_7" / "agent_1000000.zip"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(pickle.dumps(Bomb()))
    return root


def test_release(tmp_path, capsys):
    found = import_release(release(tmp_path / "release"), tmp_path / "games", licence="CC0-1.0")
    assert [path.name for path in found.folders] == ["shy-neighbours-7", "dice-of-doom-12"]
    assert found.incomplete == {30: ("description", "list of actions")}
    assert found.pickles == ("data/models/env_7/agent_1000000.zip",)
    assert capsys.readouterr().out == ""
    told = found.describe()
    assert "imported 2 games" in told
    assert "not imported: 30 lacks its description and list of actions" in told
    assert "agent_1000000.zip" in told
    game = read_folder(found.folders[0])
    assert (game.title, game.category) == ("Shy Neighbours", "board")
    assert (game.origin, game.licence, game.chance) == ("gg-bench 7", "CC0-1.0", False)
    assert (game.rules, game.actions, game.source) == (RULES, ACTIONS, SOURCE)
    assert read_folder(found.folders[1]).category == "chance"


def test_imported_game_is_checked(tmp_path):
    (folder,) = import_release(release(tmp_path / "release"), tmp_path / "games", only=[7]).folders
    found = check(folder)
    assert found.verdict == "admit", describe(found)


def test_flat_release(tmp_path):
    for name, text in {"env_3.py": SOURCE, "description_3.txt": RULES, "action_3.txt": ACTIONS}.items():
        (tmp_path / name).write_text(text)
    (folder,) = import_release(tmp_path, tmp_path / "games").folders
    assert read_folder(folder).actions == ACTIONS


def test_texts_that_cannot_be_read_are_named(tmp_path):
    root = release(tmp_path / "release")
    (root / "data" / "descriptions" / "7.txt").write_bytes(b"\xff\xfe\xff")
    (root / "data" / "actions" / "12.txt").unlink()
    (root / "data" / "actions" / "12.txt").symlink_to("/etc/hostname")
    found = import_release(root, tmp_path / "games")
    assert found.folders == ()
    assert found.unread == ("data/actions/12.txt", "data/descriptions/7.txt")
    assert "not read: data/actions/12.txt" in found.describe()


def test_nothing_is_overwritten(tmp_path):
    root = release(tmp_path / "release")
    import_release(root, tmp_path / "games")
    with pytest.raises(ConfigError, match="exists already"):
        import_release(root, tmp_path / "games")
    with pytest.raises(ConfigError, match="no release"):
        import_release(tmp_path / "nowhere", tmp_path / "games")


def test_a_release_without_games_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="holds no files of descriptions, environments and actions"):
        import_release(tmp_path, tmp_path / "out")
    release(tmp_path)
    with pytest.raises(ConfigError, match="holds no files of games 99"):
        import_release(tmp_path, tmp_path / "out", only=[99])
