import { endingKinds, fileFormats, sessionStatuses, stages } from '@fleet/contracts';

/** JSON Schemas of `session.json`. Unknown keys are kept: a newer release of the same layout may add some. */
const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const number = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;
const scalar = { type: ['string', 'number', 'boolean'] } as const;

type Schema = Readonly<Record<string, unknown>>;

const list = (items: Schema): Schema => ({ type: 'array', items });
const record = (
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const choice = (values: readonly string[]): Schema => ({ enum: values });

const pin = record({ inode: text, size: count, modified: text }, { sha256: text });
const file = record(
  { path: text, size: count, cycle: count, facts: record({ format: choice(fileFormats) }) },
  { program: text, pin },
);

const settings = record({
  max_cycles: count,
  experiment_type: choice(['auto', 'xray', 'cryoem']),
  resolution: number,
  analysis_only: flag,
  r_free_target: number,
  map_cc_target: number,
  max_refine_cycles: count,
  program_time_limit: number,
  simulated_programs: list(text),
  abort_on_red_flags: flag,
  abort_on_warnings: flag,
});

const request = record(
  {
    title: text,
    proposal: text,
    beamline: text,
    submitter: text,
    advice: text,
    settings,
    inputs: list(file),
  },
  { directives: { type: 'object' }, steering: { type: 'object' } },
);

const decision = record({
  program: text,
  argv: list(text),
  reasoning: text,
  experimentType: choice(['xray', 'cryoem']),
  workflowState: text,
  step: text,
  inputs: list(record({ slot: text, path: text })),
  strategy: { type: 'object', additionalProperties: scalar },
  validPrograms: list(text),
  notOffered: list(record({ program: text, why: text })),
  decidedBy: choice(['rules', 'fallback']),
  confidence: choice(['high', 'medium', 'low']),
  decidedAt: text,
});

const ending = record(
  { kind: choice(endingKinds), message: text, infrastructure: flag, endedAt: text, durationMs: number },
  { exitCode: { type: 'integer' }, signal: text, nextAction: text, peakMemoryMiB: number },
);

const launched = {
  attempt: count,
  backend: choice(['local', 'kubernetes']),
  provider: choice(['phenix', 'open-phenix', 'simulated']),
  programVersion: text,
} as const;
const resources = record({ class: choice(['cpu', 'gpu']), cpus: count, memoryMiB: number });

const attempt = record({ ...launched, startedAt: text }, { resources, ending });
const waiting = record({ ...launched, since: text, inLine: flag, because: text, toldAt: text }, { resources });

const result = record({
  outcome: choice(['success', 'failed']),
  summary: text,
  metrics: list(record({ name: text, value: scalar, line: count, pattern: text }, { unit: text })),
  outputs: list(file),
  errorLines: list(text),
  analysedAt: text,
});

/** The whole record, as `Session` of libs/contracts declares it. */
export const sessionSchema: Schema = record(
  {
    id: { type: 'string', pattern: '^[0-9a-z]{26}$' },
    status: choice(sessionStatuses),
    stage: choice(stages),
    cycle: count,
    attempt: count,
    version: count,
    wakeUps: count,
    folder: text,
    createdAt: text,
    updatedAt: text,
    request,
    cycles: list(record({ cycle: count, decision, attempts: list(attempt) }, { waiting, result })),
  },
  { stop: record({ reason: text, detail: text, afterCycle: count }) },
);
