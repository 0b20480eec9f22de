# Made from docs/reference/openapi.json by test/docs/openapi.spec.ts; FLEET_WRITE_DOCS=1 writes it again.
"""What is sent to a gateway and what it answers, as its description says it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict


class AdminStatus(TypedDict):
    launches: Launch
    runs: int
    """runs that have a slot: they run, or are queued on the backend"""
    runsByClass: dict[str, int]
    """by class of nodes"""
    runsByProposal: dict[str, int]
    """by proposal"""
    waiting: int
    """runs that wait: for a slot, for launches to be opened, or queued on the backend"""
    oldestWaitingSince: NotRequired[str]


class AdviceChange(TypedDict):
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    directives: NotRequired[Directives]


class AdviceReadingRemoved(TypedDict):
    words: str
    why: str


class AdviceReadingUnderstood(TypedDict):
    field: str
    """path in the directives, for example `stop_conditions.after_program`"""
    value: str | float | bool | list[str]
    words: str
    """of the text, which say so"""
    says: str
    """what will happen, in one sentence"""
    by: NotRequired[Literal["model"]]
    """a language model read it; absent: the rules"""


class AdviceReadingNotFollowed(TypedDict):
    words: str
    why: str


class AdviceReadingRequestedPrograms(TypedDict):
    program: str
    times: int


class AdviceReading(TypedDict):
    """what was understood of advice in plain words"""

    text: str
    """the text that was read: cleaned"""
    removed: list[AdviceReadingRemoved]
    """what was taken out of the text before it was read, and why"""
    directives: Directives
    stopsNow: bool
    """the text says 'stop' and nothing else"""
    stepByStep: bool
    """predictions are processed and placed step by step"""
    understood: list[AdviceReadingUnderstood]
    conflicts: list[str]
    """what contradicts itself, and what will happen, one sentence each"""
    notFollowed: list[AdviceReadingNotFollowed]
    """what no rule follows, and why"""
    requestedPrograms: NotRequired[list[AdviceReadingRequestedPrograms]]
    """programs that the text requests, in its order; absent: none"""


class ApiKey(TypedDict):
    """a key that opens the API, without its secret"""

    id: str
    """tells keys apart; no secret"""
    owner: str
    """whose key it is"""
    label: str
    """what it is for"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    """what they are to the service"""
    proposals: list[str]
    """proposals that they belong to; `*`: a service may submit to all of its beamlines"""
    beamlines: list[str]
    """beamlines that they work at; empty for users and administrators"""
    scopes: list[Literal["read", "submit", "change", "decide", "admin"]]
    """what they may do, within their role"""
    createdAt: str
    createdBy: str
    """empty: the gateway was open"""
    expiresAt: str
    """from then on it opens nothing"""
    revokedAt: NotRequired[str]
    """from then on it opens nothing"""
    revokedBy: NotRequired[str]
    lastUsedAt: NotRequired[str]
    """to the minute; absent: never, or before the database was rebuilt"""


class ApiKeyRequest(TypedDict):
    owner: str
    """whose key it is to be"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    label: NotRequired[str]
    """what it is for"""
    proposals: NotRequired[list[str]]
    """proposals that the owner belongs to; `*`: a service may submit to all of its beamlines"""
    beamlines: NotRequired[list[str]]
    """beamlines that the owner works at: of staff, kiosks and services"""
    scopes: NotRequired[list[Literal["read", "submit", "change", "decide", "admin"]]]
    """absent: all that the role may"""
    expires_in_days: NotRequired[int]
    """days that it is good for"""


class ApiKeys(TypedDict):
    keys: list[ApiKey]


class Assessment(TypedDict):
    """what a session is worth: its data, its way, where it stands, and what to do next"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    state: Literal["ready", "pending", "failed"]
    """ready: it is as it stays until one is asked for; pending: a model has not written it yet; failed: no model has. Unless a model has written it, the rules have"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    """of the session, as it was assessed"""
    version: int
    """of the session, as it was assessed"""
    writtenAt: str
    writtenBy: Literal["rules", "model"]
    parts: list[AssessmentPart]
    """all five, in their order"""
    requestedAt: NotRequired[str]
    """since when a model is to write it"""
    target: NotRequired[str]
    """the target whose model wrote it"""
    model: NotRequired[str]
    """its model"""
    hash: NotRequired[str]
    """of what was asked, SHA-256; `models/` in the folder of the session has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", "error"]]
    """why no model has written it"""
    why: NotRequired[str]
    """the same in a sentence"""


class AssessmentPartUnsupported(TypedDict):
    """a number of a model's text that is none of the session's"""

    text: str
    """as it stands there"""
    at: int
    """characters of the part before it"""


class AssessmentPart(TypedDict):
    """a part of an assessment"""

    part: Literal["input_quality", "goal_and_strategy", "strategy_assessment", "current_status", "next_steps"]
    title: str
    text: str
    """plain text in one line, without hidden characters; it may quote the submitter and programs"""
    unsupported: NotRequired[list[AssessmentPartUnsupported]]
    """numbers of a model's text that this service does not find, in their order; absent: there is none"""


class Attempt(TypedDict):
    """one launch of a cycle's program"""

    attempt: int
    backend: Literal["local", "kubernetes"]
    provider: Literal["phenix", "open-phenix", "simulated"]
    """simulated: a scripted stand-in, no result of a real program"""
    programVersion: str
    """for example `Servalcat 0.4.142`"""
    startedAt: str
    resources: NotRequired[Resources]
    ending: NotRequired[Ending]


class AuditDamages(TypedDict):
    """a file of the audit log that is not as it was written"""

    file: str
    """in the folder .phenix-fleet-audit of the work folder"""
    reason: str


class Audit(TypedDict):
    entries: list[AuditEntry]
    """the newest first"""
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
    """rows by outcome"""

    waiting: int
    checked: int
    accepted: int
    duplicate: int
    rejected: int
    cancelled: int


class BatchSessions(TypedDict):
    """its sessions by status, at this moment"""

    running: int
    cancelling: int
    completed: int
    unsatisfactory: int
    failed: int
    cancelled: int


class BatchOutcomes(TypedDict):
    """those that have ended by outcome (docs/outcomes.md)"""

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
    """URLs of what belongs to it"""

    self: str
    rows: str
    results: str
    csv: str


class BatchDefaultsLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class BatchDefaults(TypedDict):
    """members of every row that does not have them itself; files are added to those of the row; {name} in a text stands for a variable of the row"""

    files: NotRequired[list[str]]
    """absolute paths below the data folders"""
    input_directory: NotRequired[str]
    """a folder below the data folders: data, models, sequences, dictionaries and a README in it are found"""
    title: NotRequired[str]
    """a name for people; by default the name of the first file"""
    beamline: NotRequired[str]
    """the beamline or microscope"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """live: beamtime, where the site allows it; backfill: fills the gaps"""
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    ligands: NotRequired[list[BatchDefaultsLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class Batch(TypedDict):
    """a batch and how far it is"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    title: str
    """a name for people; by default the name of the first file"""
    proposal: str
    """the proposal the data belong to; results lie in a folder of this name"""
    submitter: str
    """who submits"""
    start: Literal["each", "together", "never"]
    """when its rows start"""
    duplicates: Literal["submit", "skip"]
    """the outcome of a row whose files, settings and advice are those of an earlier session of the proposal"""
    createdAt: str
    status: Literal["open", "paused", "cancelled"]
    complete: bool
    """no more rows follow"""
    rows: int
    states: BatchStates
    """rows by outcome"""
    sessions: BatchSessions
    """its sessions by status, at this moment"""
    outcomes: BatchOutcomes
    """those that have ended by outcome (docs/outcomes.md)"""
    done: bool
    """every row has been looked at, and every session has ended"""
    state: str
    """how far it is, in one sentence"""
    links: BatchLinks
    """URLs of what belongs to it"""
    base: NotRequired[str]
    """the folder at which paths begin that are not absolute"""
    defaults: NotRequired[BatchDefaults]
    """members of every row that does not have them itself; files are added to those of the row; {name} in a text stands for a variable of the row"""
    owner: NotRequired[str]
    """whose key it was made with: its rows are submitted as theirs; absent: the gateway was open"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """given to it later: rows that start from then on have it, whatever they say; absent: nobody has changed it"""


class BatchList(TypedDict):
    batches: list[Batch]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class BatchPriority(TypedDict):
    """what another priority of a batch holds for"""

    priority: Literal["live", "standard", "backfill"]
    rows: int
    """rows that are not sessions yet: they start with it"""
    sessions: int
    """rows that are sessions already: they keep the priority they started with"""
    message: str
    """the same in a sentence"""


class BatchPriorityRequest(TypedDict):
    priority: Literal["live", "standard", "backfill"]
    """of rows that are not sessions yet; sessions keep theirs"""


class BatchRequestDefaultsLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class BatchRequestDefaults(TypedDict):
    """members of every row that does not have them itself; files are added to those of the row; {name} in a text stands for a variable of the row"""

    files: NotRequired[list[str]]
    """absolute paths below the data folders"""
    input_directory: NotRequired[str]
    """a folder below the data folders: data, models, sequences, dictionaries and a README in it are found"""
    title: NotRequired[str]
    """a name for people; by default the name of the first file"""
    beamline: NotRequired[str]
    """the beamline or microscope"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """live: beamtime, where the site allows it; backfill: fills the gaps"""
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    ligands: NotRequired[list[BatchRequestDefaultsLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class BatchRequestFolder(TypedDict):
    """each file that is found becomes a row"""

    pattern: str
    """path of the data files, with {name} for parts that become variables and * for any text"""


class BatchRequest(TypedDict):
    title: NotRequired[str]
    """a name for people; by default the name of the first file"""
    proposal: NotRequired[str]
    """the proposal the data belong to; results lie in a folder of this name"""
    submitter: NotRequired[str]
    """who submits"""
    start: NotRequired[Literal["each", "together", "never"]]
    """when its rows start"""
    duplicates: NotRequired[Literal["submit", "skip"]]
    """the outcome of a row whose files, settings and advice are those of an earlier session of the proposal"""
    base: NotRequired[str]
    """the folder at which paths begin that are not absolute"""
    defaults: NotRequired[BatchRequestDefaults]
    """members of every row that does not have them itself; files are added to those of the row; {name} in a text stands for a variable of the row"""
    rows: NotRequired[list[Any]]
    """rows: objects with the members of a submission, and `variables`"""
    folder: NotRequired[BatchRequestFolder]
    """each file that is found becomes a row"""


class BatchResult(TypedDict):
    """a row of a batch, and what its session has brought so far; of a duplicate the earlier session"""

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


class BatchRowUnused(TypedDict):
    """the outcome of a submitted file"""

    path: str
    """as the record has it"""
    used: bool
    """false: no program is given it"""
    text: str
    """used as what and by which programs, or why it is not"""
    notes: NotRequired[list[str]]
    """what is to be known about it, a sentence each: what its reader found, and which of its columns count"""


class BatchRow(TypedDict):
    """a row of a batch, and its outcome"""

    row: int
    """its number in the batch, from 1, in the order of arrival"""
    line: int
    """where it begins in the manifest that it came with, from 1"""
    state: Literal["waiting", "checked", "accepted", "duplicate", "rejected", "cancelled"]
    run: int
    """how often it was run again"""
    session: NotRequired[str]
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    earlier: NotRequired[EarlierSession]
    first: NotRequired[FirstStep]
    wait: NotRequired[ExpectedWait]
    problems: NotRequired[list[FieldProblem]]
    """what is wrong with it; of very many the first"""
    unused: NotRequired[list[BatchRowUnused]]
    """files that would be used for nothing, and why; a row with `strict` is refused"""


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
    """the URL to download it from; absent for a submitted file with which no program has worked yet"""


class Checkup(TypedDict):
    at: str
    by: str
    """the machine or pod that looked"""
    findings: list[Finding]


class ChoiceSetting(TypedDict):
    """a setting that is one of some words"""

    type: Literal["choice"]
    default: str
    choices: list[str]
    what: str
    """what it is for"""


class Cycle(TypedDict):
    """one decision, one program run, one analysis"""

    cycle: int
    """its number inside the session, from 1"""
    decision: Decision
    attempts: list[Attempt]
    waiting: NotRequired[WaitingAttempt]
    result: NotRequired[CycleResult]


class CycleRemoval(TypedDict):
    count: int
    """how many of the last cycles"""


class CycleResult(TypedDict):
    outcome: Literal["success", "failed"]
    summary: str
    """one sentence: what came out, or why it failed"""
    metrics: list[Metric]
    outputs: list[SessionFile]
    errorLines: list[str]
    """lines of the log that state the error, at most 20"""
    analysedAt: str
    leftOut: NotRequired[list[str]]
    """what the analysis did not look at or keep, one sentence each: files beyond what a record holds, the middle of a log; absent: nothing"""
    fit: NotRequired[Fit]
    ligand: NotRequired[Ligand]


class DeadNotice(TypedDict):
    """a notice that is no longer retried"""

    id: str
    """the webhook-id of its message"""
    of: str
    """id of the session or batch"""
    attempts: int
    diedAt: str
    why: str
    """why the last try failed"""
    kind: NotRequired[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]
    at: NotRequired[str]
    """when it happened"""


class DeadNotices(TypedDict):
    dead: list[DeadNotice]


class DeadStep(TypedDict):
    """a step that failed for good"""

    id: str
    """the session and its version, `<session>-v<version>`; the id of its job where that is unreadable"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    state: Literal["woken", "given_up", "past"]
    cause: str
    """the code of the fault or the name of the error; `other` where there is none"""
    reason: str
    """what the last failure said"""
    failures: int
    """wake-ups that failed, of those that are kept"""
    firstAt: str
    """the first of them"""
    lastAt: str
    """the last of them"""
    sessionId: NotRequired[str]


class DeadStepDetail(TypedDict):
    """a step that failed for good, with where it failed"""

    id: str
    """the session and its version, `<session>-v<version>`; the id of its job where that is unreadable"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    state: Literal["woken", "given_up", "past"]
    cause: str
    """the code of the fault or the name of the error; `other` where there is none"""
    reason: str
    """what the last failure said"""
    failures: int
    """wake-ups that failed, of those that are kept"""
    firstAt: str
    """the first of them"""
    lastAt: str
    """the last of them"""
    stack: list[str]
    """where the last failure came from, a line an entry"""
    sessionId: NotRequired[str]


class DeadStepsCauses(TypedDict):
    """steps that failed alike"""

    cause: str
    queue: Literal["decisions", "executions", "analyses"]
    steps: int
    firstAt: str


class DeadSteps(TypedDict):
    causes: list[DeadStepsCauses]
    """of all that were asked for, those of most steps first"""
    steps: list[DeadStep]
    """the oldest first"""
    more: int
    """steps beyond the limit"""


class DecideAnswer2(TypedDict):
    encoded_response: str
    """in the encoding of the transport: ZZLBZZ…"""


class DecideBody2(TypedDict):
    encoded_request: str
    """in the encoding of the transport: ZZLBZZ…"""


class DecideRequestHistory(TypedDict):
    cycle: NotRequired[int | None]
    """its number; rising"""
    cycle_number: NotRequired[int | None]
    """another name of cycle"""
    program: str
    """for example phenix.refine"""
    command: NotRequired[str | None]
    """as it was printed"""
    result: NotRequired[str | None]
    """'SUCCESS: …' or 'FAILED: …'; failure words make it a failure"""
    output_files: NotRequired[list[str] | None]
    """what the program wrote"""
    analysis: NotRequired[dict[str, Any] | str | None]
    """metrics by name (fractions, Å), or the report of them"""
    metrics: NotRequired[dict[str, Any] | str | None]
    """another name of analysis"""


class DecideRequestSessionStateRecoveryStrategies(TypedDict):
    flags: NotRequired[dict[str, str | float | bool | None] | None]
    """parameters by PHIL name"""
    program_scope: NotRequired[list[str] | None]
    """programs that get them; none: every one that knows them"""
    reason: NotRequired[str | None]
    """why, one sentence"""
    selected_label: NotRequired[str | Literal[""] | None]
    """main label of the chosen array"""
    selected_label_pair: NotRequired[str | Literal[""] | None]
    """all labels of that array"""


class DecideRequestSessionState(TypedDict):
    resolution: NotRequired[float | None]
    """Å"""
    experiment_type: NotRequired[Literal["xray", "cryoem"] | Literal[""] | None]
    """locked for the session"""
    rfree_mtz: NotRequired[str | Literal[""] | None]
    """reflection file whose R-free flags are locked"""
    best_files: NotRequired[dict[str, str | list[str] | None] | None]
    """best file or files of each category"""
    log_program: NotRequired[str | Literal[""] | None]
    """program that wrote log_content"""
    advice_changed: NotRequired[bool | None]
    """the user said something new: a finished workflow continues once"""
    mtz_rfree_map: NotRequired[dict[str, bool | None] | None]
    """whether reflection files hold R-free flags"""
    input_mtz_has_rfree: NotRequired[bool | None]
    """the same for all submitted files"""
    directives: NotRequired[dict[str, Any] | None]
    """what the user asks for in structured form (docs/directives.md)"""
    force_retry_program: NotRequired[str | Literal[""] | None]
    """program that runs next, in spite of its failure"""
    recovery_strategies: NotRequired[dict[str, DecideRequestSessionStateRecoveryStrategies | None] | None]
    """what the next run on a file does differently, by path"""
    session_blocked_programs: NotRequired[list[str] | None]
    """programs that no longer run in this session"""
    bad_inject_params: NotRequired[dict[str, list[str] | None] | None]
    """parameters that a program refused, by program"""


class DecideRequestSettings(TypedDict):
    provider: NotRequired[str | None]
    """whose models choose within the menu, where the site has any for it; else the rules do"""
    abort_on_red_flags: NotRequired[bool | None]
    """stop at what is critically wrong"""
    abort_on_warnings: NotRequired[bool | None]
    """stop at what looks wrong"""
    max_cycles: NotRequired[int | None]
    """stop after this many cycles"""
    use_rules_only: NotRequired[bool | None]
    """decide without a language model"""
    maximum_automation: NotRequired[bool | None]
    """false: predictions are processed and placed step by step"""


class DecideRequest(TypedDict):
    """A v2 decision request; null and absent are the same."""

    api_version: Literal["2.0"]
    """the only version"""
    client_version: NotRequired[str | None]
    files: list[str]
    """paths on the client's machine"""
    cycle_number: int
    """number of the cycle that is to be decided"""
    log_content: NotRequired[str | None]
    """log of the last program"""
    history: NotRequired[list[DecideRequestHistory] | None]
    """finished cycles, oldest first"""
    session_state: NotRequired[DecideRequestSessionState | None]
    user_advice: NotRequired[str | None]
    """the words of the user; read where session_state has no directives"""
    settings: NotRequired[DecideRequestSettings | None]


class DecideResponseDecision(TypedDict):
    program: str
    """PHENIX's own name, or STOP"""
    command: str
    """for people and for clients that split it like a shell; STOP for a stop"""
    argv: list[str]
    """the same command, typed; empty for a stop"""
    reasoning: str
    """why, in sentences"""
    strategy: dict[str, str | float | bool]
    """keys that reached the command"""
    confidence: Literal["high", "medium", "low", "unknown"]


class DecideResponseMetadataAdviceUnderstood(TypedDict):
    field: str
    """the directive, for example stop_conditions.after_program"""
    words: str
    """what it was read from"""
    says: str
    """what it does, one sentence"""


class DecideResponseMetadataAdviceNotFollowed(TypedDict):
    words: str
    """as they were written"""
    why: str
    """one clause"""


class DecideResponseMetadataAdviceRemoved(TypedDict):
    words: str
    """as they were written"""
    why: str
    """one clause"""


class DecideResponseMetadataAdvice(TypedDict):
    followed: bool
    """false: the request has directives, and they hold instead"""
    understood: list[DecideResponseMetadataAdviceUnderstood]
    conflicts: list[str]
    """what contradicts itself, and what happens"""
    not_followed: list[DecideResponseMetadataAdviceNotFollowed]
    removed: list[DecideResponseMetadataAdviceRemoved]


class DecideResponseMetadataPlanning(TypedDict):
    """who decided"""

    decided_by: Literal["rules", "model"]
    provider: str
    """as the request has it"""
    target: str | None
    """where the model that chose was asked, as the site calls it"""
    model: str | None
    """which model chose"""
    requests: int
    """that were made to models for it"""
    failed: Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", None]
    """why no model gave an answer that can be used"""
    why: str | None
    """the same in a sentence, or why none was asked"""


class DecideResponseMetadataNotOffered(TypedDict):
    program: str
    """its name"""
    why: str
    """one sentence"""


class DecideResponseMetadataFiles(TypedDict):
    path: str
    """as the request has it"""
    used: bool
    """false: no program is given it"""
    text: str
    """used as what and by which programs, or why it is not"""
    notes: NotRequired[list[str]]
    """what is to be known about it; absent where there is nothing"""


class DecideResponseMetadata(TypedDict):
    experiment_type: Literal["xray", "cryoem", None]
    workflow_state: str | None
    """for example xray_refined"""
    directives: dict[str, Any]
    """what is asked for in structured form, as the decision followed it"""
    advice: DecideResponseMetadataAdvice | None
    """what was read of user_advice; null where it is empty"""
    stop_code: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed", None]
    """stop_reason, more exactly"""
    planning: DecideResponseMetadataPlanning
    """who decided"""
    valid_programs: list[str]
    """what was offered, in the order of preference; STOP alone where nothing was"""
    not_offered: list[DecideResponseMetadataNotOffered]
    files: list[DecideResponseMetadataFiles]
    """the outcome of each file that was not made by the history"""
    warnings: list[str]
    """what looks wrong, or could not be used"""
    red_flags: list[str]
    """what is critically wrong: code: message suggestion"""


class DecideResponseDebug(TypedDict):
    log: list[str]
    """the way of the decision"""
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
    """its path"""
    reason: str
    """what is wrong"""
    allowed: NotRequired[str]
    """what would do"""


class DecideResponse(TypedDict):
    api_version: Literal["2.0"]
    server_version: str
    """version of this service"""
    decision: DecideResponseDecision
    stop: bool
    stop_reason: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "red_flag", "max_cycles", "error", None]
    """converged: the quality that was aimed at is reached; red_flag: something is critically wrong"""
    abort_message: str | None
    """what is critically wrong, where that ended it; what clients show"""
    metadata: DecideResponseMetadata
    debug: DecideResponseDebug
    events: list[DecideResponseEvents]
    events_as_simple_string: str
    """the events as one JSON text"""
    error: str | None
    """what was wrong with the request; null when nothing was"""
    problems: list[DecideResponseProblems]
    """the same, field by field"""


class DecisionInputs(TypedDict):
    slot: str
    path: str


class DecisionPlanning(TypedDict):
    """what models had to do with a decision; absent where none is configured, or there was nothing to choose"""

    prompt: str
    """id and version of the prompt: `plan 1`"""
    requests: int
    """that were made, failed ones too; 0: the reply was there from an earlier try of this step"""
    target: NotRequired[str]
    """name of the target whose model chose; absent: the rules chose"""
    model: NotRequired[str]
    """its model"""
    hash: NotRequired[str]
    """of what was asked, SHA-256, hexadecimal: `models/` in the folder of the session has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted"]]
    """why no model chose"""
    why: NotRequired[str]
    """the same in words"""
    strategy: NotRequired[dict[str, str | float | bool]]
    """values that the model set; absent: none, or the record is of an older release"""


class Decision(TypedDict):
    """one decision: the next program with its command"""

    program: str
    argv: list[str]
    """program name first, then its arguments; never joined into a shell string"""
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
    """model: it chose from the menu that the rules made, and the rules checked it"""
    confidence: Literal["high", "medium", "low"]
    decidedAt: str
    guidance: NotRequired[int]
    """revision of the guidance that it followed; absent: nothing was asked for"""
    planning: NotRequired[DecisionPlanning]
    """what models had to do with a decision; absent where none is configured, or there was nothing to choose"""
    provenance: NotRequired[Provenance]


class DeletionReportRefused(TypedDict):
    id: str
    """of a session or a batch; of uploads the name of whose they are"""
    reason: str


class DeletionReport(TypedDict):
    """what was deleted, or would be"""

    sessions: int
    """sessions with their folders"""
    bytes: int
    """bytes that their files had for themselves"""
    batches: int
    uploads: int
    """uploaded files, and uploads under way"""
    refused: list[DeletionReportRefused]
    """what stays: it runs, or could not be deleted"""
    nextCursor: NotRequired[str]
    """more follow: pass it as `after`"""


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
    """who says so, where the gateway has no keys"""
    after: NotRequired[str]
    """`nextCursor` of an earlier response"""


class DeliveryState(TypedDict):
    waiting: int
    """notices that are to be delivered"""
    delivered: int
    """notices that were"""
    dead: int
    """notices that are no longer retried; they can be replayed"""
    lost: int
    """notices that found no room any more, because too many wait or are dead"""
    failing: int
    """times in a row that something could not be delivered"""
    lastDeliveredAt: NotRequired[str]
    lastFailedAt: NotRequired[str]
    lastFailure: NotRequired[str]
    """why the last try that failed did"""


class Directives(TypedDict):
    """structured directives"""

    program_settings: NotRequired[dict[str, dict[str, str | float | bool]]]
    """parameters by program; `default` applies to every program that has the key. Each value must be of the type of its parameter (docs/parameters.md)"""
    stop_conditions: NotRequired[StopConditions]
    file_preferences: NotRequired[FilePreferences]
    workflow_preferences: NotRequired[WorkflowPreferences]
    constraints: NotRequired[list[str]]
    """free text; 'no … until R-free < …' is followed, everything else is only shown"""


class EarlierSession(TypedDict):
    """an earlier session of the same data in the same proposal; of several a duplicate, and of those the newest"""

    session: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    same: Literal["everything", "data"]
    """everything: the contents of all files, the settings and what is asked for; data: the contents of reflections and maps alone"""


class Ending(TypedDict):
    """how a launch of a program ended"""

    kind: Literal["exited", "signalled", "wall_clock_limit", "memory_limit", "output_limit", "disk_full", "cancelled", "lost", "not_started", "disrupted", "node_lost", "job_deleted", "image_unavailable", "unschedulable", "gpu_unavailable"]
    message: str
    """one sentence for the user, with the cause"""
    infrastructure: bool
    """true: the machine failed, a new attempt is right; false: the program ended by itself, analysis judges it"""
    endedAt: str
    durationMs: float
    """wall time of the program in milliseconds"""
    exitCode: NotRequired[int]
    signal: NotRequired[str]
    """its name"""
    nextAction: NotRequired[str]
    """what happens next or whom to ask, in one sentence; absent where the analysis says it"""
    peakMemoryMiB: NotRequired[float]
    """largest resident memory of the program's processes in MiB, where the system tells"""


class Event(TypedDict):
    """an event with its place in the stream"""

    type: Literal["cycle_start", "cycle_complete", "state_detected", "metrics_extracted", "metrics_trend", "sanity_check", "program_selected", "program_modified", "stop_decision", "directive_applied", "user_request_invalid", "files_selected", "file_scored", "command_built", "thought", "error", "warning", "debug", "session_submitted", "session_forked", "advice_read", "session_prioritised", "session_recovered", "session_cancelling", "session_resumed", "cycles_removed", "session_ended", "attempt_waiting", "attempt_started", "attempt_ended"]
    cycle: int
    """0: the session itself"""
    at: str
    message: str
    """one sentence for people"""
    data: dict[str, Any]
    """the same as data"""
    id: str
    """its place in the stream, as the store numbers it (`1732-0`); pass it as Last-Event-ID or ?after="""


class EventList(TypedDict):
    """a part of a session's events"""

    events: list[Event]
    next: str
    """where the next part begins, pass it as ?after=: the id of the last event, or the one that was asked for"""


class ExpectedWait(TypedDict):
    """how long a session that is submitted now would wait for its first slot"""

    seconds: NotRequired[int]
    """until its first program starts, at the recent rate, no promise; 0: at once. Absent while nobody can tell"""
    reason: NotRequired[str]
    """what stands in the way, in one sentence without its end; absent where nothing does"""


class FieldProblem(TypedDict):
    """one thing that is wrong, with a code that programs can compare"""

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
    """column labels joined as programs take them, for example `FP,SIGFP`"""
    kind: Literal["amplitude", "intensity"]
    anomalous: bool


class FileFactsMtz(TypedDict):
    reflections: float | None
    highResolution: float | None
    """Å; 0 where nobody has read the file"""
    lowResolution: float | None
    """Å"""
    columns: list[FileFactsMtzColumns]
    observations: list[FileFactsMtzObservations]
    mapCoefficients: list[str]
    """labels of map-coefficient pairs, for example `FWT,PHWT`"""
    phases: list[str]
    """labels of experimental or model phases (PHIB, HLA...)"""
    freeFlag: NotRequired[str]
    """label of the R-free flag column that is used, if there is one"""
    otherFreeFlags: NotRequired[list[str]]
    """labels of further columns of R-free flags; absent where there is none"""
    otherArrays: NotRequired[list[str]]
    """labels of observations in further blocks of the file; absent where there is none"""
    unmerged: NotRequired[Literal[True]]
    """each reflection was measured several times, and its measurements are listed one by one"""
    unscaled: NotRequired[Literal[True]]
    """the intensities of an unmerged file are as they were integrated: nobody has scaled them"""
    withoutValues: NotRequired[list[str]]
    """labels of columns that hold no data: every value is missing, or all are equal; absent where there is none"""
    withoutFreeFlag: NotRequired[Literal[True]]
    """whoever has the file says that it has no R-free flags; of files that nobody here could read"""
    freeSet: NotRequired[str]
    """which reflections are free: the smallest hashes of their indices, hexadecimal and sorted, see `isSameFreeSet`; absent where there is no column or the file is too large"""


class FileFactsModel(TypedDict):
    atoms: float | None
    chains: list[str]
    polymerResidues: float | None
    """protein or nucleic acid"""
    waters: float | None
    ligandCodes: list[str]
    """residue names that are neither polymer, water nor a common ion, each once"""
    predicted: bool
    """a predicted model (AlphaFold and the like): the B column holds pLDDT, or the file says so"""
    meanB: float | None
    """mean of the B column"""
    nucleicResidues: NotRequired[float | None]
    """those of the polymer residues that are DNA or RNA; absent where there are none"""
    modifiedResidues: NotRequired[list[str]]
    """residue names in the polymer that are none of the standard ones, each once; absent where there are none"""
    sequences: NotRequired[list[str]]
    """its protein chains in one-letter code, each once; absent where there is none or it is long (10 000 letters)"""


class FileFactsMapFingerprint(TypedDict):
    """by which half maps are recognised; absent where there is no noise at the rim: a mask, or density that was masked"""

    means: str
    """means of its blocks, two hexadecimal digits each: 128 is their mean, 1 or 255 the largest"""
    noise: str
    """differences of neighbouring points at the rim of its box, written likewise"""
    noiseRms: float | None
    """of all differences at the rim, in the units of the map"""


class FileFactsMap(TypedDict):
    grid: list[float | None]
    """grid points along x, y, z"""
    mode: float | None
    voxel: float | None
    """Å per grid point along x"""
    mask: NotRequired[Literal[True]]
    """its values lie within 0 and 1 and most are one of the two: a mask, no density"""
    fingerprint: NotRequired[FileFactsMapFingerprint]
    """by which half maps are recognised; absent where there is no noise at the rim: a mask, or density that was masked"""


class FileFactsRestraints(TypedDict):
    codes: list[str]
    """component codes that a restraint dictionary defines"""


class FileFactsSequence(TypedDict):
    chains: float | None
    residues: float | None
    distinct: NotRequired[float | None]
    """how many of the chains differ; a homodimer that is listed chain by chain has 1"""
    sequences: NotRequired[list[str]]
    """the different chains in one-letter code; absent where they are long (10 000 letters)"""


class FileFacts(TypedDict):
    """what the file is, read from its content"""

    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    assumed: NotRequired[Literal[True]]
    """guessed from the name, the file could not be read; counts then say only whether there is any (1) or none (0)"""
    notes: NotRequired[list[str]]
    """what its reader found odd, or left aside, a sentence each: other blocks, a header that its values contradict"""
    cell: NotRequired[list[float | None]]
    """a, b, c in Å, alpha, beta, gamma in degrees"""
    spaceGroup: NotRequired[str]
    mtz: NotRequired[FileFactsMtz]
    model: NotRequired[FileFactsModel]
    map: NotRequired[FileFactsMap]
    restraints: NotRequired[FileFactsRestraints]
    sequence: NotRequired[FileFactsSequence]


class FilePin(TypedDict):
    """identity of the file that was accepted; a file that has changed is not used"""

    inode: str
    """number in its file system, as text: it can be larger than a number is exact"""
    size: int
    """bytes"""
    modified: str
    """time of its last change in nanoseconds since 1970, as text"""
    sha256: NotRequired[str]
    """of its content, in hexadecimal; absent where the file is too large to be read for it"""


class FilePreferences(TypedDict):
    """base names or paths of submitted files"""

    model: NotRequired[str]
    """name or path of the submitted model that is meant"""
    sequence: NotRequired[str]
    data_mtz: NotRequired[str]
    map_coeffs_mtz: NotRequired[str]
    exclude: NotRequired[list[str]]
    """never used"""


class Finding(TypedDict):
    """one look at a site; with why and remedy unless all is well"""

    check: str
    """what was looked at, such as `redis.eviction`; stays the same from release to release"""
    level: Literal["ok", "warning", "error"]
    seen: str
    """what was found, in one sentence"""
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
    """how well the result of a session fits its data: R-free of a crystal, a correlation with a map"""

    metric: str
    """the metric's name, for example `r_free`"""
    value: float
    resolution: NotRequired[float]
    """Å; absent while nobody knows it"""
    rWork: NotRequired[float]
    """R-work beside an R-free, where it was measured"""
    quality: NotRequired[Literal["good", "acceptable", "needs improvement"]]
    """what the number is worth at this resolution; absent where the knowledge has no bands for it"""
    trend: NotRequired[Literal["better", "worse", "unchanged"]]
    """where the number went when it was last measured anew; absent of the first"""


class FlagSetting(TypedDict):
    """a setting that is true or false"""

    type: Literal["boolean"]
    default: bool
    what: str
    """what it is for"""


class FolderEntries(TypedDict):
    """what lies in a folder"""

    name: str
    """of a data folder itself its whole path"""
    path: str
    """absolute; what a submission names"""
    kind: Literal["folder", "file"]
    size: NotRequired[int]
    """bytes; of a file"""
    changedAt: NotRequired[str]
    """of a file"""
    likely: NotRequired[Literal[True]]
    """its ending is one of data, models, sequences or dictionaries; what is in it was not looked at"""


class Folder(TypedDict):
    """a folder from which can be submitted"""

    path: str
    """resolved; empty: these are the data folders"""
    entries: list[FolderEntries]
    """folders first, each by name; names that begin with a dot are not listed"""
    skipped: int
    """on this page: links that lead out of the data folders, and what is neither a file nor a folder"""
    above: NotRequired[str]
    """the folder that it lies in; absent of a data folder"""
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""
    more: NotRequired[Literal[True]]
    """it holds more than is looked at: what is not listed can be named by its path"""


class ForkRequestLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class ForkRequest(TypedDict):
    cycle: int
    """the fork continues after this cycle, which has to be finished"""
    title: NotRequired[str]
    """a name for people; by default the name of the first file"""
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    ligands: NotRequired[list[ForkRequestLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """with which its programs wait for a place"""


GuidanceSources = TypedDict(
    "GuidanceSources",
    {
        "from": 'Literal["text", "file", "readme"]',
        "text": 'str',
        "file": NotRequired['str'],
        "cut": NotRequired['Literal[True]'],
    },
)


class GuidanceModelReadingDropped(TypedDict):
    words: str
    why: str


class GuidanceModelReading(TypedDict):
    """what models had to do with the reading; absent: none was asked"""

    prompt: str
    """id and version of the prompt: `directives 1`"""
    requests: int
    """that were made, failed ones too; 0: the reply was there from an earlier try of this step"""
    target: NotRequired[str]
    """name of the target whose model read it; absent: the rules read it alone"""
    model: NotRequired[str]
    """its model"""
    hash: NotRequired[str]
    """of what was asked, SHA-256, hexadecimal: `models/` in the folder of the session has the raw reply"""
    dropped: NotRequired[list[GuidanceModelReadingDropped]]
    """what the model read and the text does not support, and why it is not followed; absent: nothing"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted"]]
    """why no model read it"""
    why: NotRequired[str]
    """the same in words"""


class Guidance(TypedDict):
    """what is asked for: the advice in plain words with what was understood of it, and the directives that the client gave"""

    revision: int
    """1: of the submission; grows by one with every change"""
    at: str
    sources: list[GuidanceSources]
    """the advice in plain words, as it was given; the first counts most"""
    hash: str
    """SHA-256 of the text that was read, hexadecimal; empty where nothing was said"""
    reader: Literal["rules", "model"]
    """who read it; model: the rules, and a language model beside them"""
    reading: AdviceReading
    overruled: list[str]
    """which value took the place of which, one sentence each"""
    modelReading: NotRequired[GuidanceModelReading]
    """what models had to do with the reading; absent: none was asked"""
    directives: NotRequired[Directives]
    directivesSince: NotRequired[int]
    """revision with which the client gave the directives; absent: there are none"""
    changedAfter: NotRequired[int]
    """the submitter said something new after this cycle (0: before the first)"""
    endsAfter: NotRequired[int]
    """'stop' was all that was said: the session ends when so many cycles are done"""


class IdentityProviderDevice(TypedDict):
    """how phx logs people in"""

    clientId: str
    """what phx calls itself there; no secret"""
    scopes: str
    """what it asks for, with blanks between them"""


class IdentityProviderBrowser(TypedDict):
    """how browsers log in, with a cookie; absent: with keys alone"""

    loginUrl: str
    """where a browser goes to log in; `return_to` names the path where it goes afterwards"""
    name: str
    """what people call the provider"""


class IdentityProvider(TypedDict):
    """the provider whose tokens open the gateway, beside keys; absent: keys alone"""

    issuer: str
    """its address: an issuer as OpenID Connect has it"""
    device: NotRequired[IdentityProviderDevice]
    """how phx logs people in"""
    browser: NotRequired[IdentityProviderBrowser]
    """how browsers log in, with a cookie; absent: with keys alone"""


class Identity(TypedDict):
    """how people log in"""

    provider: NotRequired[IdentityProvider]
    """the provider whose tokens open the gateway, beside keys; absent: keys alone"""


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
    """one sentence, shown to whoever waits; empty: none was given"""
    by: str
    """who said so; empty: nobody was named, or it never changed"""
    since: str
    """ISO 8601; empty if it never changed"""
    maintenance: NotRequired[LaunchMaintenance]
    """the window that holds launches; absent: an administrator holds them, or nobody does"""


class LaunchRequest(TypedDict):
    mode: Literal["open", "paused", "draining"]
    reason: NotRequired[str]
    """why, in one sentence"""
    by: NotRequired[str]
    """who says so"""


class Ligand(TypedDict):
    """what speaks for the ligand; of several the best one that the model holds, else the best"""

    inModel: bool
    """the model holds it; false: nothing confirms it, or it is not merged yet. The summary says why"""
    code: NotRequired[str]
    """its component"""
    cc: NotRequired[float]
    """correlation of the fit with the map"""
    atoms: NotRequired[int]
    """atoms of the ligand"""
    atomsInDensity: NotRequired[int]
    """of these, where the map is above 1 rms"""
    omitCc: NotRequired[float]
    """CC(1,3) of its omit (polder) map"""


class ListSetting(TypedDict):
    """a setting that is a list of names"""

    type: Literal["list"]
    default: list[str]
    what: str
    """what it is for"""


class LogSummary(TypedDict):
    """what the log of a finished cycle says: the outcome of the run, its numbers, errors and warnings"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    program: str
    """which wrote the log"""
    state: Literal["ready", "pending", "failed"]
    """ready: it is as it stays until one is asked for; pending: a model has not written it yet; failed: no model has. Unless a model has written it, the rules have"""
    cycle: int
    """whose log it is of"""
    writtenAt: str
    writtenBy: Literal["rules", "model"]
    parts: list[LogSummaryPart]
    """all three, in their order"""
    requestedAt: NotRequired[str]
    """since when a model is to write it"""
    target: NotRequired[str]
    """the target whose model wrote it"""
    model: NotRequired[str]
    """its model"""
    hash: NotRequired[str]
    """of what was asked, SHA-256; `models/` in the folder of the session has the raw reply"""
    failed: NotRequired[Literal["model_invalid", "model_unavailable", "model_rate_limited", "model_quota", "model_auth", "model_refused", "model_budget", "context_limit", "aborted", "error"]]
    """why no model has written it"""
    why: NotRequired[str]
    """the same in a sentence"""


class LogSummaryPartUnsupported(TypedDict):
    """a number of a model's text that is none of the session's"""

    text: str
    """as it stands there"""
    at: int
    """characters of the part before it"""


class LogSummaryPart(TypedDict):
    """a part of the summary of a log"""

    part: Literal["outcome", "numbers", "findings"]
    title: str
    text: str
    """plain text in one line, without hidden characters; it may quote the submitter and programs"""
    unsupported: NotRequired[list[LogSummaryPartUnsupported]]
    """numbers of a model's text that this service does not find, in their order; absent: there is none"""


class Logout(TypedDict):
    """how the login of a browser ended"""

    provider: NotRequired[str]
    """where the browser ends its session with the provider itself; absent: nowhere"""


class Maintenance(TypedDict):
    windows: list[MaintenanceWindow]
    """those that are not over, the next first"""


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
    """who you are to the gateway"""

    id: str
    """who it is; empty: nobody was asked, for the gateway is open"""
    role: Literal["user", "staff", "admin", "kiosk", "service"]
    """what they are to the service"""
    proposals: list[str]
    """proposals that they belong to; `*`: a service may submit to all of its beamlines"""
    beamlines: list[str]
    """beamlines that they work at; empty for users and administrators"""
    scopes: list[Literal["read", "submit", "change", "decide", "admin"]]
    """what they may do, within their role"""
    openAccess: NotRequired[Literal["this-machine", "everybody"]]
    """only of a gateway that has no keys: who reaches it, and may do everything"""
    uploads: NotRequired[UploadRules]
    timeZone: NotRequired[str]
    """time zone of the facility, in which people see times; absent: of an older release"""


class Metric(TypedDict):
    name: str
    """for example `r_free`"""
    value: str | float | bool
    line: int
    """line of the log, from 1"""
    pattern: str
    """the id of the pattern or table reader that found it"""
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    """absent for fractions, counts and words"""


class MetricDefinitionsMetricsBands(TypedDict):
    good: float
    acceptable: float
    poor: float
    at: NotRequired[float]
    """Å; between two the limits are linear, beyond the ends constant; absent where they hold at every resolution"""


class MetricDefinitionsMetrics(TypedDict):
    label: str
    better: Literal["lower", "higher", "neither"]
    decimals: float
    why: str
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    significant: NotRequired[float]
    """a change smaller than this is none"""
    of_map: NotRequired[bool]
    """a correlation with the map of its program, which has to be named with it"""
    bands: NotRequired[list[MetricDefinitionsMetricsBands]]


class MetricDefinitions(TypedDict):
    metrics: dict[str, MetricDefinitionsMetrics]
    """by name"""


class NewApiKey(TypedDict):
    """a key that was made just now"""

    key: str
    """the whole key: it is shown only once, and kept nowhere"""
    record: ApiKey


class NewWebhook(TypedDict):
    """a webhook that was made just now"""

    secret: str
    """what messages are signed with: it is shown only once; empty: e-mail, which is not signed"""
    webhook: Webhook


class NotOffered(TypedDict):
    program: str
    why: str
    """why it was not among the choices, in one sentence"""


class NumberSetting(TypedDict):
    """a setting that is a number"""

    type: Literal["integer", "number"]
    default: float
    min: float
    max: float
    what: str
    """what it is for"""


class Ok(TypedDict):
    status: Literal["ok"]


class Operation(TypedDict):
    """something that a session did"""

    path: str
    """where it stands: `2` is cycle 2, `2.1` its first operation, `2.1.3` the third in that; `a1` is the first assessment"""
    kind: Literal["cycle", "decision", "request", "wait", "program", "analysis", "assessment"]
    what: str
    """in a few words: a program, a target and its model"""
    status: Literal["open", "done", "failed"]
    startedAt: NotRequired[str]
    """absent where nobody has written it down"""
    endedAt: NotRequired[str]
    note: NotRequired[str]
    """its outcome, in a sentence"""
    hash: NotRequired[str]
    """of a request: SHA-256 of what was asked; `models/` in the folder of the session has the raw reply"""
    spent: NotRequired[Spent]


class OrphanOwner(TypedDict):
    sessionId: str
    cycle: int
    attempt: int
    proposal: str


class Orphan(TypedDict):
    """a run that a backend holds and no session wants"""

    name: str
    owner: OrphanOwner
    createdAt: str
    reason: str
    """why no session wants it, in one sentence"""
    firstSeenAt: str
    sightings: int
    """looks, some time apart, at which it was an orphan; from `sightingsOfOrphan` on it may be removed"""
    removing: bool
    """somebody asked for its removal; an executor will remove it"""


class OrphanRemoval(TypedDict):
    removing: list[str]
    """names of runs that an executor removes now; `orphans` shows them until they are gone"""


class Orphans(TypedDict):
    orphans: list[Orphan]


class Outcome(TypedDict):
    """the outcome of a session (docs/outcomes.md)"""

    word: Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]
    sentence: str
    """what the word means"""
    next: str
    """what to do"""


class OutputFile(TypedDict):
    """a file that a cycle made"""

    cycle: int
    program: str
    name: str
    """relative to the attempt's folder; unique inside its cycle"""
    path: str
    size: int
    """bytes"""
    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    href: str
    """the URL to download it from"""


class PinRequest(TypedDict):
    """why a session is to be kept"""

    reason: str
    """why, in one sentence"""
    by: NotRequired[str]
    """who says so, where the gateway has no keys"""


class PriorityRequest(TypedDict):
    priority: Literal["live", "standard", "backfill"]
    """with which its programs wait for a place from now on"""


class Problem(TypedDict):
    """an error as RFC 9457 prints it"""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    """one of request.bad_json, request.invalid, request.unsupported_media_type, request.too_large, request.uri_too_long, request.headers_too_large, request.timeout, request.rejected, request.too_many, request.foreign_page, request.unmarked, request.foreign_host, access.no_credentials, access.bad_credentials, access.login_ended, access.denied, access.provider_unavailable, access.members_unavailable, login.off, login.not_begun, login.refused, key.not_found, key.exists, key.no_installation_key, webhook.not_found, webhook.off, webhook.too_many, webhook.no_installation_key, route.not_found, dashboard.absent, submission.invalid, session.not_found, session.ambiguous, session.ended, session.not_ended, session.purged, session.cancelling, session.changed, advice.changed, advice.no_precondition, cycle.not_found, cycle.not_finished, log.not_found, file.not_found, file.changed, fork.file_changed, file.no_such_range, files.busy, upload.off, upload.not_found, upload.version, upload.too_large, upload.too_long, upload.day_full, upload.exists, upload.wrong_offset, upload.complete, upload.busy, upload.bad_checksum, upload.bad_file, upload.refused, upload.no_space, audit.unwritable, queue.not_found, job.not_found, job.not_delayed, step.not_found, maintenance.not_found, maintenance.too_many, administration.off, batch.not_found, batch.invalid, batch.full, batch.cancelled, manifest.invalid, idempotency.conflict, events.too_many_streams, inspection.busy, decisions.busy, decision.too_costly, storage.unavailable, service.unavailable, service.not_ready, service.error, or a fault's own"""
    requestId: str
    """id of the request, as in X-Request-Id; where the service failed (5xx), the log of the gateway says more under it"""
    problems: NotRequired[list[FieldProblem]]
    """all problems at once"""
    traceId: NotRequired[str]
    """of the trace that the request belongs to, as in Trace-Id; absent: the service is not traced"""


class Program(TypedDict):
    """a program that the agent knows or the backend has"""

    program: str
    installed: bool
    provider: NotRequired[Literal["phenix", "open-phenix", "simulated"]]
    version: NotRequired[str]
    withheld: NotRequired[str]
    """why the site does not let it run; it then counts as not installed"""


class Programs(TypedDict):
    backend: Literal["local", "kubernetes"]
    programs: list[Program]
    probedAt: NotRequired[str]
    """absent while no executor has published its programs"""


class PromptMessages(TypedDict):
    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(TypedDict):
    """a question to models"""

    prompt: str
    """id and version of the prompt: `plan 1`"""
    hash: str
    """of what was asked, SHA-256, hexadecimal"""
    used: bool
    """whether the reply was followed: by the decision, or in the reading of the advice"""
    requests: int
    """of the ledger that have asked it"""
    messages: NotRequired[list[PromptMessages]]
    """what was asked; absent where no reply was kept"""
    target: NotRequired[str]
    """whose reply it is"""
    model: NotRequired[str]
    """its model"""
    reply: NotRequired[str]
    """as it came, before anybody read it"""
    cut: NotRequired[bool]
    """true: the reply is longer than the target may answer, and ends somewhere"""


class Prompts(TypedDict):
    """what models were asked in a cycle, and what they replied"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    cycle: int
    prompts: list[Prompt]
    """in the order in which they were asked"""


class Provenance(TypedDict):
    """what a decision was made with, beside the earlier cycles and the guidance: by it the decision can be replayed"""

    release: str
    """release of phenix-fleet"""
    knowledge: str
    """SHA-256 of the files of the knowledge, hexadecimal"""
    request: str
    """SHA-256 of what the session requested: settings, files, directives, ligands, steering"""
    rule: str
    """id of the detection rule of the workflow that held"""
    image: NotRequired[str]
    """digest of the program's image, `sha256:…`; absent: no container, or its image is named by a tag only"""
    unavailable: NotRequired[list[str]]
    """programs that were not installed, or not allowed by the site; absent: none"""
    skippedFiles: NotRequired[list[str]]
    """files of the session that were gone or changed on disk; absent: none"""
    pastStop: NotRequired[Literal[True]]
    """a stop rule held already: the session was resumed after its end"""


class PurgeReportRules(TypedDict):
    rule: str
    """in words"""
    folders: int
    """folders of sessions"""
    bytes: int
    """bytes that their files had for themselves"""
    records: int
    """sessions of which nothing stays"""


class PurgeReportFailed(TypedDict):
    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    reason: str


class PurgeReport(TypedDict):
    """what was deleted, or would be"""

    rules: list[PurgeReportRules]
    held: int
    """sessions that are due and are kept: pinned, in use, or of a batch that still runs"""
    failed: list[PurgeReportFailed]
    """could not be deleted; a gateway tries again the next day"""
    nextCursor: NotRequired[str]
    """more may be due: pass it as `after`"""


class PurgeRequest(TypedDict):
    dryRun: NotRequired[bool]
    """true: nothing is deleted"""
    after: NotRequired[str]
    """`nextCursor` of an earlier response"""


class QueueListQueuesJobs(TypedDict):
    """how many are at each place"""

    active: int
    waiting: int
    delayed: int
    failed: int


class QueueListQueues(TypedDict):
    """a queue"""

    name: Literal["decisions", "executions", "analyses"]
    isPaused: bool
    """whether the queue itself gives out no jobs; nothing of this service pauses one"""
    jobs: QueueListQueuesJobs
    """how many are at each place"""
    oldestWaitingAt: NotRequired[str]
    """when the one was added that waits longest; absent where none waits"""


class QueueList(TypedDict):
    queues: list[QueueListQueues]


class QueueStatus(TypedDict):
    """where a program stands that waits for a slot"""

    reason: str
    """what stands in the way, in one sentence without its end"""
    position: int
    """from 1, among those that the same thing stands in the way of"""
    of: int
    """how many wait for it"""
    since: str
    """since when it waits"""
    oldestSince: str
    """since when the one waits for it that waits longest"""
    estimatedStart: NotRequired[str]
    """at the recent rate; no promise. Absent while nobody can tell"""


class QueueStatusAnswer(TypedDict):
    """absent: its program does not wait for a slot, or is next"""

    queueStatus: NotRequired[QueueStatus]


class QueuedJob(TypedDict):
    """a wake-up in its queue"""

    id: str
    """of its wake-up: `<session>-v<version>-w<wake-ups>`"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    """the step"""
    place: Literal["active", "waiting", "delayed", "failed"]
    relevance: Literal["due", "stale", "unknown"]
    tries: int
    """tries that were begun and have ended"""
    mostTries: int
    """after as many it is failed"""
    addedAt: str
    sessionId: NotRequired[str]
    """absent where its payload cannot be read"""
    title: NotRequired[str]
    """of its session; absent where there is none"""
    startedAt: NotRequired[str]
    """when a worker took it up last"""
    endedAt: NotRequired[str]
    """when its last try ended"""
    beginsAt: NotRequired[str]
    """of a delayed one: when it is tried again"""
    reason: NotRequired[str]
    """what its last failure said"""


class QueuedJobDetail(TypedDict):
    """a wake-up in its queue, with all that its queue knows of it"""

    id: str
    """of its wake-up: `<session>-v<version>-w<wake-ups>`"""
    queue: Literal["decisions", "executions", "analyses"]
    job: str
    """the step"""
    place: Literal["active", "waiting", "delayed", "failed"]
    relevance: Literal["due", "stale", "unknown"]
    tries: int
    """tries that were begun and have ended"""
    mostTries: int
    """after as many it is failed"""
    addedAt: str
    payload: str
    """as JSON, shortened: ids and versions, never contents of files"""
    stack: list[str]
    """where the last failure came from, a line an entry"""
    sessionId: NotRequired[str]
    """absent where its payload cannot be read"""
    title: NotRequired[str]
    """of its session; absent where there is none"""
    startedAt: NotRequired[str]
    """when a worker took it up last"""
    endedAt: NotRequired[str]
    """when its last try ended"""
    beginsAt: NotRequired[str]
    """of a delayed one: when it is tried again"""
    reason: NotRequired[str]
    """what its last failure said"""


class QueuedJobs(TypedDict):
    jobs: list[QueuedJob]
    hidden: int
    """jobs of this page that are left out: their sessions are foreign"""
    total: int
    """jobs at this place of the queue"""
    nextOffset: NotRequired[int]
    """pass it as ?offset= to continue; absent on the last page"""


class ReadingRequest(TypedDict):
    advice: str
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    experiment: NotRequired[Literal["xray", "cryoem"]]
    """absent: as the words say"""


class RecoveryRecovered(TypedDict):
    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    cycle: int
    trusted: bool
    """true: nothing but somebody's word shows that the file is what this installation wrote"""
    missingFiles: list[str]
    """files that the record names and that are not there, at most 20"""


class RecoveryUntrusted(TypedDict):
    """left out, because nothing shows that this installation wrote the file; otherwise it could be used"""

    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    cycle: int
    folder: str
    title: str
    reason: str
    """why it is not authenticated, in one sentence"""
    digest: str
    """to be sent back by whoever trusts this very content"""


class RecoverySkipped(TypedDict):
    folder: str
    code: str
    reason: str


class Recovery(TypedDict):
    recovered: list[RecoveryRecovered]
    """written into the store; those that have not ended continue by themselves"""
    existing: list[str]
    """ids that the store has already: left alone, for the store is newer than the file"""
    untrusted: list[RecoveryUntrusted]
    skipped: list[RecoverySkipped]
    """folders whose file cannot be used, and why; `code` tells a newer release's file (`session_file.newer`) from a damaged one"""
    notListed: int
    """folders that were left out beyond those that are listed"""


class RecoveryRequest(TypedDict):
    trust: NotRequired[dict[str, str]]
    """session id to digest, as in an earlier response: files to accept although they cannot be authenticated"""
    by: NotRequired[str]
    """who vouches for them; recorded in the events of the sessions"""


class ReplayCounts(TypedDict):
    same: int
    differs: int
    undetermined: int


class Replay(TypedDict):
    """the decisions of a session, each made again from what was known before it"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    release: str
    """that replayed the decisions"""
    knowledge: str
    """SHA-256 of the knowledge that replayed them, hexadecimal"""
    counts: ReplayCounts
    cycles: list[ReplayedCycle]
    """in their order; the last entry may be the end of the session"""


class ReplayRequest(TypedDict):
    notices: NotRequired[list[str]]
    """which; absent: all"""


class Replayed(TypedDict):
    replayed: int
    """dead notices that wait again"""


class ReplayedCycleRecorded(TypedDict):
    """what was, or would be, done in a cycle"""

    program: str
    """name of the program, or STOP"""
    detail: str
    """its command, or why the session ends"""


class ReplayedCycleReplayed(TypedDict):
    """what was, or would be, done in a cycle"""

    program: str
    """name of the program, or STOP"""
    detail: str
    """its command, or why the session ends"""


class ReplayedCycle(TypedDict):
    """one decision, made again"""

    cycle: int
    """number of the cycle; for the end of a session the number behind its last cycle"""
    result: Literal["same", "differs", "undetermined"]
    recorded: ReplayedCycleRecorded
    """what was, or would be, done in a cycle"""
    replayed: NotRequired[ReplayedCycleReplayed]
    """what was, or would be, done in a cycle"""
    rule: NotRequired[str]
    """of a difference: the first rule that differs, for example `xray detection refine`"""
    reason: NotRequired[str]
    """why it differs, or why it is undetermined, in a sentence"""
    provenance: NotRequired[Provenance]


Resources = TypedDict(
    "Resources",
    {
        "class": 'Literal["cpu", "gpu"]',
        "cpus": 'float',
        "memoryMiB": 'float',
    },
)


class ResultMetric(TypedDict):
    """the last value of a metric, and where it comes from"""

    name: str
    """for example `r_free`"""
    value: str | float | bool
    cycle: int
    """the last one that measured it"""
    program: str
    unit: NotRequired[Literal["Å", "%", "Å²", "°"]]
    """absent for fractions, counts and words"""


class ResultsSubmitted(TypedDict):
    """the outcome of a submitted file"""

    path: str
    """as the record has it"""
    used: bool
    """false: no program is given it"""
    text: str
    """used as what and by which programs, or why it is not"""
    notes: NotRequired[list[str]]
    """what is to be known about it, a sentence each: what its reader found, and which of its columns count"""


class Results(TypedDict):
    """what a session has brought so far, or in the end"""

    id: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    simulated: bool
    folder: str
    bestFiles: list[BestFile]
    metrics: list[ResultMetric]
    files: list[OutputFile]
    submitted: list[ResultsSubmitted]
    """the outcome of each submitted file"""
    summary: str
    """where the session in words can be read"""
    stop: NotRequired[Stop]
    outcome: NotRequired[Outcome]


class ResumptionLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class Resumption(TypedDict):
    files: NotRequired[list[str]]
    """more files: absolute paths below the data folders"""
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    ligands: NotRequired[list[ResumptionLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class RetryRequest(TypedDict):
    of: NotRequired[list[Literal["rejected", "failed", "unsatisfactory", "cancelled", "duplicate"]]]
    """rows that are rejected, or whose session ended so"""


class RowsAdded(TypedDict):
    """the outcome of rows that were sent"""

    added: int
    """rows that are new"""
    known: int
    """rows that the batch has already: the same content"""
    unreadable: int
    """rows that were sent and cannot be read; their problems are among the rows"""
    rows: int
    """that the batch has now"""


class RowsRetried(TypedDict):
    """rows that are run again"""

    retried: int
    """rows that are run again"""


class SessionWaiting(TypedDict):
    """the next decision, which waits for a language model (setting `model_outage`)"""

    since: str
    """since when it could have been made"""
    reason: str
    """why no language model answers"""


class SessionFileUses(TypedDict):
    """the outcome of a submitted file"""

    path: str
    """as the record has it"""
    used: bool
    """false: no program is given it"""
    text: str
    """used as what and by which programs, or why it is not"""
    notes: NotRequired[list[str]]
    """what is to be known about it, a sentence each: what its reader found, and which of its columns count"""


class Session(TypedDict):
    """a session: the record itself, what follows from it, and where to continue"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """grows by one with every transition; a step that carries another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper had to wake the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    request: SessionRequest
    cycles: list[Cycle]
    simulated: bool
    """true when any program of it was a scripted stand-in"""
    links: SessionLinks
    stop: NotRequired[Stop]
    guidance: NotRequired[Guidance]
    waiting: NotRequired[SessionWaiting]
    """the next decision, which waits for a language model (setting `model_outage`)"""
    outcome: NotRequired[Outcome]
    similar: NotRequired[list[SimilarSession]]
    """in the answer to a submission: other sessions of the same data, duplicates first and then the newest; absent where there is none"""
    fileUses: NotRequired[list[SessionFileUses]]
    """in the answer to a submission: the outcome of each file"""


class SessionCountsSessions(TypedDict):
    """by status"""

    running: int
    cancelling: int
    completed: int
    unsatisfactory: int
    failed: int
    cancelled: int


class SessionCountsOutcomes(TypedDict):
    """those that have ended by outcome (docs/outcomes.md)"""

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
    """how many sessions there are, of those that one sees, and why none of their programs starts where an administrator has said so"""

    sessions: SessionCountsSessions
    """by status"""
    outcomes: SessionCountsOutcomes
    """those that have ended by outcome (docs/outcomes.md)"""
    waiting: int
    """of those that run: whose next program waits for a slot"""
    oldestWaitingSince: NotRequired[str]
    """since when the one waits that waits longest; absent: none waits"""
    launches: NotRequired[Launch]


class SessionFile(TypedDict):
    """a file of a session: submitted, or made by a cycle"""

    path: str
    """absolute, resolved"""
    size: int
    """bytes"""
    cycle: int
    """0: submitted"""
    facts: FileFacts
    program: NotRequired[str]
    """what wrote it; absent for submitted files"""
    pin: NotRequired[FilePin]


class SessionHead(TypedDict):
    """the small, hot part of a session: enough to route it"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """grows by one with every transition; a step that carries another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper had to wake the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    advised: NotRequired[int]
    """revision of the guidance, where it has changed since the submission"""


class SessionLinks(TypedDict):
    """URLs of what belongs to a session"""

    self: str
    status: str
    events: str
    results: str
    summary: str


class SessionList(TypedDict):
    sessions: list[SessionRow]
    nextCursor: NotRequired[str]
    """pass it as ?cursor= to continue; absent on the last page"""


class SessionRequestSettings(TypedDict):
    """every setting with its value; see GET /v1/settings"""

    max_cycles: int
    """stop after this many cycles"""
    experiment_type: Literal["auto", "xray", "cryoem"]
    """what the data are"""
    resolution: float
    """high-resolution limit in Å; 0: from the data"""
    analysis_only: bool
    """analyse the data, solve nothing"""
    r_free_target: float
    """stop at this R-free (fraction); 0: by resolution"""
    map_cc_target: float
    """stop at this map correlation; 0: default target"""
    max_refine_cycles: int
    """refinement runs before validation"""
    program_time_limit: int
    """minutes a program may run; 0: its own limit"""
    simulated_programs: list[str]
    """programs that may be simulated where they are not installed"""
    maximum_automation: bool
    """predict, place and build in one run; false: step by step"""
    abort_on_red_flags: bool
    """stop when something is critically wrong"""
    abort_on_warnings: bool
    """stop at warnings too"""
    use_rules_only: bool
    """ask no language model, even where the site has one"""
    model_outage: Literal["rules", "wait"]
    """while no language model can be reached: let the rules decide, or wait"""


class SessionRequestLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class SessionRequestSteeringRetry(TypedDict):
    """runs next in spite of its failures, until a cycle after `after` ran it"""

    program: str
    after: int


class SessionRequestSteeringRecoveries(TypedDict):
    """what the next run on a file does differently, as somebody else has found out"""

    file: str
    """the file that made the error: it counts only where the command takes that file; path or base name"""
    programs: list[str]
    """programs that it is for; none: every one that knows the parameters"""
    set: dict[str, str | float | bool]
    """by the program's own parameter or by strategy key"""
    why: str


class SessionRequestSteering(TypedDict):
    """what the cycles do not say: new advice, retries, blocked programs"""

    cyclesDone: NotRequired[int]
    """how many cycles are done where the record may hold fewer: a client may send the last of its history alone"""
    adviceChangedAfter: NotRequired[int]
    """the submitter gave new advice after this cycle (0: before the first); a finished workflow is open until a later cycle succeeds"""
    retry: NotRequired[SessionRequestSteeringRetry]
    """runs next in spite of its failures, until a cycle after `after` ran it"""
    recoveries: NotRequired[list[SessionRequestSteeringRecoveries]]
    blocked: NotRequired[list[str]]
    """programs that no longer run in this session"""
    refused: NotRequired[dict[str, list[str]]]
    """parameters that a program refused, by program"""
    bestFiles: NotRequired[dict[str, list[str]]]
    """paths of the best file or files of a category, as its keeper has judged them"""


class SessionRequestDirectory(TypedDict):
    """the folder that was submitted, and the inputs that were found in it"""

    path: str
    files: list[str]


class SessionRequestForkedFrom(TypedDict):
    """the session that it was forked from: its first cycles are records and files of that one"""

    session: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    afterCycle: int
    """the last cycle that it has from there"""
    requestDigest: str
    """SHA-256 of the request, hexadecimal: it identifies a repeated request"""


class SessionRequestSubmittedAsSettings(TypedDict):
    """every setting with its value; see GET /v1/settings"""

    max_cycles: int
    """stop after this many cycles"""
    experiment_type: Literal["auto", "xray", "cryoem"]
    """what the data are"""
    resolution: float
    """high-resolution limit in Å; 0: from the data"""
    analysis_only: bool
    """analyse the data, solve nothing"""
    r_free_target: float
    """stop at this R-free (fraction); 0: by resolution"""
    map_cc_target: float
    """stop at this map correlation; 0: default target"""
    max_refine_cycles: int
    """refinement runs before validation"""
    program_time_limit: int
    """minutes a program may run; 0: its own limit"""
    simulated_programs: list[str]
    """programs that may be simulated where they are not installed"""
    maximum_automation: bool
    """predict, place and build in one run; false: step by step"""
    abort_on_red_flags: bool
    """stop when something is critically wrong"""
    abort_on_warnings: bool
    """stop at warnings too"""
    use_rules_only: bool
    """ask no language model, even where the site has one"""
    model_outage: Literal["rules", "wait"]
    """while no language model can be reached: let the rules decide, or wait"""


class SessionRequestSubmittedAsLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class SessionRequestSubmittedAs(TypedDict):
    """settings, paths of files and ligands of the submission, where a resume has changed them; its priority, where somebody has"""

    settings: SessionRequestSubmittedAsSettings
    """every setting with its value; see GET /v1/settings"""
    files: list[str]
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    ligands: NotRequired[list[SessionRequestSubmittedAsLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""


class SessionRequest(TypedDict):
    """what was submitted"""

    title: str
    """a name for people; by default the name of the first file"""
    proposal: str
    """the proposal the data belong to; results lie in a folder of this name"""
    beamline: str
    """the beamline or microscope"""
    submitter: str
    """who submits"""
    priority: Literal["live", "standard", "backfill"]
    """live: beamtime, where the site allows it; backfill: fills the gaps"""
    advice: str
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    settings: SessionRequestSettings
    """every setting with its value; see GET /v1/settings"""
    inputs: list[SessionFile]
    """the submitted files, resolved and inspected"""
    sample: NotRequired[str]
    """name of the sample, as the laboratory or the beamline has it"""
    ligands: NotRequired[list[SessionRequestLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    directives: NotRequired[Directives]
    steering: NotRequired[SessionRequestSteering]
    """what the cycles do not say: new advice, retries, blocked programs"""
    directory: NotRequired[SessionRequestDirectory]
    """the folder that was submitted, and the inputs that were found in it"""
    forkedFrom: NotRequired[SessionRequestForkedFrom]
    """the session that it was forked from: its first cycles are records and files of that one"""
    batch: NotRequired[str]
    """id of the batch that it belongs to"""
    traceparent: NotRequired[str]
    """W3C trace context of its submission: all that is done for it belongs to this trace; its 32 digits are the trace id"""
    submittedAs: NotRequired[SessionRequestSubmittedAs]
    """settings, paths of files and ligands of the submission, where a resume has changed them; its priority, where somebody has"""


class SessionRetentionPin(TypedDict):
    """keeps a session"""

    at: str
    by: str
    """empty: nobody was named"""
    reason: str


class SessionRetentionPurged(TypedDict):
    """the folder of the session was deleted, with all files"""

    at: str
    rule: str
    """by which rule, in words"""
    bytes: int
    """that were freed"""


class SessionRetention(TypedDict):
    """how long a session is kept"""

    rule: NotRequired[str]
    """the rule that matches, in words; absent: none does, so that the session is kept"""
    folderUntil: NotRequired[str]
    """the files are kept at least until then; absent: no end is set"""
    recordUntil: NotRequired[str]
    """the session itself is kept at least until then; absent: no end is set"""
    hold: NotRequired[Literal["running", "pinned", "batch", "in_use"]]
    """why it is kept in spite of the rule; absent: nothing holds it"""
    usedBy: NotRequired[list[str]]
    """sessions that have files of this one as inputs, at most 20"""
    pin: NotRequired[SessionRetentionPin]
    """keeps a session"""
    purged: NotRequired[SessionRetentionPurged]
    """the folder of the session was deleted, with all files"""


class SessionRowForkedFrom(TypedDict):
    """of a fork: where it is from"""

    session: str
    """its id"""
    afterCycle: int
    """the last cycle that both have"""


class SessionRow(TypedDict):
    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    stage: Literal["deciding", "executing", "analysing"]
    cycle: int
    """the current cycle, from 1"""
    attempt: int
    """the current attempt of the current cycle, from 1"""
    version: int
    """grows by one with every transition; a step that carries another version is stale and changes nothing"""
    wakeUps: int
    """how often the sweeper had to wake the current version again"""
    folder: str
    """the session's folder, `<work root>/<proposal>/<id>`"""
    createdAt: str
    updatedAt: str
    title: str
    proposal: str
    beamline: str
    submitter: str
    advised: NotRequired[int]
    """revision of the guidance, where it has changed since the submission"""
    sample: NotRequired[str]
    """name of the sample; absent: none was given"""
    batch: NotRequired[str]
    """id of the batch that it belongs to; absent: it was submitted alone"""
    forkedFrom: NotRequired[SessionRowForkedFrom]
    """of a fork: where it is from"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """its outcome (docs/outcomes.md); absent while it runs"""
    stopReason: NotRequired[Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]]
    """why it ended; absent while it runs"""
    stopDetail: NotRequired[str]
    """why it ended, in a sentence, shortened; absent while it runs"""
    endedAt: NotRequired[str]
    """absent while it runs"""
    program: NotRequired[str]
    """of the cycle that was decided last"""
    resolution: NotRequired[float]
    """Å; of the data"""
    spaceGroup: NotRequired[str]
    """as its source writes it; absent of a map"""
    fit: NotRequired[Fit]
    ligand: NotRequired[Ligand]
    fits: NotRequired[list[float]]
    """what `fit` says, as the last cycles that measured it did, the newest last; absent before the second"""
    maxCycles: NotRequired[int]
    """cycles after which it stops; absent of one that an older release wrote"""
    waiting: NotRequired[str]
    """why its program has not started yet, or its next decision is not made, shortened; absent: it does not wait"""
    queueStatus: NotRequired[QueueStatus]


class SessionUpdate(TypedDict):
    """a move of a session, and the session as it is after it (or later)"""

    session: SessionRow
    events: list[Event]
    """what the move had to tell, oldest first"""
    was: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """what the session was before the move; absent of a new one"""


class SessionUpdatePage(TypedDict):
    """moves of many sessions, as far as they are there"""

    updates: list[SessionUpdate]
    next: str
    """where the next part begins, pass it as ?after="""
    missed: bool
    """moves before these are deleted: lists have to be read again"""


class SettingDefinitionsSettings(TypedDict):
    """name to type, default, range and meaning"""

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
    """what a submission may set"""

    settings: SettingDefinitionsSettings
    """name to type, default, range and meaning"""


class Settings(TypedDict):
    max_cycles: NotRequired[int]
    """stop after this many cycles"""
    experiment_type: NotRequired[Literal["auto", "xray", "cryoem"]]
    """what the data are"""
    resolution: NotRequired[float]
    """high-resolution limit in Å; 0: from the data"""
    analysis_only: NotRequired[bool]
    """analyse the data, solve nothing"""
    r_free_target: NotRequired[float]
    """stop at this R-free (fraction); 0: by resolution"""
    map_cc_target: NotRequired[float]
    """stop at this map correlation; 0: default target"""
    max_refine_cycles: NotRequired[int]
    """refinement runs before validation"""
    program_time_limit: NotRequired[int]
    """minutes a program may run; 0: its own limit"""
    simulated_programs: NotRequired[list[str]]
    """programs that may be simulated where they are not installed"""
    maximum_automation: NotRequired[bool]
    """predict, place and build in one run; false: step by step"""
    abort_on_red_flags: NotRequired[bool]
    """stop when something is critically wrong"""
    abort_on_warnings: NotRequired[bool]
    """stop at warnings too"""
    use_rules_only: NotRequired[bool]
    """ask no language model, even where the site has one"""
    model_outage: NotRequired[Literal["rules", "wait"]]
    """while no language model can be reached: let the rules decide, or wait"""


class Shares(TypedDict):
    """how the slots for programs are shared, and who has set it"""

    policy: SharesPolicy
    setBy: Literal["configuration", "administrator"]
    by: str
    """who; empty: nobody was named"""
    since: NotRequired[str]
    """absent of the configuration"""


class SharesChangePolicyProposals(TypedDict):
    """what differs for one proposal"""

    weight: NotRequired[float]
    """its share of the slots, beside proposals of weight 1"""
    maxRunning: NotRequired[int]
    """programs at once, in place of maxPerProposal; 0: no limit"""
    startsPerDay: NotRequired[int]
    """programs started a day (UTC), in place of startsPerDayPerProposal; 0: no limit"""


class SharesChangePolicy(TypedDict):
    """how the slots for programs are shared"""

    proposals: NotRequired[dict[str, SharesChangePolicyProposals]]
    """what differs for single proposals, by name; others have weight 1"""
    maxPerProposal: NotRequired[int]
    """programs of one proposal at once; 0: no limit"""
    maxGpuPerProposal: NotRequired[int]
    """programs of one proposal on GPUs at once; 0: no limit"""
    maxPerUser: NotRequired[int]
    """programs of one submitter at once; 0: no limit"""
    maxLive: NotRequired[int]
    """programs of priority live at once; 0: no limit"""
    maxStandard: NotRequired[int]
    """programs of priority standard at once; 0: no limit"""
    maxBackfill: NotRequired[int]
    """programs of priority backfill at once; 0: no limit"""
    startsPerDayPerProposal: NotRequired[int]
    """programs that one proposal may start a day (UTC); 0: no limit"""
    startsPerDayPerUser: NotRequired[int]
    """programs that one submitter may start a day (UTC); 0: no limit"""
    backfillWaitsHours: NotRequired[float]
    """hours after its submission from which a backfill session is treated as standard"""
    liveAllowedFor: NotRequired[list[str]]
    """who may submit with priority live; empty: nobody"""


class SharesChange(TypedDict):
    """shares that take the place of those that are in force; members that are absent have their defaults"""

    policy: SharesChangePolicy
    """how the slots for programs are shared"""
    by: NotRequired[str]
    """who says so"""


class SharesPolicyProposals(TypedDict):
    """what differs for one proposal"""

    weight: NotRequired[float]
    """its share of the slots, beside proposals of weight 1"""
    maxRunning: NotRequired[int]
    """programs at once, in place of maxPerProposal; 0: no limit"""
    startsPerDay: NotRequired[int]
    """programs started a day (UTC), in place of startsPerDayPerProposal; 0: no limit"""


class SharesPolicy(TypedDict):
    """how the slots for programs are shared"""

    proposals: dict[str, SharesPolicyProposals]
    """what differs for single proposals, by name; others have weight 1"""
    maxPerProposal: int
    """programs of one proposal at once; 0: no limit"""
    maxGpuPerProposal: int
    """programs of one proposal on GPUs at once; 0: no limit"""
    maxPerUser: int
    """programs of one submitter at once; 0: no limit"""
    maxLive: int
    """programs of priority live at once; 0: no limit"""
    maxStandard: int
    """programs of priority standard at once; 0: no limit"""
    maxBackfill: int
    """programs of priority backfill at once; 0: no limit"""
    startsPerDayPerProposal: int
    """programs that one proposal may start a day (UTC); 0: no limit"""
    startsPerDayPerUser: int
    """programs that one submitter may start a day (UTC); 0: no limit"""
    backfillWaitsHours: float
    """hours after its submission from which a backfill session is treated as standard"""
    liveAllowedFor: list[str]
    """who may submit with priority live; empty: nobody"""


class SimilarSession(TypedDict):
    """another session of the same data in the same proposal"""

    sessionId: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    same: Literal["everything", "data"]
    """everything: the contents of all files, the settings and what is asked for; data: the contents of reflections and maps alone"""
    title: str
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    createdAt: str
    href: str
    """URL of the session"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """its outcome (docs/outcomes.md); absent while it runs"""


class Spent(TypedDict):
    """what requests to models have used"""

    requests: int
    """to models"""
    inputTokens: int
    """that targets have counted"""
    outputTokens: int
    cost: float
    """in the currency of the site's prices"""
    unpriced: int
    """requests whose cost nobody knows; `cost` is without them"""


class Statistics(TypedDict):
    """figures of the sessions within reach that were submitted in a time"""

    by: Literal["month", "beamline", "proposal", "submitter", "resolution", "path"]
    groups: list[StatisticsGroup]
    """months, resolutions and paths in their order, others by sessions, the most first"""
    since: NotRequired[str]
    """as requested"""
    until: NotRequired[str]
    """as requested"""


class StatisticsGroupOutcomes(TypedDict):
    """of these, those that have ended (docs/outcomes.md)"""

    solved: int
    goal_reached: int
    unfinished: int
    unsatisfactory: int
    failed_science: int
    failed_infrastructure: int
    rejected: int
    cancelled: int
    unknown: int


class StatisticsGroupToFirstRFree(TypedDict):
    """seconds; absent where none of them has it"""

    p50: float
    """half of them took at most this"""
    p95: float
    """95 % of them took at most this"""


class StatisticsGroupToEnd(TypedDict):
    """seconds; absent where none of them has it"""

    p50: float
    """half of them took at most this"""
    p95: float
    """95 % of them took at most this"""


class StatisticsGroup(TypedDict):
    """sessions that have something in common"""

    key: str
    """month: such as 2026-11 (UTC); resolution: `1.5`, the lower end in Å of a bin that is 0.5 Å wide; path: how the model was made; empty: of none, or not known"""
    sessions: int
    """submitted in this time, those that have not ended included"""
    unended: int
    """of these, those that run"""
    outcomes: StatisticsGroupOutcomes
    """of these, those that have ended (docs/outcomes.md)"""
    coreHours: float
    """wall time of the programs of ended sessions times the cores that they were given, in hours"""
    gpuHours: float
    """wall time of the programs of ended sessions that were given a GPU, in hours"""
    toFirstRFree: NotRequired[StatisticsGroupToFirstRFree]
    """seconds; absent where none of them has it"""
    toEnd: NotRequired[StatisticsGroupToEnd]
    """seconds; absent where none of them has it"""


class StepDrop(TypedDict):
    """exactly one of `steps` and `cause`"""

    reason: str
    """why nobody needs them any more, in one sentence; the audit log keeps it"""
    steps: NotRequired[list[str]]
    """which, by their ids"""
    cause: NotRequired[str]
    """all of this cause, in place of `steps`"""


class StepRetry(TypedDict):
    """exactly one of `steps` and `cause`"""

    steps: NotRequired[list[str]]
    """which, by their ids"""
    cause: NotRequired[str]
    """all of this cause, in place of `steps`"""
    perMinute: NotRequired[int]
    """how many begin in a minute; by default 60"""


class StepsDroppedUnchanged(TypedDict):
    """a step that was left as it is"""

    id: str
    reason: str
    """one sentence"""


class StepsDropped(TypedDict):
    dropped: list[str]
    """ids"""
    unchanged: list[StepsDroppedUnchanged]


class StepsRetriedRetried(TypedDict):
    id: str
    sessionId: str
    inSeconds: int
    """when it begins"""


class StepsRetriedUnchanged(TypedDict):
    """a step that was left as it is"""

    id: str
    reason: str
    """one sentence"""


class StepsRetried(TypedDict):
    retried: list[StepsRetriedRetried]
    unchanged: list[StepsRetriedUnchanged]


class Stop(TypedDict):
    """the end of a session"""

    reason: Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]
    detail: str
    """why, in a sentence for the user"""
    afterCycle: int


class StopConditions(TypedDict):
    after_program: NotRequired[str]
    """the session ends when this program has succeeded, validated or not"""
    start_with_program: NotRequired[str]
    """runs first, then the workflow continues"""
    after_cycle: NotRequired[int]
    """the session ends after this cycle"""
    max_refine_cycles: NotRequired[int]
    """refinements before validation; takes precedence over the setting"""
    skip_validation: NotRequired[bool]
    """end without validation"""
    r_free_target: NotRequired[float]
    """stop at this R-free; takes precedence over the setting"""
    map_cc_target: NotRequired[float]
    """stop at this map correlation; takes precedence over the setting"""


class StreamNotice(TypedDict):
    """of a stream of many sessions: why it begins again (`reload`), or ends (`end`)"""

    code: Literal["events.not_kept", "events.too_slow", "events.not_admitted"]
    detail: str
    """a sentence for people"""


class SubmissionLigands(TypedDict):
    """a ligand: either `code`, or `smiles` with an `id` of your choice"""

    code: NotRequired[str]
    """code of the Chemical Component Dictionary, such as NAG"""
    smiles: NotRequired[str]
    """the molecule as SMILES"""
    id: NotRequired[str]
    """what the component is called in the model; by default LIG, then DRG and INH"""


class Submission(TypedDict):
    files: NotRequired[list[str]]
    """absolute paths below the data folders"""
    input_directory: NotRequired[str]
    """a folder below the data folders: data, models, sequences, dictionaries and a README in it are found"""
    title: NotRequired[str]
    """a name for people; by default the name of the first file"""
    proposal: NotRequired[str]
    """the proposal the data belong to; results lie in a folder of this name"""
    beamline: NotRequired[str]
    """the beamline or microscope"""
    submitter: NotRequired[str]
    """who submits"""
    priority: NotRequired[Literal["live", "standard", "backfill"]]
    """live: beamtime, where the site allows it; backfill: fills the gaps"""
    advice: NotRequired[str]
    """what is asked for in plain words (docs/advice.md); what was understood of it is reported"""
    sample: NotRequired[str]
    """name of the sample, as the laboratory or the beamline has it"""
    advice_file: NotRequired[str]
    """name of the file that the advice was read from"""
    strict: NotRequired[bool]
    """true: refused where a file would be used for nothing"""
    ligands: NotRequired[list[SubmissionLigands]]
    """ligands without a file: restraints and coordinates are made by phenix.elbow, then each is fitted"""
    settings: NotRequired[Settings]
    directives: NotRequired[Directives]


class SubmissionReadingFilesCategories(TypedDict):
    category: str
    why: str


class SubmissionReadingFilesUse(TypedDict):
    """the outcome of a submitted file"""

    path: str
    """as the record has it"""
    used: bool
    """false: no program is given it"""
    text: str
    """used as what and by which programs, or why it is not"""
    notes: NotRequired[list[str]]
    """what is to be known about it, a sentence each: what its reader found, and which of its columns count"""


class SubmissionReadingFiles(TypedDict):
    """a file that was looked into"""

    path: str
    """resolved"""
    size: int
    """bytes"""
    format: Literal["mtz", "scalepack", "pdb", "mmcif-model", "mmcif-reflections", "xds-ascii", "restraints", "map", "sequence", "ncs-spec", "text", "unknown"]
    """what it holds"""
    categories: list[SubmissionReadingFilesCategories]
    """what the agent takes it for, and why (knowledge/file_categories.yaml)"""
    use: NotRequired[SubmissionReadingFilesUse]
    """the outcome of a submitted file"""


class SubmissionReading(TypedDict):
    """what would become of a submission; nothing was started or kept"""

    files: list[SubmissionReadingFiles]
    """those that could be read"""
    problems: list[FieldProblem]
    """everything for which it would be refused; empty: it would be accepted"""
    guidance: NotRequired[Guidance]
    first: NotRequired[FirstStep]


class Trace(TypedDict):
    """all operations of a session, from its record and the ledger of its requests to models"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    status: Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]
    startedAt: str
    """when it was submitted"""
    operations: list[Operation]
    """each behind the one that it is part of; cycles in their order"""
    spent: Spent
    endedAt: NotRequired[str]


class Trial(TypedDict):
    """a trial: pods (locally: a process) that are started as programs are, only to see what a program would see"""

    id: str
    """its id"""
    state: Literal["waiting", "running", "done", "given_up"]
    """`waiting` for an executor, `running`, `done`, or `given_up` after a quarter of an hour"""
    requestedAt: str
    askedBy: str
    """who asked for it; empty: nobody was named"""
    findings: list[Finding]
    """what was found; empty until it is done"""
    executor: NotRequired[str]
    """the machine or pod of the executor that started it"""
    endedAt: NotRequired[str]


class TrialAnswer(TypedDict):
    """absent: none was asked for"""

    trial: NotRequired[Trial]


class Upload(TypedDict):
    """a file that is uploaded"""

    id: str
    """of 32 hexadecimal digits"""
    proposal: str
    name: str
    """what it is called"""
    size: int
    """bytes that it has as a whole"""
    offset: int
    """bytes that are kept"""
    state: Literal["receiving", "complete", "refused"]
    expiresAt: str
    """after it nothing is known of it any more; what is not whole then is removed. Each piece moves it"""
    path: NotRequired[str]
    """where it lies; what a submission names"""
    sha256: NotRequired[str]
    """of what came, in hex"""
    problem: NotRequired[str]
    """why it was refused"""


class UploadRules(TypedDict):
    """what may be uploaded here"""

    maxFileBytes: int
    """bytes of the largest file"""
    maxDayBytes: int
    """bytes that may be uploaded to one proposal in a day"""
    keepHours: int
    """hours that a file that is not whole is kept after its last piece"""


class WaitingAttempt(TypedDict):
    """an attempt that could not start yet, as far as it is known"""

    attempt: int
    backend: Literal["local", "kubernetes"]
    provider: Literal["phenix", "open-phenix", "simulated"]
    """simulated: a scripted stand-in, no result of a real program"""
    programVersion: str
    """for example `Servalcat 0.4.142`"""
    since: str
    """since when it could have started"""
    queuedOnBackend: bool
    """true: queued on the backend; false: not created yet"""
    reason: str
    """why it could not start yet: one sentence, as the user saw it last"""
    reportedAt: str
    """when the user saw that"""
    resources: NotRequired[Resources]


class Wall(TypedDict):
    """what a wall shows"""

    counts: SessionCounts
    sessions: list[WallRow]
    """those that run, and those that ended last"""


class WallRowFit(TypedDict):
    """how well the result fits the data; absent while nothing was measured"""

    metric: str
    """the metric's name, for example `r_free`"""
    value: float
    quality: NotRequired[Literal["good", "acceptable", "needs improvement"]]
    """what the number is worth at this resolution; absent where the knowledge has no bands for it"""
    trend: NotRequired[Literal["better", "worse", "unchanged"]]
    """where the number went when it was last measured anew; absent of the first"""


class WallRowQueueStatus(TypedDict):
    """its position in the queue; absent unless it waits for a slot"""

    position: int
    """from 1"""
    of: int
    """how many wait for the same"""
    since: str
    """since when it waits"""


class WallRow(TypedDict):
    """a session as a wall shows it"""

    id: str
    """26 letters and digits: ULID in lower case, or as many made from an idempotency key; lists sort by `createdAt`"""
    version: int
    """grows with every change, so that a newer row replaces an older one"""
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
    """of the cycle that was decided last"""
    maxCycles: NotRequired[int]
    """cycles after which it stops; absent of one that an older release wrote"""
    fit: NotRequired[WallRowFit]
    """how well the result fits the data; absent while nothing was measured"""
    fits: NotRequired[list[float]]
    """values of `fit` in the last cycles that measured it, the newest last"""
    waiting: NotRequired[Literal[True]]
    """its program or its next decision waits; absent: it does not wait"""
    queueStatus: NotRequired[WallRowQueueStatus]
    """its position in the queue; absent unless it waits for a slot"""


class WebhookAbout(TypedDict):
    """what it hears of"""

    what: Literal["session", "batch", "proposal"]
    name: str
    """the id, or the name of the proposal"""


class Webhook(TypedDict):
    """a webhook, and how deliveries to it go"""

    id: str
    """tells webhooks apart; no secret"""
    url: str
    """where notices are delivered; `mailto:` and an address: by e-mail"""
    about: WebhookAbout
    """what it hears of"""
    kinds: list[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]
    """what it receives"""
    label: str
    """what it is for"""
    proposal: str
    """that it belongs to"""
    beamline: str
    """of its session; empty: of none"""
    owner: str
    """who made it; empty: the gateway was open"""
    createdAt: str
    deliveries: DeliveryState
    everyMinutes: NotRequired[int]
    """minutes for which what is reported is gathered into one e-mail; 0: at once"""


class WebhookMessageDataSession(TypedDict):
    id: str
    title: str
    proposal: str
    beamline: NotRequired[str]
    batch: NotRequired[str]
    """id of the batch that the session belongs to"""


class WebhookMessageDataBatch(TypedDict):
    id: str
    title: str
    proposal: str
    beamline: NotRequired[str]
    batch: NotRequired[str]
    """id of the batch that the session belongs to"""


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
    """what has happened"""
    next: str
    """what to do"""
    session: NotRequired[WebhookMessageDataSession]
    batch: NotRequired[WebhookMessageDataBatch]
    cycle: NotRequired[int]
    """0: before the first"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """the outcome of the session (docs/outcomes.md)"""
    reason: NotRequired[Literal["converged", "goal_reached", "plateau", "refinement_limit", "nothing_left", "unsatisfactory", "hopeless", "no_program", "max_cycles", "program_failed", "red_flag", "infrastructure", "error", "cancelled", "cycles_removed"]]
    """why it ended (docs/stop-reasons.md)"""
    fit: NotRequired[Fit]
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    program: NotRequired[str]
    """what ran in the cycle"""
    result: NotRequired[Literal["success", "failed"]]
    """of the cycle"""
    outcomes: NotRequired[WebhookMessageDataOutcomes]
    """sessions of the batch by outcome"""
    rejected: NotRequired[int]
    """rows of the batch that were refused"""
    until: NotRequired[str]
    """the files are kept at least until then"""
    links: NotRequired[WebhookMessageDataLinks]
    """URLs of the gateway"""


class WebhookMessage(TypedDict):
    """what a webhook receives"""

    type: Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended", "webhook.test"]
    timestamp: str
    """when it happened"""
    data: WebhookMessageData


class WebhookRequest(TypedDict):
    url: str
    """where notices are delivered: https, at a host that the installation allows, or mailto: and an e-mail address"""
    session: NotRequired[str]
    """id or title of a session"""
    batch: NotRequired[str]
    """id of a batch"""
    proposal: NotRequired[str]
    """a proposal: all of its sessions and batches"""
    kinds: NotRequired[list[Literal["session.ended", "session.cycle_done", "session.needs_attention", "session.recovered", "session.files_expire", "batch.ended"]]]
    """what it receives; absent: session.ended, session.recovered, session.files_expire, batch.ended"""
    everyMinutes: NotRequired[int]
    """of e-mail: minutes for which what is reported is gathered into one; 0: at once; absent: 0 for a session, else 10"""
    label: NotRequired[str]
    """what it is for"""


class WebhookTest(TypedDict):
    """the outcome of a test message"""

    delivered: bool
    """whether the target took it"""
    tookMs: int
    message: WebhookMessage
    status: NotRequired[int]
    """what the target answered"""
    why: NotRequired[str]
    """why it was not delivered"""


class Webhooks(TypedDict):
    webhooks: list[Webhook]


class WorkflowPreferences(TypedDict):
    skip_programs: NotRequired[list[str]]
    """never run"""
    prefer_programs: NotRequired[list[str]]
    """run first wherever they are offered"""
    use_experimental_phasing: NotRequired[bool]
    use_molecular_replacement: NotRequired[bool]
    use_mr_sad: NotRequired[bool]
    model_is_placed: NotRequired[bool]
    """the submitted model is in its place; nothing has to be probed or searched"""


class SessionsListQuery(TypedDict):
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """only these"""
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
    """only sessions whose title, sample or id contains this, in any case"""
    failure: NotRequired[str]
    """only sessions that ended without success for a reason that contains this, in any case"""
    ligand: NotRequired[str]
    """only sessions with this ligand: requested, given as a dictionary or fitted; a code such as NAG"""
    spaceGroup: NotRequired[str]
    """only sessions in this space group: of the last model, otherwise of the data"""
    cell: NotRequired[str]
    """only crystals with this cell in any setting: a, b, c in Å and alpha, beta, gamma in degrees, then the letter of its centring (by default that of the space group, otherwise P)"""
    cellTolerance: NotRequired[float]
    """percent of the edges and degrees by which reduced cells may differ, 0 to 10, by default 1"""
    minResolution: NotRequired[float]
    """only sessions whose data have a resolution of at least this, in Å"""
    maxResolution: NotRequired[float]
    """only sessions whose data have a resolution of at most this, in Å"""
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
    """only sessions submitted at this time or later (ISO 8601)"""
    until: NotRequired[str]
    """only sessions submitted before this time (ISO 8601)"""
    sort: NotRequired[Literal["created", "-created", "ended", "-ended", "title", "-title", "sample", "-sample", "proposal", "-proposal", "beamline", "-beamline", "submitter", "-submitter", "status", "-status", "outcome", "-outcome", "spaceGroup", "-spaceGroup", "resolution", "-resolution", "rFree", "-rFree", "mapCc", "-mapCc"]]
    """by default -created: the newest first; '-' is descending"""
    limit: NotRequired[int]
    """1 to 500, by default 50"""
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
    """what sessions are grouped by; by default month"""
    since: NotRequired[str]
    """only sessions submitted at this time or later (ISO 8601)"""
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
    """what sessions are grouped by; by default month"""
    since: NotRequired[str]
    """only sessions submitted at this time or later (ISO 8601)"""
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
    """continue after this event; the header takes precedence"""
    limit: NotRequired[int]
    """of a JSON answer: 1 to 5000, by default 1000"""


class UpdatesFollowQuery(TypedDict):
    after: NotRequired[str]
    """continue after this place, by default from now on; the header takes precedence"""
    status: NotRequired[Literal["running", "cancelling", "completed", "unsatisfactory", "failed", "cancelled"]]
    """only sessions that have, or had before the move, this status"""
    outcome: NotRequired[Literal["solved", "goal_reached", "unfinished", "unsatisfactory", "failed_science", "failed_infrastructure", "rejected", "cancelled", "unknown"]]
    """only sessions with this outcome, and those that continue again"""
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
    """bytes from the start, by default 0; negative: from the end"""
    limit: NotRequired[int]
    """maximum number of bytes, by default 65536, at most 1048576"""
    attempt: NotRequired[int]
    """by default the last one"""


class ArchiveArchiveQuery(TypedDict):
    which: NotRequired[Literal["results", "all"]]
    """results, by default: the best files; all: every output of every cycle"""


class FoldersFolderQuery(TypedDict):
    path: NotRequired[str]
    """absolute; absent: the data folders themselves"""
    limit: NotRequired[int]
    """1 to 1000, by default 200"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchesListQuery(TypedDict):
    proposal: NotRequired[str]
    """only batches of this proposal"""
    limit: NotRequired[int]
    """1 to 100, by default 20"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchesAddRowsQuery(TypedDict):
    complete: NotRequired[Literal[True, False]]
    """true: no more rows follow"""


class BatchResultsRowsQuery(TypedDict):
    state: NotRequired[Literal["waiting", "checked", "accepted", "duplicate", "rejected", "cancelled"]]
    """only rows with this state"""
    limit: NotRequired[int]
    """1 to 500, by default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchResultsResultsQuery(TypedDict):
    sort: NotRequired[Literal["row", "fit", "resolution", "ligand"]]
    """row (default), fit, resolution or ligand, best first; rows without one come last"""
    limit: NotRequired[int]
    """1 to 500, by default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class BatchResultsCsvQuery(TypedDict):
    sort: NotRequired[Literal["row", "fit", "resolution", "ligand"]]
    """row (default), fit, resolution or ligand, best first; rows without one come last"""


class DeadStepsListQuery(TypedDict):
    queue: NotRequired[Literal["decisions", "executions", "analyses"]]
    """only of this queue"""
    cause: NotRequired[str]
    """only of this cause"""
    state: NotRequired[Literal["woken", "given_up", "past"]]
    """woken: the session is still at the step; given_up: it ended because of it; past: it continued, or is gone (default: woken and given_up)"""
    limit: NotRequired[int]
    """steps of the answer: 1 to 1000, by default 100"""


class QueuesListQuery(TypedDict):
    place: NotRequired[Literal["active", "waiting", "delayed", "failed"]]
    """by default waiting"""
    order: NotRequired[Literal["newest", "oldest"]]
    """by default oldest"""
    offset: NotRequired[int]
    """jobs that are passed over"""
    limit: NotRequired[int]
    """jobs of the page: 1 to 200, by default 50"""


class AuditListQuery(TypedDict):
    who: NotRequired[str]
    """whose key it was"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """what was asked for"""
    object: NotRequired[str]
    """what it was done to, as an entry has it, or the beginning of its id"""
    since: NotRequired[str]
    """this time and later (ISO 8601)"""
    until: NotRequired[str]
    """before this time (ISO 8601)"""
    limit: NotRequired[int]
    """entries of a page: 1 to 1000, by default 100"""
    cursor: NotRequired[str]
    """nextCursor of the previous page"""


class AuditLinesQuery(TypedDict):
    who: NotRequired[str]
    """whose key it was"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """what was asked for"""
    object: NotRequired[str]
    """what it was done to, as an entry has it, or the beginning of its id"""
    since: NotRequired[str]
    """this time and later (ISO 8601)"""
    until: NotRequired[str]
    """before this time (ISO 8601)"""


class AuditCsvQuery(TypedDict):
    who: NotRequired[str]
    """whose key it was"""
    action: NotRequired[Literal["service.read", "service.about", "wall.read", "decision.make", "folder.read", "upload.write", "upload.append", "session.list", "session.read", "session.download", "session.submit", "session.change", "batch.read", "batch.submit", "batch.change", "webhook.list", "webhook.read", "webhook.change", "queue.read", "admin.read", "admin.change", "keys.read", "keys.change", "audit.read", "login", "logout", "audit", "purge"]]
    """what was asked for"""
    object: NotRequired[str]
    """what it was done to, as an entry has it, or the beginning of its id"""
    since: NotRequired[str]
    """this time and later (ISO 8601)"""
    until: NotRequired[str]
    """before this time (ISO 8601)"""


class LoginLoginQuery(TypedDict):
    return_to: NotRequired[str]
    """a path of this gateway where the browser goes afterwards; absent: the dashboard"""


class HealthReadyQuery(TypedDict):
    strict: NotRequired[bool]
    """true: 503 when degraded, too"""


DecideAnswer: TypeAlias = "DecideResponse | DecideAnswer2"


DecideBody: TypeAlias = "DecideRequest | DecideBody2"


Health: TypeAlias = "dict[str, Any]"
