"""Errors of the client."""

from __future__ import annotations

from .models import FieldProblem, Problem


class FleetError(Exception):
    """Base class of all errors of this package."""


class GatewayUnreachable(FleetError):
    """No complete response. It is unknown whether the gateway processed the request."""


class Refusal(FleetError):
    """A response that does not match the request."""

    def __init__(self, message: str, status: int, retry_after: float | None) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status"""
        self.retry_after = retry_after
        """seconds to wait before a retry, if the gateway states them"""


class NotAGateway(Refusal):
    """The server at this URL is not a phenix-fleet gateway."""


class ApiError(Refusal):
    """The gateway refused the request."""

    code: str
    """stable error code, such as `submission.invalid`"""
    title: str
    detail: str
    problems: list[FieldProblem]
    """all problems of the request, each with its field"""
    request_id: str | None
    """request id; for 5xx errors, search the gateway log for it"""

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
