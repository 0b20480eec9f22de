import { assessmentOfWork, cycleOfWork, type ModelRequestEntry } from '@fleet/contracts/models';
import type { Operation, Spent, TraceView } from '@fleet/contracts/results';
import { isEnded, type AttemptRecord, type CycleRecord, type Session, type Stage } from '@fleet/contracts/sessions';
import { turnFailureTexts, waitingDecisionText } from '@fleet/session-report';

/** An operation without its path, and its parts. */
type Step = Omit<Operation, 'path'> & { readonly parts?: readonly Step[] };
type Times = Pick<Operation, 'startedAt' | 'endedAt'>;

/** Milliseconds; a shorter wait is only the start-up time of a program. */
const shortestWaitMs = 1_000;

const times = (startedAt: string | undefined, endedAt: string | undefined): Times => ({
  ...(startedAt !== undefined && { startedAt }),
  ...(endedAt !== undefined && { endedAt }),
});

const spentBy = (requests: readonly ModelRequestEntry[]): Spent => {
  const sum = (of: (entry: ModelRequestEntry) => number | null | undefined): number =>
    requests.reduce((total, entry) => total + (of(entry) ?? 0), 0);
  return {
    requests: requests.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: sum(({ cost }) => cost),
    unpriced: requests.filter(({ cost }) => typeof cost !== 'number').length,
  };
};

const statusOfRequest = ({ result }: ModelRequestEntry): Operation['status'] => {
  if (result === undefined) return 'open';
  return result === 'answered' ? 'done' : 'failed';
};

const requestStep = (entry: ModelRequestEntry): Step => {
  const { target, model, prompt, hash, at, result, why, latencyMs } = entry;
  const note = result === undefined || result === 'answered' ? undefined : [result, why].filter(Boolean).join(': ');
  return {
    kind: 'request',
    what: `${target} (${model}), prompt ${prompt}`,
    status: statusOfRequest(entry),
    ...times(at, latencyMs === undefined ? undefined : new Date(Date.parse(at) + latencyMs).toISOString()),
    ...(note !== undefined && { note }),
    hash,
    spent: spentBy([entry]),
  };
};

const decidedNote = ({ decidedBy, planning }: CycleRecord['decision']): string => {
  const by = {
    rules: 'the rules',
    fallback: 'the rules, as a last resort',
    model: `the model of ${planning?.target ?? ''}`,
  };
  const failed = planning?.failed;
  const instead =
    failed === undefined ? '' : `; no model did: ${planning?.why ?? failed}. ${turnFailureTexts[failed].next}`;
  return `decided by ${by[decidedBy]}${instead}`;
};

/** The outcome of a decision; for one in progress, what it waits for. */
const decisionNote = (
  decision: CycleRecord['decision'] | undefined,
  waiting: Session['waiting'],
  isOpen: boolean,
): string | undefined => {
  if (isOpen) return waiting === undefined ? undefined : `waits ${waitingDecisionText(waiting)}`;
  return decision === undefined ? 'it led to no program that the record still has' : decidedNote(decision);
};

const decisionStep = (
  { waiting }: Session,
  record: CycleRecord | undefined,
  requests: readonly ModelRequestEntry[],
  isOpen: boolean,
): Step => {
  const decision = record?.decision;
  const note = decisionNote(decision, waiting, isOpen);
  return {
    kind: 'decision',
    what: decision?.program ?? 'the next program',
    status: isOpen ? 'open' : 'done',
    ...times(requests[0]?.at, decision?.decidedAt),
    ...(note !== undefined && { note }),
    ...(requests.length > 0 && { spent: spentBy(requests) }),
    parts: requests.map(requestStep),
  };
};

/** The last attempt is judged by the analysis, the others by how they ended. */
const statusOfAttempt = ({ ending }: AttemptRecord, result: CycleRecord['result'], isOver: boolean): Step['status'] => {
  if (result !== undefined) return result.outcome === 'success' ? 'done' : 'failed';
  if (ending === undefined) return isOver ? 'failed' : 'open';
  return ending.kind === 'exited' && (ending.exitCode ?? 0) === 0 ? 'done' : 'failed';
};

/** @param freeAt the earliest possible start */
const attemptSteps = (
  attempt: AttemptRecord,
  freeAt: string | undefined,
  judged: Step['status'],
  program: string,
): Step[] => {
  const { startedAt, ending, backend, provider, resources } = attempt;
  const waitedMs = freeAt === undefined ? 0 : Date.parse(startedAt) - Date.parse(freeAt);
  const where = [`attempt ${String(attempt.attempt)}`, backend, resources?.class.toUpperCase()]
    .filter(Boolean)
    .join(', ');
  const mark = provider === 'simulated' ? ' [SIMULATED]' : '';
  return [
    ...(waitedMs < shortestWaitMs
      ? []
      : [{ kind: 'wait', what: program, status: 'done', ...times(freeAt, startedAt) } as const]),
    {
      kind: 'program',
      what: `${program}${mark} (${where})`,
      status: judged,
      ...times(startedAt, ending?.endedAt),
      ...(ending !== undefined && { note: ending.message }),
    },
  ];
};

const runSteps = ({ decision, attempts, waiting, result }: CycleRecord, isOver: boolean): readonly Step[] => [
  ...attempts.flatMap((attempt, at) => {
    const freeAt = at === 0 ? decision.decidedAt : attempts[at - 1]?.ending?.endedAt;
    const isLast = at === attempts.length - 1;
    const judged = statusOfAttempt(attempt, isLast ? result : undefined, isOver || !isLast);
    return attemptSteps(attempt, freeAt, judged, decision.program);
  }),
  ...(waiting === undefined
    ? []
    : [
        {
          kind: 'wait',
          what: decision.program,
          status: isOver ? 'failed' : 'open',
          startedAt: waiting.since,
          note: waiting.reason,
        } as const,
      ]),
];

const analysisSteps = ({ attempts, result }: CycleRecord, isAnalysing: boolean): readonly Step[] => {
  const since = attempts.at(-1)?.ending?.endedAt;
  if (result === undefined)
    return isAnalysing ? [{ kind: 'analysis', what: 'log and files', status: 'open', ...times(since, undefined) }] : [];
  const { summary, analysedAt } = result;
  return [{ kind: 'analysis', what: 'log and files', status: 'done', ...times(since, analysedAt), note: summary }];
};

const runParts = (record: CycleRecord, isOpen: boolean, stage: Stage): readonly Step[] => [
  ...runSteps(record, !isOpen),
  ...analysisSteps(record, isOpen && stage === 'analysing'),
];

/** A cycle without a record has ended with its decision. */
const statusOfCycle = (record: CycleRecord | undefined, isOpen: boolean): Step['status'] => {
  if (isOpen) return 'open';
  return record === undefined || record.result?.outcome === 'success' ? 'done' : 'failed';
};

const isInProgress = ({ status, cycle }: Session, number: number, record: CycleRecord | undefined): boolean =>
  !isEnded(status) && cycle === number && record?.result === undefined;

const cycleStep = (session: Session, cycle: number, requests: readonly ModelRequestEntry[]): Step => {
  const record = session.cycles.find((one) => one.cycle === cycle);
  const isOpen = isInProgress(session, cycle, record);
  const decision = decisionStep(session, record, requests, isOpen && record === undefined);
  return {
    kind: 'cycle',
    what: record?.decision.program ?? 'no program',
    status: statusOfCycle(record, isOpen),
    ...times(decision.startedAt ?? decision.endedAt, record?.result?.analysedAt),
    ...(requests.length > 0 && { spent: spentBy(requests) }),
    parts: [decision, ...(record === undefined ? [] : runParts(record, isOpen, session.stage))],
  };
};

const placed = ({ parts = [], ...step }: Step, path: string): readonly Operation[] => [
  { path, ...step },
  ...parts.flatMap((part, at) => placed(part, `${path}.${String(at + 1)}`)),
];

const assessmentStep = (number: number, requests: readonly ModelRequestEntry[]): Step => ({
  kind: 'assessment',
  what: `assessment ${String(number)}, by a model`,
  status: requests.map(statusOfRequest).at(-1) ?? 'open',
  ...times(requests[0]?.at, undefined),
  spent: spentBy(requests),
  parts: requests.map(requestStep),
});

/** Queries of models outside the cycles. */
const assessments = (requests: readonly ModelRequestEntry[]): readonly Operation[] => {
  const numbers = [...new Set(requests.map(({ work }) => assessmentOfWork(work)))].filter((number) => number > 0);
  return numbers.flatMap((number) =>
    placed(
      assessmentStep(
        number,
        requests.filter(({ work }) => assessmentOfWork(work) === number),
      ),
      `a${String(number)}`,
    ),
  );
};

/**
 * The operations of a session, derived from its record and its ledger. A removed cycle is included with the cost of its requests.
 * @param requests to models, in their order
 */
export const toTraceView = (session: Session, requests: readonly ModelRequestEntry[]): TraceView => {
  const isOver = isEnded(session.status);
  const known = [
    ...session.cycles.map(({ cycle }) => cycle),
    ...requests.map(({ work }) => cycleOfWork(work)).filter((cycle) => cycle > 0),
    ...(isOver ? [] : [session.cycle]),
  ];
  const cycles = [...new Set(known)].sort((one, other) => one - other);
  return {
    id: session.id,
    status: session.status,
    startedAt: session.createdAt,
    ...(isOver && { endedAt: session.updatedAt }),
    operations: [
      ...cycles.flatMap((cycle) =>
        placed(
          cycleStep(
            session,
            cycle,
            requests.filter(({ work }) => cycleOfWork(work) === cycle),
          ),
          String(cycle),
        ),
      ),
      ...assessments(requests),
    ],
    spent: spentBy(requests),
  };
};
