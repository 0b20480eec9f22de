# Generated from docs/reference/openapi.json by test/docs/openapi.spec.ts; regenerate with FLEET_WRITE_DOCS=1.
"""Requests and responses of the gateway, from its OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict


class AdminStatus(TypedDict):
    launches: Launch
    runs: int
    """runs with a slot: running, or queued on the backend"""
    runsByClass: dict[str, int]
    """by node class"""
    runsByProposal: dict[str, int]
    """by proposal"""
    waiting: int
    """runs that wait for a slot or for launches to open, or are queued on the backend"""
    oldestWaitingSince: NotRequired[str]


class AdviceChange(TypedDict):
    advice: NotRequired[str]
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    advice_file: NotRequired[str]
    """name of the file with the advice"""
    directives: NotRequired[Directives]


class AdviceReadingUnderstood(TypedDict):
    field: str
    """path in the directives, for example `stop_conditions.after_program`"""
    value: str | float | bool | list[str]
    words: str
    """phrases of the text that led to this"""
    says: str
    """effect, in one sentence"""
    by: NotRequired[Literal["model"]]
    """a language model interpreted it; absent: the rules did"""


class AdviceReadingRequestedPrograms(TypedDict):
    program: str
    times: int


class AdviceReading(TypedDict):
    """interpretation of advice in plain words"""

    text: str
    """the cleaned text"""
    removed: list[AdviceWords]
    """parts of the text that were removed before interpretation, with the reason"""
    directives: Directives
    stopsNow: bool
    """the text consists of 'stop' only"""
    stepByStep: bool
    """predicted models are processed and placed step by step"""
    understood: list[AdviceReadingUnderstood]
    conflicts: list[str]
    """contradictions and how they are resolved, one sentence each"""
    notFollowed: list[AdviceWords]
    """parts that no rule follows, with the reason"""
    requestedPrograms: NotRequired[list[AdviceReadingRequestedPrograms]]
    """programs that the text requests, in order; absent: none"""


class AdviceWords(TypedDict):
    words: str
    why: str


class ApiKey(TypedDict):
    """an API key, without its secret"""

    id: str
    """identifier of the key; not secret"""
    owner: str
    """owner of the key"""
    label: str
    """purpose of the key"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    """role of the owner"""
    proposals: list[str]
    """proposals of the owner; `*`: a service may submit to all its beamlines"""
    beamlines: list[str]
    """beamlines of the owner; empty for users and administrators"""
    scopes: list[Literal["read", "submit", "change", "decide", "admin"]]
    """permitted actions within the role"""
    createdAt: str
    createdBy: str
    """creator; empty: access control was off"""
    expiresAt: str
    """time from which the key is invalid"""
    revokedAt: NotRequired[str]
    """time from which the key is invalid"""
    revokedBy: NotRequired[str]
    lastUsedAt: NotRequired[str]
    """to the minute; absent: never, or not since the database was rebuilt"""


class ApiKeyRequest(TypedDict):
    owner: str
    """owner of the new key"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    label: NotRequired[str]
    """purpose of the key"""
    proposals: NotRequired[list[str]]
    """proposals of the owner; `*`: a service may submit to all its beamlines"""
    beamlines: NotRequired[list[str]]
    """beamlines of the owner; for staff, kiosks and services"""
    scopes: NotRequired[list[Literal["read", "submit", "change", "decide", "admin"]]]
    """absent: all actions of the role"""
    expires_in_days: NotRequired[int]
    """validity in days"""


class ApiKeys(TypedDict):
    keys: list[ApiKey]


class Assessment(TypedDict):
    """assessment of a session: data, strategy, state, and next steps"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    state: Literal["ready", "pending", "failed"]
    """ready: no request is open; pending: a model has not answered yet; failed: no model answered. The text is by the rules unless a model is named"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    """status of the session when it was assessed"""
    version: int
    """status of the session when it was assessed"""
    writtenAt: str
    writtenBy: Literal["rules", "model"]
    parts: list[AssessmentPart]
    """all five parts, in order"""
    requestedAt: NotRequired[str]
    """time of the request to a model"""
    target: NotRequired[str]
    """target of the model that wrote it"""
    model: NotRequired[str]
    """name of the model"""
    hash: NotRequired[str]
    """SHA-256 of the prompt; `models/` in the session folder has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", "error"]]
    """why no model wrote it"""
    why: NotRequired[str]
    """the reason in one sentence"""


class AssessmentPart(TypedDict):
    """a part of an assessment"""

    part: Literal["input_quality", "goal_and_strategy", "strategy_assessment", "current_status", "next_steps"]
    title: str
    text: str
    """one line of plain text without hidden characters; may quote the submitter and programs"""
    unsupported: NotRequired[list[UnsupportedNumber]]
    """numbers in a model's text that do not occur in the session, in order; absent: none"""


class Attempt(TypedDict):
    """one launch of a cycle's program"""

    attempt: int
    backend: Literal["local", "kubernetes"]
    provider: Literal["phenix", "open-phenix", "simulated"]
    """simulated: by a scripted stand-in, not a real program"""
    programVersion: str
    """for example `Servalcat 0.4.142`"""
    startedAt: str
    resources: NotRequired[Resources]
    ending: NotRequired[Ending]


class AuditDamages(TypedDict):
    """an audit log file that was altered or is missing"""

    file: str
    """name in the folder .phenix-fleet-audit of the work folder"""
    reason: str


class Audit(TypedDict):
    entries: list[AuditEntry]
    """newest first"""
    damages: list[AuditDamages]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


AuditEntry = TypedDict(
    "AuditEntry",
    {
        "id": 'str',
        "at": 'str',
        "who": 'str',
        "action": 'str',
        "endpoint": 'str',
        "object": 'str',
        "outcome": 'Literal["done", "denied", "refused", "failed", "unknown"]',
        "request": 'str',
        "from": 'str',
        "role": NotRequired['Literal["user", "staff", "admin", "kiosk", "service"]'],
        "code": NotRequired['str'],
        "bytes": NotRequired['int'],
        "files": NotRequired['int'],
        "before": NotRequired['dict[str, Any]'],
        "after": NotRequired['dict[str, Any]'],
    },
)


class BatchStates(TypedDict):
    """number of rows by state"""

    waiting: int
    checked: int
    accepted: int
    duplicate: int
    rejected: int
    cancelled: int


class BatchSessions(TypedDict):
    """current number of sessions by status"""

    running: int
    cancelling: int
    completed: int
    unsatisfactory: int
    failed: int
    cancelled: int


class BatchOutcomes(TypedDict):
    """number of ended sessions by outcome (docs/outcomes.md)"""

    solved: int
    goal_reached: int
    unfinished: int
    unsatisfactory: int
    failed_science: int
    failed_infrastructure: int
    rejected: int
    cancelled: int
    unknown: int


class BatchLinks(TypedDict):
    """URLs of related resources"""

    self: str
    rows: str
    results: str
    csv: str


class Batch(TypedDict):
    """a batch and its progress"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    title: str
    """display name; default: name of the first file"""
    proposal: str
    """proposal of the data; results are in a folder of this name"""
    submitter: str
    """name of the submitter"""
    start: Literal["each", "together", "never"]
    """when rows start"""
    duplicates: Literal["submit", "skip"]
    """treatment of a row with the same files, settings and advice as an earlier session of the proposal"""
    createdAt: str
    status: Literal["open", "paused", "cancelled"]
    complete: bool
    """the batch is complete"""
    rows: int
    states: BatchStates
    """number of rows by state"""
    sessions: BatchSessions
    """current number of sessions by status"""
    outcomes: BatchOutcomes
    """number of ended sessions by outcome (docs/outcomes.md)"""
    done: bool
    """every row has been processed and every session has ended"""
    state: str
    """progress in one sentence"""
    links: BatchLinks
    """URLs of related resources"""
    base: NotRequired[str]
    """base folder of relative paths"""
    defaults: NotRequired[RowDefaults]
    owner: NotRequired[str]
    """creator; rows are submitted in this name; absent: access control was off"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """changed priority for all rows that start later, whatever they state; absent: not changed"""


class BatchList(TypedDict):
    batches: list[Batch]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class BatchPriority(TypedDict):
    """effect of a priority change on a batch"""

    priority: Literal["live", "standard", "backfill"]
    rows: int
    """rows without a session: they start with the new priority"""
    sessions: int
    """rows with a session: they keep their priority"""
    message: str
    """the reason in one sentence"""


class BatchPriorityRequest(TypedDict):
    priority: Literal["live", "standard", "backfill"]
    """priority of rows without a session; existing sessions keep theirs"""


class BatchRequestFolder(TypedDict):
    """each matching file becomes a row"""

    pattern: str
    """path pattern of the data files: {name} captures a variable, * matches any text"""


class BatchRequest(TypedDict):
    title: NotRequired[str]
    """display name; default: name of the first file"""
    proposal: NotRequired[str]
    """proposal of the data; results are in a folder of this name"""
    submitter: NotRequired[str]
    """name of the submitter"""
    start: NotRequired[Literal["each", "together", "never"]]
    """when rows start"""
    duplicates: NotRequired[Literal["submit", "skip"]]
    """treatment of a row with the same files, settings and advice as an earlier session of the proposal"""
    base: NotRequired[str]
    """base folder of relative paths"""
    defaults: NotRequired[RowDefaults]
    rows: NotRequired[list[Any]]
    """rows: objects with the fields of a submission, and `variables`"""
    folder: NotRequired[BatchRequestFolder]
    """each matching file becomes a row"""


class BatchResult(TypedDict):
    """a row of a batch with the results of its session so far; for a duplicate, of the earlier session"""

    row: int
    state: Literal["waiting", "checked", "accepted", "duplicate", "rejected", "cancelled"]
    session: NotRequired[SessionRow]
    href: NotRequired[str]
    """URL of the session"""
    problems: NotRequired[list[FieldProblem]]


class BatchResults(TypedDict):
    results: list[BatchResult]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class BatchRow(TypedDict):
    """a row of a batch with its outcome"""

    row: int
    """number of the row in the batch, from 1, in order of arrival"""
    line: int
    """first line of the row in its manifest, from 1"""
    state: Literal["waiting", "checked", "accepted", "duplicate", "rejected", "cancelled"]
    run: int
    """number of reruns"""
    session: NotRequired[str]
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    earlier: NotRequired[EarlierSession]
    first: NotRequired[FirstStep]
    wait: NotRequired[ExpectedWait]
    problems: NotRequired[list[FieldProblem]]
    """problems of the row; a long list is cut"""
    unused: NotRequired[list[FileUse]]
    """files that no program would use, with the reason; with `strict` the row is rejected"""


class BatchRowList(TypedDict):
    rows: list[BatchRow]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class BestFile(TypedDict):
    """the best file for a purpose"""

    category: str
    stage: str
    score: float
    path: str
    cycle: int
    """0: submitted"""
    href: NotRequired[str]
    """download URL; absent for a submitted file that no program has used yet"""


class Checkup(TypedDict):
    at: str
    by: str
    """machine or pod that made the checks"""
    findings: list[Finding]


class ChoiceSetting(TypedDict):
    """a setting with a fixed set of values"""

    type: Literal["choice"]
    default: str
    choices: list[str]
    what: str
    """meaning of the setting"""


class Cycle(TypedDict):
    """one decision, one program run, one analysis"""

    cycle: int
    """cycle number in the session, from 1"""
    decision: Decision
    attempts: list[Attempt]
    waiting: NotRequired[WaitingAttempt]
    result: NotRequired[CycleResult]


class CycleRemoval(TypedDict):
    count: int
    """number of last cycles to remove"""


class CycleResult(TypedDict):
    outcome: Literal["success", "failed"]
    summary: str
    """result, or reason of the failure, in one sentence"""
    metrics: list[Metric]
    outputs: list[SessionFile]
    errorLines: list[str]
    """log lines with the error, at most 20"""
    analysedAt: str
    leftOut: NotRequired[list[str]]
    """what the analysis omitted, one sentence each (files beyond the limit of a record, the middle of a long log); absent: nothing"""
    fit: NotRequired[Fit]
    ligand: NotRequired[Ligand]


class DeadNotice(TypedDict):
    """a dead notification: no longer retried"""

    id: str
    """webhook-id of the message"""
    of: str
    """id of the session or batch"""
    attempts: int
    diedAt: str
    why: str
    """why the last attempt failed"""
    kind: NotRequired[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]
    at: NotRequired[str]
    """time of the event"""


class DeadNotices(TypedDict):
    dead: list[DeadNotice]


class DeadStep(TypedDict):
    """a dead step: it failed permanently"""

    id: str
    """`<session>-v<version>`, or the job id if the payload is unreadable"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    state: Literal["woken", "given_up", "past"]
    cause: str
    """fault code or error name; otherwise `other`"""
    reason: str
    """message of the last failure"""
    failures: int
    """failed wake-ups that are still stored"""
    firstAt: str
    """time of the first failure"""
    lastAt: str
    """time of the last failure"""
    sessionId: NotRequired[str]


class DeadStepDetail(TypedDict):
    """a dead step with its stack trace"""

    id: str
    """`<session>-v<version>`, or the job id if the payload is unreadable"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    state: Literal["woken", "given_up", "past"]
    cause: str
    """fault code or error name; otherwise `other`"""
    reason: str
    """message of the last failure"""
    failures: int
    """failed wake-ups that are still stored"""
    firstAt: str
    """time of the first failure"""
    lastAt: str
    """time of the last failure"""
    stack: list[str]
    """stack trace of the last failure, one line per entry"""
    sessionId: NotRequired[str]


class DeadStepsCauses(TypedDict):
    """steps with the same cause"""

    cause: str
    queue: Literal["decisions", "executions", "analyses"]
    steps: int
    firstAt: str


class DeadSteps(TypedDict):
    causes: list[DeadStepsCauses]
    """causes of all matching steps, most frequent first"""
    steps: list[DeadStep]
    """oldest first"""
    more: int
    """number of steps beyond the limit"""


class DecideAnswer2(TypedDict):
    encoded_response: str
    """body in the transport encoding: ZZLBZZ…"""


class DecideBody2(TypedDict):
    encoded_request: str
    """body in the transport encoding: ZZLBZZ…"""


class DecideRequestHistory(TypedDict):
    cycle: NotRequired[int | None]
    """cycle number, ascending"""
    cycle_number: NotRequired[int | None]
    """alias of cycle"""
    program: str
    """for example phenix.refine"""
    command: NotRequired[str | None]
    """the command as printed"""
    result: NotRequired[str | None]
    """'SUCCESS: …' or 'FAILED: …'; a text with failure words counts as a failure"""
    output_files: NotRequired[list[str] | None]
    """files that the program wrote"""
    analysis: NotRequired[dict[str, Any] | str | None]
    """metrics by name (fractions, Å), or the text report of the metrics"""
    metrics: NotRequired[dict[str, Any] | str | None]
    """alias of analysis"""


class DecideRequestSessionStateRecoveryStrategies(TypedDict):
    flags: NotRequired[dict[str, str | float | bool | None] | None]
    """parameters by PHIL name"""
    program_scope: NotRequired[list[str] | None]
    """programs that receive them; empty: every program that accepts them"""
    reason: NotRequired[str | None]
    """reason in one sentence"""
    selected_label: NotRequired[str | Literal[""] | None]
    """main label of the chosen array"""
    selected_label_pair: NotRequired[str | Literal[""] | None]
    """all labels of that array"""


class DecideRequestSessionState(TypedDict):
    resolution: NotRequired[float | None]
    """Å"""
    experiment_type: NotRequired[Literal["xray", "cryoem"] | Literal[""] | None]
    """value locked for the session"""
    rfree_mtz: NotRequired[str | Literal[""] | None]
    """reflection file with the locked R-free flags"""
    best_files: NotRequired[dict[str, str | list[str] | None] | None]
    """best file or files of each category"""
    log_program: NotRequired[str | Literal[""] | None]
    """program that wrote `log_content`"""
    advice_changed: NotRequired[bool | None]
    """the user gave new advice: a finished workflow continues once"""
    mtz_rfree_map: NotRequired[dict[str, bool | None] | None]
    """whether reflection files have R-free flags"""
    input_mtz_has_rfree: NotRequired[bool | None]
    """whether any submitted file has them"""
    directives: NotRequired[dict[str, Any] | None]
    """the user's directives (docs/directives.md)"""
    force_retry_program: NotRequired[str | Literal[""] | None]
    """program that runs next even though it failed"""
    recovery_strategies: NotRequired[dict[str, DecideRequestSessionStateRecoveryStrategies | None] | None]
    """changes for the next run on a file, by path"""
    session_blocked_programs: NotRequired[list[str] | None]
    """programs that no longer run in this session"""
    bad_inject_params: NotRequired[dict[str, list[str] | None] | None]
    """parameters that a program refused, by program"""


class DecideRequestSettings(TypedDict):
    provider: NotRequired[str | None]
    """provider whose models choose from the menu, if the site has configured one; otherwise the rules choose"""
    abort_on_red_flags: NotRequired[bool | None]
    """stop at critical red flags"""
    abort_on_warnings: NotRequired[bool | None]
    """stop at warnings"""
    max_cycles: NotRequired[int | None]
    """stop after this many cycles"""
    use_rules_only: NotRequired[bool | None]
    """decide without a language model"""
    maximum_automation: NotRequired[bool | None]
    """false: predicted models are processed and placed step by step"""


class DecideRequest(TypedDict):
    """A v2 decision request; null means absent."""

    api_version: Literal["2.0"]
    """the only supported version"""
    client_version: NotRequired[str | None]
    files: list[str]
    """paths on the client's machine"""
    cycle_number: int
    """number of the cycle to decide"""
    log_content: NotRequired[str | None]
    """log of the last program"""
    history: NotRequired[list[DecideRequestHistory] | None]
    """finished cycles, oldest first"""
    session_state: NotRequired[DecideRequestSessionState | None]
    user_advice: NotRequired[str | None]
    """the user's advice; used if `session_state` has no directives"""
    settings: NotRequired[DecideRequestSettings | None]


class DecideResponseDecision(TypedDict):
    program: str
    """PHENIX's own name, or STOP"""
    command: str
    """the command as a shell would accept it; STOP to stop"""
    argv: list[str]
    """the command in parts; empty to stop"""
    reasoning: str
    """reasons in sentences"""
    strategy: dict[str, str | float | bool]
    """strategy keys that are in the command"""
    confidence: Literal["high", "medium", "low", "unknown"]


class DecideResponseMetadataAdviceUnderstood(TypedDict):
    field: str
    """the directive, for example stop_conditions.after_program"""
    words: str
    """the text that it comes from"""
    says: str
    """effect, in one sentence"""


class DecideResponseMetadataAdviceNotFollowed(TypedDict):
    words: str
    """as written"""
    why: str
    """one clause"""


class DecideResponseMetadataAdviceRemoved(TypedDict):
    words: str
    """as written"""
    why: str
    """one clause"""


class DecideResponseMetadataAdvice(TypedDict):
    followed: bool
    """false: the directives of the request apply instead"""
    understood: list[DecideResponseMetadataAdviceUnderstood]
    conflicts: list[str]
    """contradictions and how they are resolved"""
    not_followed: list[DecideResponseMetadataAdviceNotFollowed]
    removed: list[DecideResponseMetadataAdviceRemoved]


class DecideResponseMetadataPlanning(TypedDict):
    """who decided"""

    decided_by: Literal["rules", "model"]
    provider: str
    """as in the request"""
    target: str | None
    """target of the model that chose, as named by the site"""
    model: str | None
    """which model chose"""
    requests: int
    """number of model requests for this decision"""
    failed: Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", None]
    """why no model gave a usable answer"""
    why: str | None
    """the reason in one sentence, or why no model was called"""


class DecideResponseMetadataNotOffered(TypedDict):
    program: str
    """its name"""
    why: str
    """one sentence"""


class DecideResponseMetadataFiles(TypedDict):
    path: str
    """as in the request"""
    used: bool
    """false: no program uses it"""
    text: str
    """purpose and programs that use it, or why it is not used"""
    notes: NotRequired[list[str]]
    """remark; absent: none"""


class DecideResponseMetadata(TypedDict):
    experiment_type: Literal["xray", "cryoem", None]
    workflow_state: str | None
    """for example xray_refined"""
    directives: dict[str, Any]
    """directives that the decision followed"""
    advice: DecideResponseMetadataAdvice | None
    """interpretation of `user_advice`; null if it is empty"""
    stop_code: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed", None]
    """detail of stop_reason"""
    planning: DecideResponseMetadataPlanning
    """who decided"""
    valid_programs: list[str]
    """candidate programs in order of preference; only STOP if there is none"""
    not_offered: list[DecideResponseMetadataNotOffered]
    files: list[DecideResponseMetadataFiles]
    """use of each file that is not an output of the history"""
    warnings: list[str]
    """warnings, and unusable input"""
    red_flags: list[str]
    """critical problems as `code: message suggestion`"""


class DecideResponseDebug(TypedDict):
    log: list[str]
    """steps of the decision"""
    timing_ms: float


class DecideResponseEvents(TypedDict):
    type: Literal["cycle_start", "cycle_complete", "state_detected", "metrics_extracted", "metrics_trend", "sanity_check", "program_selected", "program_modified", "stop_decision", "directive_applied", "user_request_invalid", "files_selected", "file_scored", "command_built", "thought", "error", "warning", "debug", "session_submitted", "session_forked", "advice_read", "session_prioritised", "session_recovered", "session_cancelling", "session_resumed", "cycles_removed", "session_ended", "attempt_waiting", "attempt_started", "attempt_ended"]
    cycle: int
    at: str
    """ISO 8601"""
    message: str
    """one sentence"""
    data: dict[str, Any]


class DecideResponseProblems(TypedDict):
    field: str
    """path of the field"""
    reason: str
    """description of the problem"""
    allowed: NotRequired[str]
    """accepted values"""


class DecideResponse(TypedDict):
    api_version: Literal["2.0"]
    server_version: str
    """version of the service"""
    decision: DecideResponseDecision
    stop: bool
    stop_reason: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "red_flag", "max_cycles", "error", None]
    """converged: the target quality is reached; red_flag: there is a critical problem"""
    abort_message: str | None
    """the critical problem that ended the session, as clients show it"""
    metadata: DecideResponseMetadata
    debug: DecideResponseDebug
    events: list[DecideResponseEvents]
    events_as_simple_string: str
    """the events as one JSON text"""
    error: str | None
    """error of the request; null: none"""
    problems: list[DecideResponseProblems]
    """errors field by field"""


class DecisionInputs(TypedDict):
    slot: str
    path: str


class DecisionPlanning(TypedDict):
    """role of language models in a decision; absent if none is configured or there was only one choice"""

    prompt: str
    """id and version of the prompt: `plan 1`"""
    requests: int
    """number of requests, including failed ones; 0: the reply is from an earlier try of this step"""
    target: NotRequired[str]
    """target of the model that chose; absent: the rules chose"""
    model: NotRequired[str]
    """name of the model"""
    hash: NotRequired[str]
    """SHA-256 of the prompt, hexadecimal; `models/` in the session folder has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted"]]
    """why no model chose"""
    why: NotRequired[str]
    """the reason in one sentence"""
    strategy: NotRequired[dict[str, str | float | bool]]
    """values that the model set; absent: none, or a record of an older release"""


class Decision(TypedDict):
    """one decision: the next program with its command"""

    program: str
    argv: list[str]
    """program name and arguments; never joined into a shell string"""
    reasoning: str
    experimentType: Literal["xray", "cryoem"]
    workflowState: str
    """state of the agent's workflow (phenix-agent.md#states), for example `xray_refined`"""
    step: str
    """step inside the workflow, for example `validate`"""
    inputs: list[DecisionInputs]
    strategy: dict[str, str | float | bool]
    validPrograms: list[str]
    notOffered: list[NotOffered]
    decidedBy: Literal["rules", "fallback", "model"]
    """model: a language model chose from the rules' menu, and the rules checked its choice"""
    confidence: Literal["high", "medium", "low"]
    decidedAt: str
    guidance: NotRequired[int]
    """revision of the guidance that it followed; absent: no guidance"""
    planning: NotRequired[DecisionPlanning]
    """role of language models in a decision; absent if none is configured or there was only one choice"""
    provenance: NotRequired[Provenance]


class DeletionReportRefused(TypedDict):
    id: str
    """id of a session or batch; for uploads the name of the owner"""
    reason: str


class DeletionReport(TypedDict):
    """what was deleted; with `dryRun`, what would be deleted"""

    sessions: int
    """number of sessions, with their folders"""
    bytes: int
    """bytes freed"""
    batches: int
    uploads: int
    """number of uploaded files and uploads in progress"""
    refused: list[DeletionReportRefused]
    """what was not deleted: it runs, or the deletion failed"""
    nextCursor: NotRequired[str]
    """pass it as `after` to continue; absent on the last page"""


class DeletionRequest(TypedDict):
    reason: str
    """why, in one sentence"""
    proposal: NotRequired[str]
    """all sessions, batches and uploads of this proposal"""
    submitter: NotRequired[str]
    """all sessions, batches and open uploads of this person"""
    dryRun: NotRequired[bool]
    """true: nothing is deleted"""
    by: NotRequired[str]
    """name of the caller, if access control is off"""
    after: NotRequired[str]
    """`nextCursor` of the previous response"""


class DeliveryState(TypedDict):
    waiting: int
    """notifications to deliver"""
    delivered: int
    """delivered notifications"""
    dead: int
    """dead notifications: no longer retried, can be replayed"""
    lost: int
    """notifications dropped because too many are pending or dead"""
    failing: int
    """consecutive failed attempts"""
    lastDeliveredAt: NotRequired[str]
    lastFailedAt: NotRequired[str]
    lastFailure: NotRequired[str]
    """why the last failed attempt failed"""


class Directives(TypedDict):
    """structured directives"""

    program_settings: NotRequired[dict[str, dict[str, str | float | bool]]]
    """parameters by program; `default` applies to every program that has the key. Each value must have the type of its parameter (docs/parameters.md)"""
    stop_conditions: NotRequired[StopConditions]
    file_preferences: NotRequired[FilePreferences]
    workflow_preferences: NotRequired[WorkflowPreferences]
    constraints: NotRequired[list[str]]
    """free text; only 'no … until R-free < …' has an effect, the rest is displayed"""


class EarlierSession(TypedDict):
    """an earlier session with the same data in the same proposal; duplicates are preferred, then the newest"""

    session: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    same: Literal["everything", "data"]
    """everything: the same file contents, settings and guidance; data: the same reflections or maps only"""


class Ending(TypedDict):
    """ending of a program launch"""

    kind: Literal["exited", "signalled", "wall_clock_limit", "memory_limit", "output_limit", "disk_full", "cancelled", "lost", "not_started", "disrupted", "node_lost", "job_deleted", "image_unavailable", "unschedulable", "gpu_unavailable"]
    message: str
    """cause in one sentence, for the user"""
    infrastructure: bool
    """true: infrastructure failure, a new attempt follows; false: the program ended by itself, and the analysis judges it"""
    endedAt: str
    durationMs: float
    """wall time of the program in milliseconds"""
    exitCode: NotRequired[int]
    signal: NotRequired[str]
    """name of the signal"""
    nextAction: NotRequired[str]
    """next step or contact, in one sentence; absent if the analysis states it"""
    peakMemoryMiB: NotRequired[float]
    """peak resident memory of the program's processes in MiB, if known"""


class Event(TypedDict):
    """an event with its cursor"""

    type: Literal["cycle_start", "cycle_complete", "state_detected", "metrics_extracted", "metrics_trend", "sanity_check", "program_selected", "program_modified", "stop_decision", "directive_applied", "user_request_invalid", "files_selected", "file_scored", "command_built", "thought", "error", "warning", "debug", "session_submitted", "session_forked", "advice_read", "session_prioritised", "session_recovered", "session_cancelling", "session_resumed", "cycles_removed", "session_ended", "attempt_waiting", "attempt_started", "attempt_ended"]
    cycle: int
    """cycle number; 0: the session itself"""
    at: str
    message: str
    """message for users, in one sentence"""
    data: dict[str, Any]
    """machine-readable details"""
    id: str
    """cursor of the event (`1732-0`); pass it as Last-Event-ID or ?after="""


class EventList(TypedDict):
    """a page of the events of a session"""

    events: list[Event]
    next: str
    """cursor of the next page, pass it as ?after=: id of the last event, or the requested cursor"""


class ExpectedWait(TypedDict):
    """expected wait for the first slot of a session submitted now"""

    seconds: NotRequired[int]
    """estimated seconds until the first program starts, at the recent rate; 0: immediately. Absent if unknown"""
    reason: NotRequired[str]
    """what blocks the start, one sentence without a full stop; absent: nothing"""


class FieldProblem(TypedDict):
    """a problem with a stable code"""

    field: str
    reason: str
    allowed: NotRequired[str]
    code: NotRequired[str]
    """one of field.unknown, field.missing, field.type, field.value, field.too_long, setting.unknown, setting.type, setting.range, directive.invalid, file.missing, file.empty, file.unreadable, file.not_regular, file.is_link, file.corrupt, file.too_complex, file.inspection_timeout, file.inspection_failed, file.not_inspected, file.outside_root, file.unknown_format, file.bad_name, file.duplicate, files.none, files.too_many, files.no_data, files.unused, experiment.ambiguous, experiment.contradiction, problems.more, or a fault's own"""


class FileFactsMtzColumns(TypedDict):
    label: str
    type: str


class FileFactsMtzObservations(TypedDict):
    labels: str
    """column labels in the form that programs accept, for example `FP,SIGFP`"""
    kind: Literal["amplitude", "intensity"]
    anomalous: bool


class FileFactsMtz(TypedDict):
    reflections: float | None
    highResolution: float | None
    """Å; 0 if the file was not read"""
    lowResolution: float | None
    """Å"""
    columns: list[FileFactsMtzColumns]
    observations: list[FileFactsMtzObservations]
    mapCoefficients: list[str]
    """labels of map-coefficient pairs, for example `FWT,PHWT`"""
    phases: list[str]
    """labels of experimental or model phases (PHIB, HLA...)"""
    freeFlag: NotRequired[str]
    """label of the R-free flag column in use; absent: none"""
    otherFreeFlags: NotRequired[list[str]]
    """labels of other R-free flag columns; absent: none"""
    otherArrays: NotRequired[list[str]]
    """labels of observations in other blocks of the file; absent: none"""
    unmerged: NotRequired[Literal[True]]
    """unmerged: each reflection has several separate measurements"""
    unscaled: NotRequired[Literal[True]]
    """the unmerged intensities are unscaled"""
    withoutValues: NotRequired[list[str]]
    """labels of columns without data (all values missing or equal); absent: none"""
    withoutFreeFlag: NotRequired[Literal[True]]
    """the client states that the file has no R-free flags; for files that the service cannot read"""
    freeSet: NotRequired[str]
    """fingerprint of the free set: the smallest hashes of the indices, hexadecimal and sorted, see `isSameFreeSet`; absent if there is no column or the file is too large"""


class FileFactsModel(TypedDict):
    atoms: float | None
    chains: list[str]
    polymerResidues: float | None
    """protein or nucleic acid"""
    waters: float | None
    ligandCodes: list[str]
    """distinct residue names other than polymer, water and common ions"""
    predicted: bool
    """a predicted model (such as AlphaFold): the B column contains pLDDT, or the file states it"""
    meanB: float | None
    """mean of the B column"""
    nucleicResidues: NotRequired[float | None]
    """DNA and RNA residues among the polymer residues; absent: none"""
    modifiedResidues: NotRequired[list[str]]
    """distinct non-standard residue names in the polymer; absent: none"""
    sequences: NotRequired[list[str]]
    """distinct protein chains in one-letter code; absent: none, or more than 10,000 letters"""


class FileFactsMapFingerprint(TypedDict):
    """fingerprint that identifies half maps; absent without noise at the edge of the box (a mask or a masked map)"""

    means: str
    """block means, two hexadecimal digits each: 128 is the overall mean, 1 and 255 the extremes"""
    noise: str
    """differences of neighbouring points at the edge of the box, in the same encoding"""
    noiseRms: float | None
    """standard deviation of the differences at the edge of the box, in map units"""


class FileFactsMap(TypedDict):
    grid: list[float | None]
    """grid points along x, y, z"""
    mode: float | None
    voxel: float | None
    """Å per grid point along x"""
    mask: NotRequired[Literal[True]]
    """the values are between 0 and 1 and mostly 0 or 1: a mask, not a density map"""
    fingerprint: NotRequired[FileFactsMapFingerprint]
    """fingerprint that identifies half maps; absent without noise at the edge of the box (a mask or a masked map)"""


class FileFactsRestraints(TypedDict):
    codes: list[str]
    """component codes that a restraint dictionary defines"""


class FileFactsSequence(TypedDict):
    chains: float | None
    residues: float | None
    distinct: NotRequired[float | None]
    """number of distinct chains; 1 for a homodimer"""
    sequences: NotRequired[list[str]]
    """distinct chains in one-letter code; absent if longer than 10,000 letters"""


class FileFacts(TypedDict):
    """facts about the file, from its content"""

    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    assumed: NotRequired[Literal[True]]
    """guessed from the file name because the file is unreadable; counts are then 1 (some) or 0 (none)"""
    notes: NotRequired[list[str]]
    """remarks of the reader, one sentence each: ignored blocks, a header that contradicts the values"""
    cell: NotRequired[list[float | None]]
    """a, b, c in Å, alpha, beta, gamma in degrees"""
    spaceGroup: NotRequired[str]
    mtz: NotRequired[FileFactsMtz]
    model: NotRequired[FileFactsModel]
    map: NotRequired[FileFactsMap]
    restraints: NotRequired[FileFactsRestraints]
    sequence: NotRequired[FileFactsSequence]


class FilePin(TypedDict):
    """identity of the accepted file; a changed file is not used"""

    inode: str
    """inode number, as text because it can exceed the exact range of a JSON number"""
    size: int
    """size in bytes"""
    modified: str
    """time of the last change in nanoseconds since 1970, as text"""
    sha256: NotRequired[str]
    """SHA-256 of the content, hexadecimal; absent if the file is too large"""


class FilePreferences(TypedDict):
    """base names or paths of submitted files"""

    model: NotRequired[str]
    """name or path of the submitted model to use"""
    sequence: NotRequired[str]
    data_mtz: NotRequired[str]
    map_coeffs_mtz: NotRequired[str]
    exclude: NotRequired[list[str]]
    """never used"""


class FileUse(TypedDict):
    """use of a submitted file"""

    path: str
    """as in the record"""
    used: bool
    """false: no program uses it"""
    text: str
    """purpose and programs that use it, or why it is not used"""
    notes: NotRequired[list[str]]
    """remarks, one sentence each: what the reader found, and which columns are used"""


class Finding(TypedDict):
    """one check of the site; with `why` and `remedy` if there is a problem"""

    check: str
    """id of the check, such as `redis.eviction`; stable across releases"""
    level: Literal["ok", "warning", "error"]
    seen: str
    """finding in one sentence"""
    why: NotRequired[str]
    """why it matters"""
    remedy: NotRequired[str]
    """what to do"""


FirstStep = TypedDict(
    "FirstStep",
    {
        "program": NotRequired['str'],
        "command": NotRequired['str'],
        "class": NotRequired['Literal["cpu", "gpu", "either"]'],
        "reasoning": NotRequired['str'],
        "priority": NotRequired['Literal["live", "standard", "backfill"]'],
        "stop": NotRequired['str'],
    },
)


class Fit(TypedDict):
    """fit of the result to the data: R-free for crystals, map correlation for cryo-EM"""

    metric: str
    """metric name, for example `r_free`"""
    value: float
    resolution: NotRequired[float]
    """Å; absent: not known yet"""
    rWork: NotRequired[float]
    """R-work measured with the R-free"""
    quality: NotRequired[Literal["good", "acceptable", "needs improvement"]]
    """quality band of the value at this resolution; absent: no bands are defined"""
    trend: NotRequired[Literal["better", "worse", "unchanged"]]
    """change since the previous measurement; absent for the first"""


class FlagSetting(TypedDict):
    """a setting that is true or false"""

    type: Literal["boolean"]
    default: bool
    what: str
    """meaning of the setting"""


class FolderEntries(TypedDict):
    """an entry of a folder"""

    name: str
    """name; for a data folder its full path"""
    path: str
    """absolute path, as used in a submission"""
    kind: Literal["folder", "file"]
    size: NotRequired[int]
    """size of a file in bytes"""
    changedAt: NotRequired[str]
    """for a file only"""
    likely: NotRequired[Literal[True]]
    """kind of data by file extension; the content was not inspected"""


class Folder(TypedDict):
    """a folder with submittable data"""

    path: str
    """resolved path; empty: the list of data folders"""
    entries: list[FolderEntries]
    """folders first, then files, by name; hidden names are omitted"""
    skipped: int
    """entries of this page that were skipped: links that leave the data folders, and special files"""
    above: NotRequired[str]
    """parent folder; absent for a data folder"""
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""
    more: NotRequired[Literal[True]]
    """the folder has more entries than are listed; submit the others by their path"""


class ForkRequest(TypedDict):
    cycle: int
    """the fork continues after this finished cycle"""
    title: NotRequired[str]
    """display name; default: name of the first file"""
    advice: NotRequired[str]
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    advice_file: NotRequired[str]
    """name of the file with the advice"""
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """priority of its programs in the queue for a slot"""


GuidanceSources = TypedDict(
    "GuidanceSources",
    {
        "from": 'Literal["text", "file", "readme"]',
        "text": 'str',
        "file": NotRequired['str'],
        "cut": NotRequired['Literal[True]'],
    },
)


class GuidanceModelReading(TypedDict):
    """role of language models in the interpretation; absent: no model was called"""

    prompt: str
    """id and version of the prompt: `directives 1`"""
    requests: int
    """number of requests, including failed ones; 0: the reply is from an earlier try of this step"""
    target: NotRequired[str]
    """target of the model that interpreted it; absent: only the rules did"""
    model: NotRequired[str]
    """name of the model"""
    hash: NotRequired[str]
    """SHA-256 of the prompt, hexadecimal; `models/` in the session folder has the raw reply"""
    dropped: NotRequired[list[AdviceWords]]
    """interpretations of the model that the text does not support, with the reason for ignoring them; absent: none"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted"]]
    """why no model interpreted it"""
    why: NotRequired[str]
    """the reason in one sentence"""


class Guidance(TypedDict):
    """guidance: advice in plain words with its interpretation, and directives from the client"""

    revision: int
    """1 at submission; increases by one with every change"""
    at: str
    sources: list[GuidanceSources]
    """the advice as given, highest precedence first"""
    hash: str
    """SHA-256 of the interpreted text, hexadecimal; empty without advice"""
    reader: Literal["rules", "model"]
    """interpreter; model: the rules and a language model"""
    reading: AdviceReading
    overruled: list[str]
    """which value replaced which, one sentence each"""
    modelReading: NotRequired[GuidanceModelReading]
    """role of language models in the interpretation; absent: no model was called"""
    directives: NotRequired[Directives]
    directivesSince: NotRequired[int]
    """revision in which the client set the directives; absent: no directives"""
    changedAfter: NotRequired[int]
    """the submitter gave new advice after this cycle (0: before the first)"""
    endsAfter: NotRequired[int]
    """the advice is 'stop': the session ends after this number of cycles"""


class IdentityProviderDevice(TypedDict):
    """login with phx"""

    clientId: str
    """client id of phx; not secret"""
    scopes: str
    """requested scopes, separated by blanks"""


class IdentityProviderBrowser(TypedDict):
    """login of browsers with a cookie; absent: API keys only"""

    loginUrl: str
    """URL where a browser logs in; `return_to` is the path to open afterwards"""
    name: str
    """display name of the provider"""


class IdentityProvider(TypedDict):
    """identity provider whose tokens the gateway accepts; absent: API keys only"""

    issuer: str
    """issuer URL (OpenID Connect)"""
    device: NotRequired[IdentityProviderDevice]
    """login with phx"""
    browser: NotRequired[IdentityProviderBrowser]
    """login of browsers with a cookie; absent: API keys only"""


class Identity(TypedDict):
    """login methods"""

    provider: NotRequired[IdentityProvider]
    """identity provider whose tokens the gateway accepts; absent: API keys only"""


LaunchMaintenance = TypedDict(
    "LaunchMaintenance",
    {
        "from": 'str',
        "until": 'str',
        "zone": 'str',
    },
)


class Launch(TypedDict):
    """whether programs are launched"""

    mode: Literal["open", "paused", "draining"]
    reason: str
    """reason in one sentence, shown to waiting users; empty: none given"""
    by: str
    """name of the administrator; empty: not named, or never changed"""
    since: str
    """ISO 8601; empty: never changed"""
    maintenance: NotRequired[LaunchMaintenance]
    """maintenance window that stops launches; absent: stopped by an administrator, or not stopped"""


class LaunchRequest(TypedDict):
    mode: Literal["open", "paused", "draining"]
    reason: NotRequired[str]
    """why, in one sentence"""
    by: NotRequired[str]
    """name of the caller"""


class Ligand(TypedDict):
    """evidence for the ligand: of the best ligand in the model, otherwise of the best fit"""

    inModel: bool
    """the model contains the ligand; false: unconfirmed, not merged yet, or no density. The summary gives the reason"""
    code: NotRequired[str]
    """component code"""
    cc: NotRequired[float]
    """correlation of the fit with the map"""
    atoms: NotRequired[int]
    """atoms of the ligand"""
    atomsInDensity: NotRequired[int]
    """number of these atoms where the map is above 1 rms"""
    omitCc: NotRequired[float]
    """CC(1,3) of its omit (polder) map"""


class ListSetting(TypedDict):
    """a setting that is a list of names"""

    type: Literal["list"]
    default: list[str]
    what: str
    """meaning of the setting"""


class LogSummary(TypedDict):
    """summary of the log of a finished cycle: outcome, numbers, errors and warnings"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    program: str
    """program that wrote the log"""
    state: Literal["ready", "pending", "failed"]
    """ready: no request is open; pending: a model has not answered yet; failed: no model answered. The text is by the rules unless a model is named"""
    cycle: int
    """attempt that wrote the log"""
    writtenAt: str
    writtenBy: Literal["rules", "model"]
    parts: list[LogSummaryPart]
    """all three parts, in order"""
    requestedAt: NotRequired[str]
    """time of the request to a model"""
    target: NotRequired[str]
    """target of the model that wrote it"""
    model: NotRequired[str]
    """name of the model"""
    hash: NotRequired[str]
    """SHA-256 of the prompt; `models/` in the session folder has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", "error"]]
    """why no model wrote it"""
    why: NotRequired[str]
    """the reason in one sentence"""


class LogSummaryPart(TypedDict):
    """a part of the summary of a log"""

    part: Literal["outcome", "numbers", "findings"]
    title: str
    text: str
    """one line of plain text without hidden characters; may quote the submitter and programs"""
    unsupported: NotRequired[list[UnsupportedNumber]]
    """numbers in a model's text that do not occur in the session, in order; absent: none"""


class Logout(TypedDict):
    """result of a browser logout"""

    provider: NotRequired[str]
    """logout URL of the identity provider; absent: none"""


class Maintenance(TypedDict):
    windows: list[MaintenanceWindow]
    """windows that have not ended, next first"""


MaintenanceChange = TypedDict(
    "MaintenanceChange",
    {
        "from": NotRequired['str'],
        "until": NotRequired['str'],
        "text": NotRequired['str'],
        "drainMinutes": NotRequired['int'],
        "by": NotRequired['str'],
    },
)


MaintenanceRequest = TypedDict(
    "MaintenanceRequest",
    {
        "from": 'str',
        "until": 'str',
        "text": 'str',
        "drainMinutes": NotRequired['int'],
        "by": NotRequired['str'],
    },
)


MaintenanceWindow = TypedDict(
    "MaintenanceWindow",
    {
        "id": 'str',
        "from": 'str',
        "until": 'str',
        "drainMinutes": 'int',
        "text": 'str',
        "zone": 'str',
        "by": 'str',
        "announcedAt": 'str',
    },
)


class Me(TypedDict):
    """the caller's identity"""

    id: str
    """name of the caller; empty: access control is off"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    """role of the owner"""
    proposals: list[str]
    """proposals of the owner; `*`: a service may submit to all its beamlines"""
    beamlines: list[str]
    """beamlines of the owner; empty for users and administrators"""
    scopes: list[Literal["read", "submit", "change", "decide", "admin"]]
    """permitted actions within the role"""
    openAccess: NotRequired[Literal["this-machine", "everybody"]]
    """only if access control is off: who can reach the gateway and has full access"""
    uploads: NotRequired[UploadRules]
    timeZone: NotRequired[str]
    """time zone of the facility, for display; absent: an older release"""


class Metric(TypedDict):
    name: str
    """for example `r_free`"""
    value: str | float | bool
    line: int
    """log line, from 1"""
    pattern: str
    """id of the log pattern or table reader that found it"""
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    """absent for fractions, counts and words"""


class MetricDefinitionsMetricsBands(TypedDict):
    good: float
    acceptable: float
    poor: float
    at: NotRequired[float]
    """Å; limits are interpolated linearly and constant beyond the ends; absent: the same at every resolution"""


class MetricDefinitionsMetrics(TypedDict):
    label: str
    better: Literal["lower", "higher", "neither"]
    decimals: float
    why: str
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    significant: NotRequired[float]
    """a smaller change counts as none"""
    of_map: NotRequired[bool]
    """a correlation with the program's own map; always show the program with it"""
    bands: NotRequired[list[MetricDefinitionsMetricsBands]]


class MetricDefinitions(TypedDict):
    metrics: dict[str, MetricDefinitionsMetrics]
    """by name"""


class NewApiKey(TypedDict):
    """a new API key"""

    key: str
    """the whole key: shown only once, never stored"""
    record: ApiKey


class NewWebhook(TypedDict):
    """a new webhook"""

    secret: str
    """signing secret: shown only once; empty for e-mail, which is not signed"""
    webhook: Webhook


class NotOffered(TypedDict):
    program: str
    why: str
    """why it was not a choice, in one sentence"""


class NumberSetting(TypedDict):
    """a setting that is a number"""

    type: Literal["integer", "number"]
    default: float
    min: float
    max: float
    what: str
    """meaning of the setting"""


class Ok(TypedDict):
    status: Literal["ok"]


class Operation(TypedDict):
    """an operation of a session"""

    path: str
    """path of the operation: `2` is cycle 2, `2.1` its first operation, `2.1.3` the third part of that; `a1` is the first assessment"""
    kind: Literal["cycle", "decision", "request", "wait", "program", "analysis", "assessment"]
    what: str
    """short label: a program, or a target with its model"""
    status: Literal["open", "done", "failed"]
    startedAt: NotRequired[str]
    """absent: not recorded"""
    endedAt: NotRequired[str]
    note: NotRequired[str]
    """outcome in one sentence"""
    hash: NotRequired[str]
    """of a model request: SHA-256 of the prompt; `models/` in the session folder has the raw reply"""
    spent: NotRequired[Spent]


class OrphanOwner(TypedDict):
    sessionId: str
    cycle: int
    attempt: int
    proposal: str


class Orphan(TypedDict):
    """a run on the backend that belongs to no session"""

    name: str
    owner: OrphanOwner
    createdAt: str
    reason: str
    """why it belongs to no session, in one sentence"""
    firstSeenAt: str
    sightings: int
    """number of checks that found it orphaned; from `sightingsOfOrphan` on it may be removed"""
    removing: bool
    """removal requested; an executor will remove it"""


class OrphanRemoval(TypedDict):
    removing: list[str]
    """names of the runs that an executor removes; `orphans` lists them until they are removed"""


class Orphans(TypedDict):
    orphans: list[Orphan]


class Outcome(TypedDict):
    """the outcome of a session (docs/outcomes.md)"""

    word: Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]
    sentence: str
    """meaning of the outcome"""
    next: str
    """what to do"""


class OutputFile(TypedDict):
    """an output file of a cycle"""

    cycle: int
    program: str
    name: str
    """path relative to the attempt's folder; unique in its cycle"""
    path: str
    size: int
    """size in bytes"""
    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    href: str
    """download URL"""


class PinRequest(TypedDict):
    """reason to keep a session"""

    reason: str
    """why, in one sentence"""
    by: NotRequired[str]
    """name of the caller, if access control is off"""


class PriorityRequest(TypedDict):
    priority: Literal["live", "standard", "backfill"]
    """new priority of its programs in the queue for a slot"""


class Problem(TypedDict):
    """a problem document (RFC 9457)"""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    """one of request.bad_json, request.invalid, request.unsupported_media_type, request.too_large, request.uri_too_long, request.headers_too_large, request.timeout, request.rejected, request.too_many, request.foreign_page, request.unmarked, request.foreign_host, access.no_credentials, access.bad_credentials, access.login_ended, access.denied, access.provider_unavailable, access.members_unavailable, login.off, login.not_begun, login.refused, key.not_found, key.exists, key.no_installation_key, webhook.not_found, webhook.off, webhook.too_many, webhook.no_installation_key, route.not_found, dashboard.absent, submission.invalid, session.not_found, session.ambiguous, session.ended, session.not_ended, session.purged, session.cancelling, session.changed, advice.changed, advice.no_precondition, cycle.not_found, cycle.not_finished, log.not_found, file.not_found, file.changed, fork.file_changed, file.no_such_range, files.busy, upload.off, upload.not_found, upload.version, upload.too_large, upload.too_long, upload.day_full, upload.exists, upload.wrong_offset, upload.complete, upload.busy, upload.bad_checksum, upload.bad_file, upload.refused, upload.no_space, audit.unwritable, queue.not_found, job.not_found, job.not_delayed, step.not_found, maintenance.not_found, maintenance.too_many, administration.off, batch.not_found, batch.invalid, batch.full, batch.cancelled, manifest.invalid, idempotency.conflict, events.too_many_streams, inspection.busy, decisions.busy, decision.too_costly, storage.unavailable, service.unavailable, service.not_ready, service.error, or a fault's own"""
    requestId: str
    """request id, as in X-Request-Id; for 5xx errors, search the gateway log for it"""
    problems: NotRequired[list[FieldProblem]]
    """all problems at once"""
    traceId: NotRequired[str]
    """trace id of the request, as in Trace-Id; absent: tracing is off"""


class Program(TypedDict):
    """a program known to the agent or installed on the backend"""

    program: str
    installed: bool
    provider: NotRequired[Literal["phenix", "open-phenix", "simulated"]]
    version: NotRequired[str]
    withheld: NotRequired[str]
    """why the site does not allow it; it counts as not installed"""


class Programs(TypedDict):
    backend: Literal["local", "kubernetes"]
    programs: list[Program]
    probedAt: NotRequired[str]
    """absent: no executor has published its programs yet"""


class PromptMessages(TypedDict):
    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(TypedDict):
    """a prompt to language models"""

    prompt: str
    """id and version of the prompt: `plan 1`"""
    hash: str
    """SHA-256 of the prompt, hexadecimal"""
    used: bool
    """whether the decision, or the interpretation of the advice, used the reply"""
    requests: int
    """requests of the ledger with this prompt"""
    messages: NotRequired[list[PromptMessages]]
    """messages of the prompt; absent: no stored reply"""
    target: NotRequired[str]
    """model that replied"""
    model: NotRequired[str]
    """name of the model"""
    reply: NotRequired[str]
    """the raw reply"""
    cut: NotRequired[bool]
    """true: the reply exceeded the limit of the target and is cut"""


class Prompts(TypedDict):
    """prompts and replies of language models in a cycle"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    cycle: int
    prompts: list[Prompt]
    """in order of the requests"""


class ProposalShare(TypedDict):
    """exceptions for one proposal"""

    weight: NotRequired[float]
    """share of the slots relative to proposals of weight 1"""
    maxRunning: NotRequired[int]
    """concurrent programs, overrides maxPerProposal; 0: no limit"""
    startsPerDay: NotRequired[int]
    """programs started per day (UTC), overrides startsPerDayPerProposal; 0: no limit"""


class Provenance(TypedDict):
    """further inputs of a decision, besides earlier cycles and guidance: with them the decision can be replayed"""

    release: str
    """release of phenix-fleet"""
    knowledge: str
    """SHA-256 of the knowledge files, hexadecimal"""
    request: str
    """SHA-256 of the request: settings, files, directives, ligands, steering"""
    rule: str
    """id of the workflow's detection rule that matched"""
    image: NotRequired[str]
    """digest of the program's image, `sha256:…`; absent: no container, or an image named by tag only"""
    unavailable: NotRequired[list[str]]
    """programs not installed or not allowed by the site; absent: none"""
    skippedFiles: NotRequired[list[str]]
    """files of the session that were missing or changed on disk; absent: none"""
    pastStop: NotRequired[Literal[True]]
    """a stop rule already matched: the session was resumed after its end"""


class PurgeReportRules(TypedDict):
    rule: str
    """in words"""
    folders: int
    """number of session folders"""
    bytes: int
    """bytes freed"""
    records: int
    """number of sessions that were removed completely"""


class PurgeReportFailed(TypedDict):
    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    reason: str


class PurgeReport(TypedDict):
    """what was deleted; with `dryRun`, what would be deleted"""

    rules: list[PurgeReportRules]
    held: int
    """expired sessions that were kept: pinned, in use, or in a running batch"""
    failed: list[PurgeReportFailed]
    """failed deletions; a gateway retries them the next day"""
    nextCursor: NotRequired[str]
    """pass it as `after` to continue; absent on the last page"""


class PurgeRequest(TypedDict):
    dryRun: NotRequired[bool]
    """true: nothing is deleted"""
    after: NotRequired[str]
    """`nextCursor` of the previous response"""


class QueueListQueuesJobs(TypedDict):
    """number of jobs in each state"""

    active: int
    waiting: int
    delayed: int
    failed: int


class QueueListQueues(TypedDict):
    """a queue"""

    name: Literal["decisions", "executions", "analyses"]
    isPaused: bool
    """whether the queue is paused in BullMQ; the service itself never pauses a queue"""
    jobs: QueueListQueuesJobs
    """number of jobs in each state"""
    oldestWaitingAt: NotRequired[str]
    """time when the oldest waiting job was added; absent: none waits"""


class QueueList(TypedDict):
    queues: list[QueueListQueues]


class QueueStatus(TypedDict):
    """queue position of a program that waits for a slot"""

    reason: str
    """what blocks the start, one sentence without a full stop"""
    position: int
    """1-based position among the runs blocked by the same limit"""
    of: int
    """number of runs blocked by the same limit"""
    since: str
    """start of the wait"""
    oldestSince: str
    """start of the longest wait for the same limit"""
    estimatedStart: NotRequired[str]
    """estimated seconds at the recent rate; absent if unknown"""


class QueueStatusAnswer(TypedDict):
    """absent: its program does not wait for a slot, or is next"""

    queueStatus: NotRequired[QueueStatus]


class QueuedJob(TypedDict):
    """a wake-up in its queue"""

    id: str
    """id of the wake-up: `<session>-v<version>-w<wake-ups>`"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    """name of the step"""
    place: Literal["active", "waiting", "delayed", "failed"]
    relevance: Literal["due", "stale", "unknown"]
    tries: int
    """number of finished tries"""
    mostTries: int
    """maximum number of tries"""
    addedAt: str
    sessionId: NotRequired[str]
    """absent if the payload is unreadable"""
    title: NotRequired[str]
    """status of its session; absent: no such session"""
    startedAt: NotRequired[str]
    """start of the last try"""
    endedAt: NotRequired[str]
    """end of the last try"""
    beginsAt: NotRequired[str]
    """for a delayed job: time of the next try"""
    reason: NotRequired[str]
    """message of the last failure"""


class QueuedJobDetail(TypedDict):
    """a wake-up in its queue, with all details"""

    id: str
    """id of the wake-up: `<session>-v<version>-w<wake-ups>`"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    """name of the step"""
    place: Literal["active", "waiting", "delayed", "failed"]
    relevance: Literal["due", "stale", "unknown"]
    tries: int
    """number of finished tries"""
    mostTries: int
    """maximum number of tries"""
    addedAt: str
    payload: str
    """payload as JSON, shortened: ids and versions, never file contents"""
    stack: list[str]
    """stack trace of the last failure, one line per entry"""
    sessionId: NotRequired[str]
    """absent if the payload is unreadable"""
    title: NotRequired[str]
    """status of its session; absent: no such session"""
    startedAt: NotRequired[str]
    """start of the last try"""
    endedAt: NotRequired[str]
    """end of the last try"""
    beginsAt: NotRequired[str]
    """for a delayed job: time of the next try"""
    reason: NotRequired[str]
    """message of the last failure"""


class QueuedJobs(TypedDict):
    jobs: list[QueuedJob]
    hidden: int
    """jobs of this page that are hidden because the caller may not see their sessions"""
    total: int
    """number of jobs in this state"""
    nextOffset: NotRequired[int]
    """pass it as ?offset= to continue; absent on the last page"""


class ReadingRequest(TypedDict):
    advice: str
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    experiment: NotRequired[Literal["xray", "cryoem"]]
    """absent: as the advice states"""


class RecoveryRecovered(TypedDict):
    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    cycle: int
    trusted: bool
    """true: accepted on trust, without a valid signature"""
    missingFiles: list[str]
    """missing files of the record, at most 20"""


class RecoveryUntrusted(TypedDict):
    """skipped because the file has no valid signature of this installation; otherwise usable"""

    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    cycle: int
    folder: str
    title: str
    reason: str
    """why the signature is not valid, in one sentence"""
    digest: str
    """digest to send back in `trust` to accept this content"""


class RecoverySkipped(TypedDict):
    folder: str
    code: str
    reason: str


class Recovery(TypedDict):
    recovered: list[RecoveryRecovered]
    """sessions written to the database; unfinished ones continue by themselves"""
    existing: list[str]
    """ids that are already in the database: unchanged, because the database is newer"""
    untrusted: list[RecoveryUntrusted]
    skipped: list[RecoverySkipped]
    """folders with an unusable file, and the reason; `code` distinguishes a file of a newer release (`session_file.newer`) from a damaged one"""
    notListed: int
    """number of skipped folders that are not listed"""


class RecoveryRequest(TypedDict):
    trust: NotRequired[dict[str, str]]
    """session id to digest, as in an earlier response: files to accept without a valid signature"""
    by: NotRequired[str]
    """who trusts them; recorded in the events of the sessions"""


class ReplayCounts(TypedDict):
    same: int
    differs: int
    undetermined: int


class Replay(TypedDict):
    """a replay of the decisions of a session"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    release: str
    """release that replayed the decisions"""
    knowledge: str
    """SHA-256 of the knowledge used, hexadecimal"""
    counts: ReplayCounts
    cycles: list[ReplayedCycle]
    """in order; the last entry may be the end of the session"""


class ReplayRequest(TypedDict):
    notices: NotRequired[list[str]]
    """which; absent: all"""


class Replayed(TypedDict):
    replayed: int
    """number of notifications that are pending again"""


class ReplayedCycle(TypedDict):
    """a replayed decision"""

    cycle: int
    """cycle number; for the end of a session, the number after its last cycle"""
    result: Literal["same", "differs", "undetermined"]
    recorded: ReplayedStep
    replayed: NotRequired[ReplayedStep]
    rule: NotRequired[str]
    """the first rule that differs, for example `xray detection refine`"""
    reason: NotRequired[str]
    """why it differs or is undetermined, in one sentence"""
    provenance: NotRequired[Provenance]


class ReplayedStep(TypedDict):
    """action of a cycle, recorded or replayed"""

    program: str
    """name of the program, or STOP"""
    detail: str
    """command, or why the session ends"""


class RequestedLigand(TypedDict):
    """a ligand: `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """name of the component in the model; default LIG, then DRG and INH"""


Resources = TypedDict(
    "Resources",
    {
        "class": 'Literal["cpu", "gpu"]',
        "cpus": 'float',
        "memoryMiB": 'float',
    },
)


class ResultMetric(TypedDict):
    """last value of a metric and its source"""

    name: str
    """for example `r_free`"""
    value: str | float | bool
    cycle: int
    """last program that measured it"""
    program: str
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    """absent for fractions, counts and words"""


class Results(TypedDict):
    """results of a session, final or so far"""

    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    simulated: bool
    folder: str
    bestFiles: list[BestFile]
    metrics: list[ResultMetric]
    files: list[OutputFile]
    submitted: list[FileUse]
    """the outcome of each submitted file"""
    summary: str
    """URL of the summary"""
    stop: NotRequired[Stop]
    outcome: NotRequired[Outcome]


class Resumption(TypedDict):
    files: NotRequired[list[str]]
    """more files: absolute paths below the data folders"""
    advice: NotRequired[str]
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    advice_file: NotRequired[str]
    """name of the file with the advice"""
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class RetryRequest(TypedDict):
    of: NotRequired[list[Literal["rejected", "failed", "unsatisfactory", "cancelled", "duplicate"]]]
    """rows that are rejected, or whose session ended with this outcome"""


class RowDefaults(TypedDict):
    """default fields of every row; files are added to those of the row; {name} is replaced by a variable of the row"""

    files: NotRequired[list[str]]
    """absolute paths below the data folders"""
    input_directory: NotRequired[str]
    """a folder below the data folders; its data, models, sequences, dictionaries and README are found"""
    title: NotRequired[str]
    """display name; default: name of the first file"""
    beamline: NotRequired[str]
    """beamline or microscope"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """live: during beamtime, if the site allows it; backfill: uses idle slots"""
    advice: NotRequired[str]
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    advice_file: NotRequired[str]
    """name of the file with the advice"""
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class RowsAdded(TypedDict):
    """result of adding rows"""

    added: int
    """new rows"""
    known: int
    """rows with the same content as existing rows"""
    unreadable: int
    """unreadable rows; their problems are listed in the rows"""
    rows: int
    """number of rows of the batch"""


class RowsRetried(TypedDict):
    """number of rows that are rerun"""

    retried: int
    """number of rows that are rerun"""


class SessionWaiting(TypedDict):
    """a decision that waits for a language model (setting `model_outage`)"""

    since: str
    """start of the wait"""
    reason: str
    """why no language model answers"""


class Session(TypedDict):
    """a session: its record, derived values, and links"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """increases by one with every transition; a step with another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper woke the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    request: SessionRequest
    cycles: list[Cycle]
    simulated: bool
    """true if any of its programs was a scripted stand-in"""
    links: SessionLinks
    stop: NotRequired[Stop]
    guidance: NotRequired[Guidance]
    waiting: NotRequired[SessionWaiting]
    """a decision that waits for a language model (setting `model_outage`)"""
    outcome: NotRequired[Outcome]
    similar: NotRequired[list[SimilarSession]]
    """in the response to a submission: other sessions with the same data, duplicates first, then newest first; absent: none"""
    fileUses: NotRequired[list[FileUse]]
    """in the response to a submission: the use of each file"""


class SessionCountsSessions(TypedDict):
    """by status"""

    running: int
    cancelling: int
    completed: int
    unsatisfactory: int
    failed: int
    cancelled: int


class SessionCountsOutcomes(TypedDict):
    """number of ended sessions by outcome (docs/outcomes.md)"""

    solved: int
    goal_reached: int
    unfinished: int
    unsatisfactory: int
    failed_science: int
    failed_infrastructure: int
    rejected: int
    cancelled: int
    unknown: int


class SessionCounts(TypedDict):
    """number of visible sessions by status, and why no programs start if launches are stopped"""

    sessions: SessionCountsSessions
    """by status"""
    outcomes: SessionCountsOutcomes
    """number of ended sessions by outcome (docs/outcomes.md)"""
    waiting: int
    """running sessions whose next program waits for a slot"""
    oldestWaitingSince: NotRequired[str]
    """start of the longest wait; absent: none waits"""
    launches: NotRequired[Launch]


class SessionFile(TypedDict):
    """a file of a session: submitted, or written by a cycle"""

    path: str
    """absolute, resolved path"""
    size: int
    """size in bytes"""
    cycle: int
    """0: submitted"""
    facts: FileFacts
    program: NotRequired[str]
    """program that wrote it; absent for submitted files"""
    pin: NotRequired[FilePin]


class SessionHead(TypedDict):
    """the part of a session that changes often"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """increases by one with every transition; a step with another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper woke the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    advised: NotRequired[int]
    """revision of the guidance, if it has changed since submission"""


class SessionLinks(TypedDict):
    """URLs related to a session"""

    self: str
    status: str
    events: str
    results: str
    summary: str


class SessionList(TypedDict):
    sessions: list[SessionRow]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class SessionRequestSteeringRetry(TypedDict):
    """runs next despite its failures, until a cycle after `after` has run it"""

    program: str
    after: int


class SessionRequestSteeringRecoveries(TypedDict):
    """changes for the next run on a file, from an external diagnosis"""

    file: str
    """file that caused the error (path or base name): the changes apply only to commands with this file"""
    programs: list[str]
    """programs that it applies to; empty: every program that accepts the parameters"""
    set: dict[str, str | float | bool]
    """by program parameter or strategy key"""
    why: str


class SessionRequestSteering(TypedDict):
    """state that is not in the cycles: new advice, retries, blocked programs"""

    cyclesDone: NotRequired[int]
    """number of finished cycles, if the record has fewer: a client may send only the end of its history"""
    adviceChangedAfter: NotRequired[int]
    """the submitter gave new advice after this cycle (0: before the first); a finished workflow is open until a later cycle succeeds"""
    retry: NotRequired[SessionRequestSteeringRetry]
    """runs next despite its failures, until a cycle after `after` has run it"""
    recoveries: NotRequired[list[SessionRequestSteeringRecoveries]]
    blocked: NotRequired[list[str]]
    """programs that no longer run in this session"""
    refused: NotRequired[dict[str, list[str]]]
    """parameters that a program refused, by program"""
    bestFiles: NotRequired[dict[str, list[str]]]
    """paths of the best files of a category, as chosen by the client"""


class SessionRequestDirectory(TypedDict):
    """submitted folder and the inputs found in it"""

    path: str
    files: list[str]


class SessionRequestForkedFrom(TypedDict):
    """session that it was forked from; the first cycles are copies of its records and files"""

    session: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    afterCycle: int
    """last copied cycle"""
    requestDigest: str
    """SHA-256 of the request, hexadecimal; identifies a repeated request"""


class SessionRequestSubmittedAs(TypedDict):
    """original settings, file paths and ligands, if a resume changed them; original priority, if it was changed"""

    settings: SettingValues
    files: list[str]
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""


class SessionRequest(TypedDict):
    """the submission"""

    title: str
    """display name; default: name of the first file"""
    proposal: str
    """proposal of the data; results are in a folder of this name"""
    beamline: str
    """beamline or microscope"""
    submitter: str
    """name of the submitter"""
    priority: Literal["live", "standard", "backfill"]
    """live: during beamtime, if the site allows it; backfill: uses idle slots"""
    advice: str
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    settings: SettingValues
    inputs: list[SessionFile]
    """the submitted files, resolved and inspected"""
    sample: NotRequired[str]
    """sample name used by the laboratory or beamline"""
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""
    directives: NotRequired[Directives]
    steering: NotRequired[SessionRequestSteering]
    """state that is not in the cycles: new advice, retries, blocked programs"""
    directory: NotRequired[SessionRequestDirectory]
    """submitted folder and the inputs found in it"""
    forkedFrom: NotRequired[SessionRequestForkedFrom]
    """session that it was forked from; the first cycles are copies of its records and files"""
    batch: NotRequired[str]
    """id of its batch"""
    traceparent: NotRequired[str]
    """W3C trace context of the submission; all work for the session belongs to this trace; its 32 digits are the trace id"""
    submittedAs: NotRequired[SessionRequestSubmittedAs]
    """original settings, file paths and ligands, if a resume changed them; original priority, if it was changed"""


class SessionRetentionPin(TypedDict):
    """pin of a session"""

    at: str
    by: str
    """empty: not named"""
    reason: str


class SessionRetentionPurged(TypedDict):
    """record of the deleted session folder"""

    at: str
    rule: str
    """retention rule in words"""
    bytes: int
    """bytes freed"""


class SessionRetention(TypedDict):
    """retention of a session"""

    rule: NotRequired[str]
    """matching retention rule in words; absent: none, the session is kept"""
    folderUntil: NotRequired[str]
    """earliest deletion of the files; absent: no limit"""
    recordUntil: NotRequired[str]
    """earliest deletion of the session; absent: no limit"""
    hold: NotRequired[Literal["running", "pinned", "batch", "in_use"]]
    """why it is kept despite the rule; absent: no reason"""
    usedBy: NotRequired[list[str]]
    """sessions that use its files as inputs, at most 20"""
    pin: NotRequired[SessionRetentionPin]
    """pin of a session"""
    purged: NotRequired[SessionRetentionPurged]
    """record of the deleted session folder"""


class SessionRowForkedFrom(TypedDict):
    """origin of a fork"""

    session: str
    """its id"""
    afterCycle: int
    """last common cycle"""


class SessionRow(TypedDict):
    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """increases by one with every transition; a step with another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper woke the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    title: str
    proposal: str
    beamline: str
    submitter: str
    advised: NotRequired[int]
    """revision of the guidance, if it has changed since submission"""
    sample: NotRequired[str]
    """sample name; absent: none given"""
    batch: NotRequired[str]
    """id of its batch; absent: not in a batch"""
    forkedFrom: NotRequired[SessionRowForkedFrom]
    """origin of a fork"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """outcome (docs/outcomes.md); absent while it runs"""
    stopReason: NotRequired[Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]]
    """stop reason; absent while it runs"""
    stopDetail: NotRequired[str]
    """why it ended, in one sentence, shortened; absent while it runs"""
    endedAt: NotRequired[str]
    """absent while it runs"""
    program: NotRequired[str]
    """program of the last decided cycle"""
    resolution: NotRequired[float]
    """resolution limit of the data in Å"""
    spaceGroup: NotRequired[str]
    """Hermann-Mauguin symbol (P 43 21 2); absent for a map"""
    fit: NotRequired[Fit]
    ligand: NotRequired[Ligand]
    fits: NotRequired[list[float]]
    """values of `fit` in the last cycles that measured it, newest last; absent before the second measurement"""
    maxCycles: NotRequired[int]
    """maximum number of cycles; absent in records of older releases"""
    waiting: NotRequired[str]
    """why its program or its next decision waits, shortened; absent: it does not wait"""
    queueStatus: NotRequired[QueueStatus]


class SessionUpdate(TypedDict):
    """a change of a session, and the session after it (or later)"""

    session: SessionRow
    events: list[Event]
    """events of the change, oldest first"""
    was: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """session before the change; absent for a new session"""


class SessionUpdatePage(TypedDict):
    """updates of many sessions"""

    updates: list[SessionUpdate]
    next: str
    """cursor of the next page, pass it as ?after="""
    missed: bool
    """earlier updates are deleted: read your lists again"""


class SettingDefinitionsSettings(TypedDict):
    """setting name to type, default, range and meaning"""

    max_cycles: NumberSetting
    experiment_type: ChoiceSetting
    resolution: NumberSetting
    analysis_only: FlagSetting
    r_free_target: NumberSetting
    map_cc_target: NumberSetting
    max_refine_cycles: NumberSetting
    program_time_limit: NumberSetting
    simulated_programs: ListSetting
    maximum_automation: FlagSetting
    abort_on_red_flags: FlagSetting
    abort_on_warnings: FlagSetting
    use_rules_only: FlagSetting
    model_outage: ChoiceSetting


class SettingDefinitions(TypedDict):
    """settings of a submission"""

    settings: SettingDefinitionsSettings
    """setting name to type, default, range and meaning"""


class SettingValues(TypedDict):
    """every setting with its value; see GET /v1/settings"""

    max_cycles: int
    """stop after this many cycles"""
    experiment_type: Literal["auto", "xray", "cryoem"]
    """type of the data"""
    resolution: float
    """high-resolution limit in Å; 0: taken from the data"""
    analysis_only: bool
    """only analyse the data; do not solve the structure"""
    r_free_target: float
    """stop at this R-free (fraction); 0: target depends on the resolution"""
    map_cc_target: float
    """stop at this map correlation; 0: default target"""
    max_refine_cycles: int
    """refinement runs before validation"""
    program_time_limit: int
    """time limit of a program in minutes; 0: the program's own limit"""
    simulated_programs: list[str]
    """programs that may be simulated if they are not installed"""
    maximum_automation: bool
    """predict, place and build in one run; false: step by step"""
    abort_on_red_flags: bool
    """stop at critical red flags"""
    abort_on_warnings: bool
    """also stop at warnings"""
    use_rules_only: bool
    """use the rules only, even if the site has a language model"""
    model_outage: Literal["rules", "wait"]
    """if no language model is reachable: let the rules decide, or wait"""


class Settings(TypedDict):
    max_cycles: NotRequired[int]
    """stop after this many cycles"""
    experiment_type: NotRequired[Literal["auto", "xray", "cryoem"]]
    """type of the data"""
    resolution: NotRequired[float]
    """high-resolution limit in Å; 0: taken from the data"""
    analysis_only: NotRequired[bool]
    """only analyse the data; do not solve the structure"""
    r_free_target: NotRequired[float]
    """stop at this R-free (fraction); 0: target depends on the resolution"""
    map_cc_target: NotRequired[float]
    """stop at this map correlation; 0: default target"""
    max_refine_cycles: NotRequired[int]
    """refinement runs before validation"""
    program_time_limit: NotRequired[int]
    """time limit of a program in minutes; 0: the program's own limit"""
    simulated_programs: NotRequired[list[str]]
    """programs that may be simulated if they are not installed"""
    maximum_automation: NotRequired[bool]
    """predict, place and build in one run; false: step by step"""
    abort_on_red_flags: NotRequired[bool]
    """stop at critical red flags"""
    abort_on_warnings: NotRequired[bool]
    """also stop at warnings"""
    use_rules_only: NotRequired[bool]
    """use the rules only, even if the site has a language model"""
    model_outage: NotRequired[Literal["rules", "wait"]]
    """if no language model is reachable: let the rules decide, or wait"""


class Shares(TypedDict):
    """slot limits and weights, and who set them"""

    policy: SharesPolicy
    setBy: Literal["configuration", "administrator"]
    by: str
    """name; empty: not named"""
    since: NotRequired[str]
    """absent for the configured default"""


class SharesChangePolicy(TypedDict):
    """slot limits and weights (fair shares)"""

    proposals: NotRequired[dict[str, ProposalShare]]
    """exceptions by proposal; all others have weight 1"""
    maxPerProposal: NotRequired[int]
    """concurrent programs of one proposal; 0: no limit"""
    maxGpuPerProposal: NotRequired[int]
    """concurrent GPU programs of one proposal; 0: no limit"""
    maxPerUser: NotRequired[int]
    """concurrent programs of one submitter; 0: no limit"""
    maxLive: NotRequired[int]
    """concurrent programs with priority live; 0: no limit"""
    maxStandard: NotRequired[int]
    """concurrent programs with priority standard; 0: no limit"""
    maxBackfill: NotRequired[int]
    """concurrent programs with priority backfill; 0: no limit"""
    startsPerDayPerProposal: NotRequired[int]
    """programs started per proposal and day (UTC); 0: no limit"""
    startsPerDayPerUser: NotRequired[int]
    """programs started per submitter and day (UTC); 0: no limit"""
    backfillWaitsHours: NotRequired[float]
    """hours after submission until a backfill session is treated as standard"""
    liveAllowedFor: NotRequired[list[str]]
    """who may submit with priority live; empty: no one"""


class SharesChange(TypedDict):
    """new slot limits and weights that replace the present ones; absent fields get their defaults"""

    policy: SharesChangePolicy
    """slot limits and weights (fair shares)"""
    by: NotRequired[str]
    """name of the caller"""


class SharesPolicy(TypedDict):
    """slot limits and weights (fair shares)"""

    proposals: dict[str, ProposalShare]
    """exceptions by proposal; all others have weight 1"""
    maxPerProposal: int
    """concurrent programs of one proposal; 0: no limit"""
    maxGpuPerProposal: int
    """concurrent GPU programs of one proposal; 0: no limit"""
    maxPerUser: int
    """concurrent programs of one submitter; 0: no limit"""
    maxLive: int
    """concurrent programs with priority live; 0: no limit"""
    maxStandard: int
    """concurrent programs with priority standard; 0: no limit"""
    maxBackfill: int
    """concurrent programs with priority backfill; 0: no limit"""
    startsPerDayPerProposal: int
    """programs started per proposal and day (UTC); 0: no limit"""
    startsPerDayPerUser: int
    """programs started per submitter and day (UTC); 0: no limit"""
    backfillWaitsHours: float
    """hours after submission until a backfill session is treated as standard"""
    liveAllowedFor: list[str]
    """who may submit with priority live; empty: no one"""


class SimilarSession(TypedDict):
    """another session with the same data in the same proposal"""

    sessionId: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    same: Literal["everything", "data"]
    """everything: the same file contents, settings and guidance; data: the same reflections or maps only"""
    title: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    createdAt: str
    href: str
    """URL of the session"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """outcome (docs/outcomes.md); absent while it runs"""


class Spent(TypedDict):
    """usage of language models"""

    requests: int
    """number of model requests"""
    inputTokens: int
    """tokens reported by the targets"""
    outputTokens: int
    cost: float
    """cost in the currency of the site's prices"""
    unpriced: int
    """requests with unknown cost, not included in `cost`"""


class Spread(TypedDict):
    """seconds; absent: no session has the value"""

    p50: float
    """median"""
    p95: float
    """95th percentile"""


class Statistics(TypedDict):
    """statistics of the visible sessions submitted in a period"""

    by: Literal["month", "beamline", "proposal", "submitter", "resolution", "path"]
    groups: list[StatisticsGroup]
    """months, resolutions and paths in natural order, others by number of sessions, descending"""
    since: NotRequired[str]
    """as requested"""
    until: NotRequired[str]
    """as requested"""


class StatisticsGroupOutcomes(TypedDict):
    """ended sessions among these (docs/outcomes.md)"""

    solved: int
    goal_reached: int
    unfinished: int
    unsatisfactory: int
    failed_science: int
    failed_infrastructure: int
    rejected: int
    cancelled: int
    unknown: int


class StatisticsGroup(TypedDict):
    """a group of sessions"""

    key: str
    """month: such as 2026-11 (UTC); resolution: `1.5` is the lower end of a bin of 0.5 Å; path: how the model was made; empty: none or unknown"""
    sessions: int
    """sessions submitted in the period, including unfinished ones"""
    unended: int
    """running sessions among these"""
    outcomes: StatisticsGroupOutcomes
    """ended sessions among these (docs/outcomes.md)"""
    coreHours: float
    """wall time of the programs of ended sessions times their assigned cores, in hours"""
    gpuHours: float
    """wall time of the GPU programs of ended sessions, in hours"""
    toFirstRFree: NotRequired[Spread]
    toEnd: NotRequired[Spread]


class StepDrop(TypedDict):
    """exactly one of `steps` and `cause`"""

    reason: str
    """reason in one sentence, for the audit log"""
    steps: NotRequired[list[str]]
    """ids of the steps"""
    cause: NotRequired[str]
    """all steps with this cause, instead of `steps`"""


class StepRetry(TypedDict):
    """exactly one of `steps` and `cause`"""

    steps: NotRequired[list[str]]
    """ids of the steps"""
    cause: NotRequired[str]
    """all steps with this cause, instead of `steps`"""
    perMinute: NotRequired[int]
    """steps per minute; default 60"""


class StepsDropped(TypedDict):
    dropped: list[str]
    """ids"""
    unchanged: list[UnchangedStep]


class StepsRetriedRetried(TypedDict):
    id: str
    sessionId: str
    inSeconds: int
    """start of the window"""


class StepsRetried(TypedDict):
    retried: list[StepsRetriedRetried]
    unchanged: list[UnchangedStep]


class Stop(TypedDict):
    """the end of a session"""

    reason: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]
    detail: str
    """reason in one sentence, for the user"""
    afterCycle: int


class StopConditions(TypedDict):
    after_program: NotRequired[str]
    """end the session when this program has succeeded, even without validation"""
    start_with_program: NotRequired[str]
    """run this program first, then continue with the workflow"""
    after_cycle: NotRequired[int]
    """end the session after this cycle"""
    max_refine_cycles: NotRequired[int]
    """refinements before validation; overrides the setting"""
    skip_validation: NotRequired[bool]
    """end without validation"""
    r_free_target: NotRequired[float]
    """stop at this R-free; overrides the setting"""
    map_cc_target: NotRequired[float]
    """stop at this map correlation; overrides the setting"""


class StreamNotice(TypedDict):
    """why a stream of session updates restarts (`reload`) or ends (`end`)"""

    code: Literal["events.not_kept", "events.too_slow", "events.not_admitted"]
    detail: str
    """message for users, in one sentence"""


class Submission(TypedDict):
    files: NotRequired[list[str]]
    """absolute paths below the data folders"""
    input_directory: NotRequired[str]
    """a folder below the data folders; its data, models, sequences, dictionaries and README are found"""
    title: NotRequired[str]
    """display name; default: name of the first file"""
    proposal: NotRequired[str]
    """proposal of the data; results are in a folder of this name"""
    beamline: NotRequired[str]
    """beamline or microscope"""
    submitter: NotRequired[str]
    """name of the submitter"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """live: during beamtime, if the site allows it; backfill: uses idle slots"""
    advice: NotRequired[str]
    """advice in plain words (docs/advice.md); the response shows how it is interpreted"""
    sample: NotRequired[str]
    """sample name used by the laboratory or beamline"""
    advice_file: NotRequired[str]
    """name of the file with the advice"""
    strict: NotRequired[bool]
    """true: reject the submission if a file would not be used"""
    ligands: NotRequired[list[RequestedLigand]]
    """ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class SubmissionReadingFilesCategories(TypedDict):
    category: str
    why: str


class SubmissionReadingFiles(TypedDict):
    """an inspected file"""

    path: str
    """resolved path"""
    size: int
    """size in bytes"""
    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    """facts about its content"""
    categories: list[SubmissionReadingFilesCategories]
    """category of the file, and why (knowledge/file_categories.yaml)"""
    use: NotRequired[FileUse]


class SubmissionReading(TypedDict):
    """preview of a submission; nothing is started or stored"""

    files: list[SubmissionReadingFiles]
    """readable files"""
    problems: list[FieldProblem]
    """problems for which it would be rejected; empty: it would be accepted"""
    guidance: NotRequired[Guidance]
    first: NotRequired[FirstStep]


class Trace(TypedDict):
    """all operations of a session, from its record and the ledger of model requests"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    startedAt: str
    """time of the submission"""
    operations: list[Operation]
    """in order of cycles, parts after their parent"""
    spent: Spent
    endedAt: NotRequired[str]


class Trial(TypedDict):
    """a trial: test pods (locally: a process) started like programs, to check what a program would see"""

    id: str
    """its id"""
    state: Literal["waiting", "running", "done", "given_up"]
    """`waiting` for an executor, `running`, `done`, or `given_up` after a quarter of an hour"""
    requestedAt: str
    askedBy: str
    """who requested it; empty: not named"""
    findings: list[Finding]
    """findings; empty until the trial is done"""
    executor: NotRequired[str]
    """machine or pod of the executor that started it"""
    endedAt: NotRequired[str]


class TrialAnswer(TypedDict):
    """absent: none was requested"""

    trial: NotRequired[Trial]


class UnchangedStep(TypedDict):
    """an unchanged step"""

    id: str
    reason: str
    """one sentence"""


class UnsupportedNumber(TypedDict):
    """a number in a model's text that does not occur in the session"""

    text: str
    """the number as written"""
    at: int
    """position in the part, in characters"""


class Upload(TypedDict):
    """an upload"""

    id: str
    """32 hexadecimal digits"""
    proposal: str
    name: str
    """file name"""
    size: int
    """file size in bytes"""
    offset: int
    """number of bytes received"""
    state: Literal["receiving", "complete", "refused"]
    expiresAt: str
    """expiry of the upload: an incomplete file is then removed. Each chunk extends it"""
    path: NotRequired[str]
    """path of the file, as used in a submission"""
    sha256: NotRequired[str]
    """SHA-256 of the received file, hexadecimal"""
    problem: NotRequired[str]
    """why the upload was refused"""


class UploadRules(TypedDict):
    """upload limits of the site"""

    maxFileBytes: int
    """maximum file size in bytes"""
    maxDayBytes: int
    """bytes that may be uploaded per proposal and day"""
    keepHours: int
    """hours that an incomplete file is kept after its last chunk"""


class WaitingAttempt(TypedDict):
    """an attempt that has not started yet"""

    attempt: int
    backend: Literal["local", "kubernetes"]
    provider: Literal["phenix", "open-phenix", "simulated"]
    """simulated: by a scripted stand-in, not a real program"""
    programVersion: str
    """for example `Servalcat 0.4.142`"""
    since: str
    """start of the wait"""
    queuedOnBackend: bool
    """true: queued on the backend; false: not created yet"""
    reason: str
    """why it waits, in one sentence, as last shown to the user"""
    reportedAt: str
    """time when the user saw this reason"""
    resources: NotRequired[Resources]


class Wall(TypedDict):
    """content of the wall display"""

    counts: SessionCounts
    sessions: list[WallRow]
    """running and recently ended sessions"""


class WallRowFit(TypedDict):
    """fit of the result to the data; absent before the first measurement"""

    metric: str
    """metric name, for example `r_free`"""
    value: float
    quality: NotRequired[Literal["good", "acceptable", "needs improvement"]]
    """quality band of the value at this resolution; absent: no bands are defined"""
    trend: NotRequired[Literal["better", "worse", "unchanged"]]
    """change since the previous measurement; absent for the first"""


class WallRowQueueStatus(TypedDict):
    """queue position; absent unless it waits for a slot"""

    position: int
    """from 1"""
    of: int
    """number of runs that wait for the same limit"""
    since: str
    """start of the wait"""


class WallRow(TypedDict):
    """a session on the wall display"""

    id: str
    """26 letters and digits: a lower-case ULID, or a hash of the idempotency key; to sort sessions, use `createdAt`"""
    version: int
    """increases with every change; a newer row replaces an older one"""
    title: str
    beamline: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    createdAt: str
    updatedAt: str
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """docs/outcomes.md; absent while it runs"""
    endedAt: NotRequired[str]
    """absent while it runs"""
    program: NotRequired[str]
    """program of the last decided cycle"""
    maxCycles: NotRequired[int]
    """maximum number of cycles; absent in records of older releases"""
    fit: NotRequired[WallRowFit]
    """fit of the result to the data; absent before the first measurement"""
    fits: NotRequired[list[float]]
    """values of `fit` in the last cycles that measured it, newest last"""
    waiting: NotRequired[Literal[True]]
    """whether its program or its next decision waits; absent: it does not wait"""
    queueStatus: NotRequired[WallRowQueueStatus]
    """queue position; absent unless it waits for a slot"""


class WebhookAbout(TypedDict):
    """scope of the webhook"""

    what: Literal["session", "batch", "proposal"]
    name: str
    """id of the session or batch, or name of the proposal"""


class Webhook(TypedDict):
    """a webhook and the state of its deliveries"""

    id: str
    """identifier of the webhook; not secret"""
    url: str
    """destination of notifications: a URL, or `mailto:` with an e-mail address"""
    about: WebhookAbout
    """scope of the webhook"""
    kinds: list[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]
    """event types"""
    label: str
    """purpose of the webhook"""
    proposal: str
    """its proposal"""
    beamline: str
    """submitter of its session; empty: none"""
    owner: str
    """creator; empty: access control was off"""
    createdAt: str
    deliveries: DeliveryState
    everyMinutes: NotRequired[int]
    """minutes over which notifications are collected into one e-mail; 0: send immediately"""


class WebhookMessageDataSession(TypedDict):
    id: str
    title: str
    proposal: str
    beamline: NotRequired[str]
    batch: NotRequired[str]
    """id of the session's batch"""


class WebhookMessageDataBatch(TypedDict):
    id: str
    title: str
    proposal: str
    beamline: NotRequired[str]
    batch: NotRequired[str]
    """id of the session's batch"""


class WebhookMessageDataOutcomes(TypedDict):
    """sessions of the batch by outcome"""

    solved: NotRequired[int]
    goal_reached: NotRequired[int]
    unfinished: NotRequired[int]
    unsatisfactory: NotRequired[int]
    failed_science: NotRequired[int]
    failed_infrastructure: NotRequired[int]
    rejected: NotRequired[int]
    cancelled: NotRequired[int]
    unknown: NotRequired[int]


class WebhookMessageDataLinks(TypedDict):
    """URLs of the gateway"""

    self: str
    results: NotRequired[str]


class WebhookMessageData(TypedDict):
    sentence: str
    """event type"""
    next: str
    """what to do"""
    session: NotRequired[WebhookMessageDataSession]
    batch: NotRequired[WebhookMessageDataBatch]
    cycle: NotRequired[int]
    """cycle number; 0: before the first"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """the outcome of the session (docs/outcomes.md)"""
    reason: NotRequired[Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]]
    """why it ended (docs/stop-reasons.md)"""
    fit: NotRequired[Fit]
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    program: NotRequired[str]
    """program of the cycle"""
    result: NotRequired[Literal["success", "failed"]]
    """outcome of the cycle"""
    outcomes: NotRequired[WebhookMessageDataOutcomes]
    """sessions of the batch by outcome"""
    rejected: NotRequired[int]
    """rejected rows of the batch"""
    until: NotRequired[str]
    """earliest deletion of the files"""
    links: NotRequired[WebhookMessageDataLinks]
    """URLs of the gateway"""


class WebhookMessage(TypedDict):
    """a webhook message"""

    type: Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended", "webhook.test"]
    timestamp: str
    """time of the event"""
    data: WebhookMessageData


class WebhookRequest(TypedDict):
    url: str
    """destination: an https URL or mailto:ADDRESS that the installation allows"""
    session: NotRequired[str]
    """id or title of a session"""
    batch: NotRequired[str]
    """id of a batch"""
    proposal: NotRequired[str]
    """a proposal, with all its sessions and batches"""
    kinds: NotRequired[list[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]]
    """event types; default: session.ended, session.recovered, session.files_expire, batch.ended"""
    everyMinutes: NotRequired[int]
    """for e-mail: minutes over which notifications are collected; 0: send immediately; default: 0 for a session, otherwise 10"""
    label: NotRequired[str]
    """purpose of the webhook"""


class WebhookTest(TypedDict):
    """result of a test message"""

    delivered: bool
    """whether the target accepted it"""
    tookMs: int
    message: WebhookMessage
    status: NotRequired[int]
    """HTTP status of the target"""
    why: NotRequired[str]
    """why the delivery failed"""


class Webhooks(TypedDict):
    webhooks: list[Webhook]


class WorkflowPreferences(TypedDict):
    skip_programs: NotRequired[list[str]]
    """never run"""
    prefer_programs: NotRequired[list[str]]
    """run first whenever they are candidates"""
    use_experimental_phasing: NotRequired[bool]
    use_molecular_replacement: NotRequired[bool]
    use_mr_sad: NotRequired[bool]
    model_is_placed: NotRequired[bool]
    """the submitted model is already placed; skip molecular replacement and docking"""


class SessionsListQuery(TypedDict):
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """only sessions with this status"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """only ended sessions with this outcome"""
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""
    batch: NotRequired[str]
    """only sessions of this batch"""
    submitter: NotRequired[str]
    """only sessions of this submitter"""
    text: NotRequired[str]
    """only sessions whose title, sample or id contains this text (case-insensitive)"""
    failure: NotRequired[str]
    """only unsuccessful sessions whose end reason contains this text (case-insensitive)"""
    ligand: NotRequired[str]
    """only sessions with this ligand (requested, supplied as a dictionary, or fitted); a code such as NAG"""
    spaceGroup: NotRequired[str]
    """only sessions in this space group (of the last model, or of the data if there is no model)"""
    cell: NotRequired[str]
    """only crystals with this unit cell in any setting: a, b, c in Å; alpha, beta, gamma in degrees; then the centring letter (default: that of the space group, otherwise P)"""
    cellTolerance: NotRequired[float]
    """tolerance for reduced cells: percent of each edge length, and degrees of each angle; 0 to 10, default 1"""
    minResolution: NotRequired[float]
    """only sessions whose data have a resolution limit of at least this, in Å"""
    maxResolution: NotRequired[float]
    """only sessions whose data have a resolution limit of at most this, in Å"""
    minRFree: NotRequired[float]
    """only sessions with an R-free of at least this, a fraction"""
    maxRFree: NotRequired[float]
    """only sessions with an R-free of at most this, a fraction"""
    minCc: NotRequired[float]
    """only sessions with a map correlation of at least this"""
    maxCc: NotRequired[float]
    """only sessions with a map correlation of at most this"""
    program: NotRequired[str]
    """only sessions that have started this program, such as phenix.refine"""
    since: NotRequired[str]
    """only sessions submitted at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only sessions submitted before this time (ISO 8601)"""
    sort: NotRequired[Literal["created", "-created", "ended", "-ended", "title", "-title", "sample", "-sample", "proposal", "-proposal", "beamline", "-beamline", "submitter", "-submitter", "status", "-status", "outcome", "-outcome", "spaceGroup", "-spaceGroup", "resolution", "-resolution", "rFree", "-rFree", "mapCc", "-mapCc"]]
    """sort key; a leading '-' sorts in descending order; default -created (newest first)"""
    limit: NotRequired[int]
    """page size: 1 to 500, default 50"""
    cursor: NotRequired[str]
    """nextCursor of the previous page, with the same filters and sort"""


class CountsCountsQuery(TypedDict):
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""
    batch: NotRequired[str]
    """only sessions of this batch"""
    submitter: NotRequired[str]
    """only sessions of this submitter"""


class StatisticsStatisticsQuery(TypedDict):
    by: NotRequired[Literal["month", "beamline", "proposal", "submitter", "resolution", "path"]]
    """grouping of the sessions; default month"""
    since: NotRequired[str]
    """only sessions submitted at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only sessions submitted before this time (ISO 8601)"""
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""
    submitter: NotRequired[str]
    """only sessions of this submitter"""


class StatisticsCsvQuery(TypedDict):
    by: NotRequired[Literal["month", "beamline", "proposal", "submitter", "resolution", "path"]]
    """grouping of the sessions; default month"""
    since: NotRequired[str]
    """only sessions submitted at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only sessions submitted before this time (ISO 8601)"""
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""
    submitter: NotRequired[str]
    """only sessions of this submitter"""


class WallWallQuery(TypedDict):
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""


class SessionEventsEventsQuery(TypedDict):
    after: NotRequired[str]
    """continue after this event id; the Last-Event-ID header takes precedence"""
    limit: NotRequired[int]
    """number of events in a JSON response: 1 to 5000, default 1000"""


class UpdatesFollowQuery(TypedDict):
    after: NotRequired[str]
    """continue after this cursor; default: only new updates; the Last-Event-ID header takes precedence"""
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """only sessions that have this status, or had it before the change"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """only sessions with this outcome, and resumed sessions"""
    proposal: NotRequired[str]
    """only sessions of this proposal"""
    beamline: NotRequired[str]
    """only sessions from this beamline"""
    batch: NotRequired[str]
    """only sessions of this batch"""
    submitter: NotRequired[str]
    """only sessions of this submitter"""


class SessionFilesLogQuery(TypedDict):
    offset: NotRequired[int]
    """first byte, default 0; a negative number counts from the end"""
    limit: NotRequired[int]
    """maximum number of bytes, default 65536, at most 1048576"""
    attempt: NotRequired[int]
    """attempt number; default: the last attempt"""


class ArchiveArchiveQuery(TypedDict):
    which: NotRequired[Literal["results", "all"]]
    """results (default): the best files; all: every output file of every cycle"""


class FoldersFolderQuery(TypedDict):
    path: NotRequired[str]
    """absolute path; absent: the list of data folders"""
    limit: NotRequired[int]
    """page size: 1 to 1000, default 200"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchesListQuery(TypedDict):
    proposal: NotRequired[str]
    """only batches of this proposal"""
    limit: NotRequired[int]
    """page size: 1 to 100, default 20"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchesAddRowsQuery(TypedDict):
    complete: NotRequired[Literal[True, False]]
    """true: the batch is complete; no more rows follow"""


class BatchResultsRowsQuery(TypedDict):
    state: NotRequired[Literal["waiting", "checked", "accepted", "duplicate", "rejected", "cancelled"]]
    """only rows in this state"""
    limit: NotRequired[int]
    """page size: 1 to 500, default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchResultsResultsQuery(TypedDict):
    sort: NotRequired[Literal["row", "fit", "resolution", "ligand"]]
    """sort key: row (default), fit, resolution or ligand, best first; rows without the value come last"""
    limit: NotRequired[int]
    """page size: 1 to 500, default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchResultsCsvQuery(TypedDict):
    sort: NotRequired[Literal["row", "fit", "resolution", "ligand"]]
    """sort key: row (default), fit, resolution or ligand, best first; rows without the value come last"""


class DeadStepsListQuery(TypedDict):
    queue: NotRequired[Literal["decisions", "executions", "analyses"]]
    """only steps of this queue"""
    cause: NotRequired[str]
    """only steps with this cause"""
    state: NotRequired[Literal["woken", "given_up", "past"]]
    """woken: the session is still at the step; given_up: the session ended because of it; past: the session continued or was deleted (default: woken and given_up)"""
    limit: NotRequired[int]
    """number of steps: 1 to 1000, default 100"""


class QueuesListQuery(TypedDict):
    place: NotRequired[Literal["active", "waiting", "delayed", "failed"]]
    """job state; default waiting"""
    order: NotRequired[Literal["newest", "oldest"]]
    """sort order; default oldest"""
    offset: NotRequired[int]
    """number of jobs to skip"""
    limit: NotRequired[int]
    """page size: 1 to 200, default 50"""


class AuditListQuery(TypedDict):
    who: NotRequired[str]
    """only entries of this caller"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """only entries of this action"""
    object: NotRequired[str]
    """only entries with this target, or with a target id that starts with this text"""
    since: NotRequired[str]
    """only entries at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only entries before this time (ISO 8601)"""
    limit: NotRequired[int]
    """page size: 1 to 1000, default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class AuditLinesQuery(TypedDict):
    who: NotRequired[str]
    """only entries of this caller"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """only entries of this action"""
    object: NotRequired[str]
    """only entries with this target, or with a target id that starts with this text"""
    since: NotRequired[str]
    """only entries at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only entries before this time (ISO 8601)"""


class AuditCsvQuery(TypedDict):
    who: NotRequired[str]
    """only entries of this caller"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """only entries of this action"""
    object: NotRequired[str]
    """only entries with this target, or with a target id that starts with this text"""
    since: NotRequired[str]
    """only entries at or after this time (ISO 8601)"""
    until: NotRequired[str]
    """only entries before this time (ISO 8601)"""


class LoginLoginQuery(TypedDict):
    return_to: NotRequired[str]
    """path on this gateway to open after the login; default: the dashboard"""


class HealthReadyQuery(TypedDict):
    strict: NotRequired[bool]
    """true: also 503 if degraded"""


DecideAnswer: TypeAlias = "DecideResponse | DecideAnswer2"


DecideBody: TypeAlias = "DecideRequest | DecideBody2"


Health: TypeAlias = "dict[str, Any]"
