import {
  endingKinds,
  fileFormats,
  sessionIdPattern,
  sessionStatuses,
  stages,
  statusOfStopReason,
} from '@fleet/contracts';

/** JSON Schemas of `session.json`. Unknown keys are kept: a newer release of the same layout may add some. */
const text = { type: 'string' } as const;
/** What people read at a glance. */
const line = { type: 'string', maxLength: 1000 } as const;
/** PATH_MAX of Linux; no NUL, which ends a path for the system. */
const path = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^/[^\\u0000]*$' } as const;
/** It names a folder, and what is launched. */
const program = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}\\.[a-z][a-z0-9_]{0,63}$' } as const;
const token = { type: 'string', maxLength: 65_536, pattern: '^[^\\u0000]*$' } as const;
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const number = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;
const scalar = { type: ['string', 'number', 'boolean'] } as const;

type Schema = Readonly<Record<string, unknown>>;

const list = (items: Schema, maxItems = 10_000): Schema => ({ type: 'array', items, maxItems });
const record = (
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const some = (optional: Readonly<Record<string, Schema>>): Schema => record({}, optional);
const choice = (values: readonly string[]): Schema => ({ enum: values });

const pin = record({ inode: text, size: count, modified: text }, { sha256: text });

/** `JSON.stringify` writes what is no number as null. */
const measured = { type: ['number', 'null'] } as const;
/** Members may be absent: older releases did not know all of them. */
const facts = record(
  { format: choice(fileFormats) },
  {
    assumed: flag,
    cell: { type: 'array', items: measured, maxItems: 6 },
    spaceGroup: text,
    mtz: some({
      reflections: measured,
      highResolution: measured,
      lowResolution: measured,
      columns: list(record({ label: text, type: text })),
      observations: list(record({ labels: text, kind: choice(['amplitude', 'intensity']), anomalous: flag })),
      freeFlag: text,
      withoutFreeFlag: flag,
      freeSet: text,
      mapCoefficients: list(text),
      phases: list(text),
    }),
    model: some({
      atoms: measured,
      chains: list(text),
      polymerResidues: measured,
      waters: measured,
      ligandCodes: list(text),
      modifiedResidues: list(text),
      predicted: flag,
      meanB: measured,
      sequences: list(text),
    }),
    map: some({ grid: { type: 'array', items: measured, maxItems: 3 }, mode: measured, voxel: measured }),
    restraints: some({ codes: list(text) }),
    sequence: some({ chains: measured, residues: measured, distinct: measured, sequences: list(text) }),
  },
);

const file = record({ path, size: count, cycle: count, facts }, { program: text, pin });

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

const strategy = { type: 'object', additionalProperties: scalar } as const;
const lists = { type: 'object', additionalProperties: list(text) } as const;
const steering = some({
  adviceChangedAfter: count,
  retry: record({ program, after: count }),
  recoveries: list(record({ file: text, programs: list(text), set: strategy, why: text })),
  blocked: list(text),
  refused: lists,
  bestFiles: lists,
});

const request = record(
  {
    title: line,
    proposal: line,
    beamline: line,
    submitter: line,
    advice: text,
    settings,
    inputs: list(file),
  },
  { directives: { type: 'object' }, steering },
);

const decision = record({
  program,
  argv: { ...list(token), minItems: 1 },
  reasoning: text,
  experimentType: choice(['xray', 'cryoem']),
  workflowState: text,
  step: text,
  inputs: list(record({ slot: text, path })),
  strategy,
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
  programVersion: line,
} as const;
const resources = record({ class: choice(['cpu', 'gpu']), cpus: count, memoryMiB: number });

const attempt = record({ ...launched, startedAt: text }, { resources, ending });
const waiting = record({ ...launched, since: text, inLine: flag, because: text, toldAt: text }, { resources });

const result = record(
  {
    outcome: choice(['success', 'failed']),
    summary: text,
    metrics: list(record({ name: text, value: scalar, line: count, pattern: text }, { unit: text })),
    outputs: list(file),
    errorLines: list(text),
    analysedAt: text,
  },
  { leftOut: list(text) },
);

/** The whole record, as `Session` of libs/domain/contracts declares it. */
export const sessionSchema: Schema = record(
  {
    id: { type: 'string', pattern: sessionIdPattern.source },
    status: choice(sessionStatuses),
    stage: choice(stages),
    cycle: count,
    attempt: count,
    version: count,
    wakeUps: count,
    folder: path,
    createdAt: text,
    updatedAt: text,
    request,
    cycles: list(record({ cycle: count, decision, attempts: list(attempt) }, { waiting, result })),
  },
  { stop: record({ reason: choice(Object.keys(statusOfStopReason)), detail: text, afterCycle: count }) },
);
