"""What all stand-ins have in common: the engine's name, and two parameters for tests."""

import time
from collections.abc import Sequence

from open_phenix.core.arguments import Request
from open_phenix.core.spec import Engine, Parameter

SCRIPT = Engine("a script of open-phenix", "open-phenix")

TEST_PARAMETERS: tuple[Parameter, ...] = (
    Parameter("simulated.exit_code", "int", default=0, minimum=0, maximum=255, help="for tests: fail, write nothing"),
    Parameter("simulated.seconds", "float", default=0.0, minimum=0.0, maximum=86400.0, help="for tests: how long it takes"),
)


class ScriptedFailure(Exception):
    """A request that the run fails with this exit code."""

    def __init__(self, code: int):
        super().__init__(code)
        self.code = code


def play(request: Request, lines: Sequence[str]) -> None:
    """Print the lines, spread over `simulated.seconds`; then fail if requested."""
    pause = request["simulated.seconds"] / max(1, len(lines))
    for line in lines:
        print(line, flush=True)
        if pause > 0:
            time.sleep(pause)
    code = request["simulated.exit_code"]
    if code:
        raise ScriptedFailure(code)
