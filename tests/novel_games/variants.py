"""One good foreign game, changed in one way each: what generated code does that a check must see, or let pass."""

from pathlib import Path
from textwrap import indent

SHY = (Path(__file__).parent / "fixtures" / "good-foreign" / "game.py").read_text()


def below(method: str, body: str, source: str = SHY) -> str:
    """The game with one method written anew."""
    return f"{source}\n\nclass CustomEnv(CustomEnv):\n    def {method}:\n{indent(body, ' ' * 8)}\n"


UNNAMED = SHY.replace("current_player", "mark")
"""Nothing with a usual name tells who acts."""

BOX = "spaces.Box(low=-1, high=1, shape=(ROWS * COLUMNS + 1,), dtype=np.float32)"
BOARD = "np.array([*self.board, self.current_player], dtype=np.float32)"


def observed(space: str, observation: str) -> str:
    """The game with another space of observations."""
    assert BOX in SHY
    assert BOARD in SHY
    return SHY.replace(BOX, space).replace(BOARD, observation)


ENDS = """\
        if not self.valid_moves():
            self.done = True
            return self._get_obs(), 1, True, False, {}
"""
assert ENDS in SHY

VARIANTS = {
    "an observation of bits": (
        observed(
            "spaces.MultiBinary(2 * ROWS * COLUMNS + 1)",
            "np.array([*(cell == 1 for cell in self.board), *(cell == -1 for cell in self.board),"
            " self.current_player == 1], dtype=np.int8)",
        ),
        "admit",
        "",
    ),
    "an observation of kinds": (
        observed(
            "spaces.MultiDiscrete([3] * (ROWS * COLUMNS) + [2])",
            "np.array([*(cell + 1 for cell in self.board), self.current_player == 1])",
        ),
        "admit",
        "",
    ),
    "an observation in parts": (
        observed('spaces.Dict({"board": spaces.MultiDiscrete([3] * 12)})', '{"board": np.array(self.board) + 1}'),
        "refuse",
        "does not build",
    ),
    "a key that forgets the board": (below("key(self)", "return 0"), "refuse", "key"),
    "a key that cannot be kept": (below("key(self)", "return [*self.board]"), "refuse", "key"),
    "a view that fails": (
        below("view(self, seat)", 'return {"board": 1 / 0}') + below("resample(self, seat, rng)", "return self", ""),
        "refuse",
        "render",
    ),
    "positions without a move": (
        SHY.replace(ENDS, ""),
        "refuse",
        "no moves",
    ),
    "moves as a tuple": (
        below("valid_moves(self)", "return tuple(super().valid_moves())"),
        "admit",
        "",
    ),
    "moves as NumPy's numbers": (
        below("valid_moves(self)", "return [np.int64(move) for move in super().valid_moves()]"),
        "admit",
        "",
    ),
    "attributes named like extensions": (
        SHY.replace("self.done = False", "self.done, self.key, self.view = False, 1, 2"),
        "admit",
        "",
    ),
    "harmless imports": (
        f"import io\nimport sys\nfrom io import StringIO\n\nOUT = io.StringIO()\nLOG = sys.stderr\n{SHY}",
        "admit",
        "",
    ),
    "open by another name": (
        f"import io\n\nOUT = io.open\n{SHY}",
        "refuse",
        "hostile",
    ),
    "a module by another name": (
        f"import sys\n\nSYSTEM = sys\n{SHY}",
        "refuse",
        "hostile",
    ),
    "punished and going on": (
        below(
            "step(self, action)",
            "if action == 5 and not any(self.board):\n"
            "    return self._get_obs(), -10, False, False, {}\n"
            "return super().step(action)",
        ),
        "refuse",
        "punished",
    ),
    "a move that loses by the rules": (  # punished with -10, as illegal ones are
        below(
            "step(self, action)",
            "told = super().step(action)\n"
            "if self.board[5] == 0 or told[2]:\n"
            "    return told\n"
            "self.done = True\n"
            "return self._get_obs(), -10, True, False, {}",
        ),
        "flag",
        "lost by -10",
    ),
    "every valid move costs 10": (  # as the prompt of gg-bench said
        SHY.replace("return self._get_obs(), 0, False", "return self._get_obs(), -10, False"),
        "flag",
        "goes on after -10",
    ),
    "a first move that wins": (
        below(
            "step(self, action)",
            "first = not any(self.board)\n"
            "told = super().step(action)\n"
            "return (told[0], 1, True, False, {}) if first and action == 7 else told",
        ),
        "refuse",
        "decided",
    ),
    "a win in three moves": (  # take the field 0, then any other
        below(
            "step(self, action)",
            "mover = self.current_player\n"
            "told = super().step(action)\n"
            "won = self.board[0] == mover and self.board.count(mover) > 1\n"
            "self.done = self.done or won\n"
            "return (told[0], 1, True, False, {}) if won else told",
        ),
        "flag",
        "decided",
    ),
    "two marks a turn": (
        UNNAMED.replace("self.mark = 1", "self.mark, self.left = 1, 2").replace(
            "self.mark = -self.mark",
            "self.left = 3 - self.left\n        if self.left == 2:\n            self.mark = -self.mark",
        ),
        "flag",
        "acting player",
    ),
    "an answer within the move": (
        below(
            "step(self, action)",
            "told = super().step(action)\nreturn told if told[2] else super().step(self.valid_moves()[-1])",
            UNNAMED,
        ),
        "refuse",
        "built-in opponent",
    ),
    "a winner who is not the mover": (
        below(
            "step(self, action)",
            "told = super().step(action)\nself.winner = 1 if self.board[0] == 1 else -1\nreturn told",
            UNNAMED,
        ),
        "refuse",
        "reward",
    ),
    "a winner whom nobody is called like": (
        below(
            "step(self, action)",
            "*told, info = super().step(action)\nreturn *told, {'winner': 2} if self.done else {}",
        ),
        "refuse",
        "result",
    ),
    "one board for all games": (
        SHY.replace("class Custom", "BOARD = [0] * 12\n\n\nclass Custom").replace(
            "self.board = [0] * (ROWS * COLUMNS)", "self.board = BOARD\n        self.board[:] = [0] * len(BOARD)"
        ),
        "refuse",
        "shared state",
    ),
}
"""By name: the code, the verdict, and the reason."""
