"""An environment for reinforcement learning, in the style of https://gymnasium.farama.org, which it needs.

    pip install gymnasium
    python3 examples/gymnasium_environment.py [PACK [LEVEL]]

Actions: 0 up, 1 right, 2 down, 3 left; a blocked one changes nothing. An observation is the board, each square as its
index in CELLS. A step costs 0.1, a box on a goal is worth 1, a solved level 10 more. An episode ends when the level is
solved or dead, and is cut off after ``most_steps``.
"""

import sys

import gymnasium
import numpy as np

from sokoterm import Level, Pack, Position

CELLS = " #.$*@+"


class SokobanEnvironment(gymnasium.Env):  # type: ignore[misc]  # no types without gymnasium
    """One level, played again and again."""

    metadata = {"render_modes": ["ansi"], "render_fps": 10}  # noqa: RUF012 - as in gymnasium

    def __init__(self, level: Level, most_steps: int = 500, render_mode: str | None = None) -> None:
        self.position = Position(level)
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(4)
        shape = level.board.height, level.board.width
        self.observation_space = gymnasium.spaces.Box(0, len(CELLS) - 1, shape, np.uint8)
        self._most_steps = most_steps
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[object, dict[str, object]]:
        """Begin an episode."""
        super().reset(seed=seed, options=options)
        self.position = Position(self.position.level)
        self._steps = 0
        return self._observation(), {}

    def step(self, action: int) -> tuple[object, float, bool, bool, dict[str, object]]:
        """Move the player by one square, if the way is free."""
        position, away = self.position, self.position.boxes_away
        position.move(int(action))
        self._steps += 1
        reward = away - position.boxes_away + 10 * position.is_solved - 0.1
        is_over = position.is_solved or position.deadlock() is not None
        return self._observation(), reward, is_over, self._steps >= self._most_steps, {}

    def render(self) -> str:
        """Return the picture as text."""
        return str(self.position)

    def _observation(self) -> object:
        cells = self.position.level.cells(self.position.state)
        return np.array([[CELLS.index(cell) for cell in row] for row in cells], np.uint8)


def main(path: str = "levels/first-steps.txt", number: str = "1") -> None:
    """Play episodes at random until one solves the level."""
    environment = SokobanEnvironment(Pack.load(path)[int(number) - 1], render_mode="ansi")
    environment.action_space.seed(1)
    for episode in range(1, 1001):
        environment.reset()
        total, is_over, is_cut = 0.0, False, False
        while not (is_over or is_cut):
            _, reward, is_over, is_cut, _ = environment.step(environment.action_space.sample())
            total += reward
        if environment.position.is_solved:
            print(f"solved in episode {episode}, {environment.position.moves} moves, reward {total:.1f}")
            print(environment.render())
            return
    print("not solved")


if __name__ == "__main__":
    main(*sys.argv[1:])
