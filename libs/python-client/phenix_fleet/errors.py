"""What may go wrong between a script and a gateway."""

from __future__ import annotations

from .models import FieldProblem, Problem


class FleetError(Exception):
    """Every error that this package raises."""


class GatewayUnreachable(FleetError):
    """Nobody answered, or not to the end. What the gateway did is not known then."""


class Refusal(FleetError):
    """An answer that is none of those that were asked for."""

    def __init__(self, message: str, status: int, retry_after: float | None) -> None:
        super().__init__(message)
        self.status = status
        """status of HTTP"""
        self.retry_after = retry_after
        """seconds after which the gateway may be asked again, where it says so"""


class NotAGateway(Refusal):
    """Something answered that does not speak as a phenix-fleet gateway does."""


class ApiError(Refusal):
    """The gateway says no."""

    code: str
    """what it is, for programs to compare, such as `submission.invalid`"""
    title: str
    detail: str
    problems: list[FieldProblem]
    """everything that is wrong with what was sent, each with its field"""
    request_id: str | None
    """where the service failed (5xx), the log of the gateway says more under it"""

    def __init__(self, problem: Problem, status: int, retry_after: float | None) -> None:
        super().__init__("\n".join(_lines(problem)), status, retry_after)
        self.code = problem["code"]
        self.title = problem["title"]
        self.detail = problem["detail"]
        self.problems = problem.get("problems", [])
        self.request_id = problem.get("requestId")


def _lines(problem: Problem) -> list[str]:
    lines = [f"{problem['title']} ({problem['code']}). {problem['detail']}"]
    for one in problem.get("problems", []):
        allowed = f" (allowed: {one['allowed']})" if "allowed" in one else ""
        lines.append(f"{one['field']}: {one['reason']}{allowed}")
    if problem["status"] >= 500 and "requestId" in problem:
        lines.append(f"request id {problem['requestId']}")
    return lines
