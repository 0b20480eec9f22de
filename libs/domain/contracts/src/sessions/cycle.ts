import { sessionFileSchema } from './file-facts';
import { backendNames, programProviders } from '../service/programs';
import { choice, flag, integer, mapOf, mark, number, record, text, type Described } from '../schema/schema';
import { turnFailureCodes } from '../models/models';
import { count, entries, line, ordinal, path, programName, scalar, sha256, time, token } from '../schema/schema-fields';

export const experimentTypes = ['xray', 'cryoem'] as const;
export type ExperimentType = (typeof experimentTypes)[number];

const notOfferedSchema = record('NotOffered', {
  program: text(),
  why: text('why it was not a choice, in one sentence'),
});
export type NotOffered = Described<typeof notOfferedSchema>;

const confidences = ['high', 'medium', 'low'] as const;

const planningSchema = record(
  {
    prompt: text('id and version of the prompt: `plan 1`'),
    requests: count('number of requests, including failed ones; 0: the reply is from an earlier try of this step'),
  },
  {
    target: text('target of the model that chose; absent: the rules chose'),
    model: text('name of the model'),
    hash: text('SHA-256 of the prompt, hexadecimal; `models/` in the session folder has the raw reply'),
    failed: choice(turnFailureCodes, 'why no model chose'),
    why: text('the reason in one sentence'),
    strategy: mapOf(scalar(), 'values that the model set; absent: none, or a record of an older release'),
  },
  'role of language models in a decision; absent if none is configured or there was only one choice',
);
export type PlanningRecord = Described<typeof planningSchema>;

export const provenanceSchema = record(
  'Provenance',
  {
    release: line('release of phenix-fleet'),
    knowledge: sha256('SHA-256 of the knowledge files, hexadecimal'),
    request: sha256('SHA-256 of the request: settings, files, directives, ligands, steering'),
    rule: text("id of the workflow's detection rule that matched"),
  },
  {
    image: line("digest of the program's image, `sha256:…`; absent: no container, or an image named by tag only"),
    unavailable: entries(text(), 'programs not installed or not allowed by the site; absent: none'),
    skippedFiles: entries(path(), 'files of the session that were missing or changed on disk; absent: none'),
    pastStop: mark('a stop rule already matched: the session was resumed after its end'),
  },
  'further inputs of a decision, besides earlier cycles and guidance: with them the decision can be replayed',
);
export type Provenance = Described<typeof provenanceSchema>;

const decisionSchema = record(
  'Decision',
  {
    program: programName(),
    argv: entries(token(), 'program name and arguments; never joined into a shell string', { minItems: 1 }),
    reasoning: text(),
    experimentType: choice(experimentTypes),
    workflowState: text("state of the agent's workflow (phenix-agent.md#states), for example `xray_refined`"),
    step: text('step inside the workflow, for example `validate`'),
    inputs: entries(record({ slot: text(), path: path() })),
    strategy: mapOf(scalar()),
    validPrograms: entries(text()),
    notOffered: entries(notOfferedSchema),
    decidedBy: choice(
      ['rules', 'fallback', 'model'],
      "model: a language model chose from the rules' menu, and the rules checked its choice",
    ),
    confidence: choice(confidences),
    decidedAt: time(),
  },
  {
    guidance: ordinal('revision of the guidance that it followed; absent: no guidance'),
    planning: planningSchema,
    provenance: provenanceSchema,
  },
  'one decision: the next program with its command',
);
export type DecisionRecord = Described<typeof decisionSchema>;

export const endingKinds = [
  'exited',
  'signalled',
  'wall_clock_limit',
  'memory_limit',
  'output_limit',
  'disk_full',
  'cancelled',
  'lost',
  'not_started',
  /** The cluster took its slot away: eviction, pre-emption, a drained node. Not a failure, and counted separately. */
  'disrupted',
  /** Its node is gone or does not respond. */
  'node_lost',
  /** A user deleted its Job. */
  'job_deleted',
  /** The image of its program cannot be pulled. */
  'image_unavailable',
  /** No node accepted it within the limit. */
  'unschedulable',
  /** No GPU became free within the wait; the program can run without one, and does so in the next attempt. */
  'gpu_unavailable',
] as const;
export type EndingKind = (typeof endingKinds)[number];

/** Texts of the service are shorter; a longer one comes from outside. */
const words = (what: string) => text(what, { maxLength: 10_000 });

export const endingSchema = record(
  'Ending',
  {
    kind: choice(endingKinds),
    message: words('cause in one sentence, for the user'),
    infrastructure: flag(
      'true: infrastructure failure, a new attempt follows; false: the program ended by itself, and the analysis judges it',
    ),
    endedAt: time(),
    durationMs: number('wall time of the program in milliseconds'),
  },
  {
    exitCode: integer(),
    signal: words('name of the signal'),
    nextAction: words('next step or contact, in one sentence; absent if the analysis states it'),
    peakMemoryMiB: number("peak resident memory of the program's processes in MiB, if known"),
  },
  'ending of a program launch',
);
export type AttemptEnding = Described<typeof endingSchema>;

/** The kind of node that an attempt runs on. */
export const nodeMembers = {
  class: choice(['cpu', 'gpu']),
  cpus: number('CPUs; a cluster can assign fractions', { minimum: 0 }),
} as const;

const resourcesSchema = record(
  'Resources',
  { ...nodeMembers, memoryMiB: number('MiB') },
  {},
  'resource limits of an attempt',
);
export type AttemptResources = Described<typeof resourcesSchema>;

const launched = {
  attempt: ordinal(),
  backend: choice(backendNames),
  provider: choice(programProviders, 'simulated: by a scripted stand-in, not a real program'),
  programVersion: line('for example `Servalcat 0.4.142`'),
} as const;

const attemptSchema = record(
  'Attempt',
  { ...launched, startedAt: time() },
  // Resources are absent in records of older releases.
  { resources: resourcesSchema, ending: endingSchema },
  "one launch of a cycle's program",
);
export type AttemptRecord = Described<typeof attemptSchema>;

const waitingAttemptSchema = record(
  'WaitingAttempt',
  {
    ...launched,
    since: time('start of the wait'),
    queuedOnBackend: flag('true: queued on the backend; false: not created yet'),
    reason: text('why it waits, in one sentence, as last shown to the user'),
    reportedAt: time('time when the user saw this reason'),
  },
  { resources: resourcesSchema },
  'an attempt that has not started yet',
);
export type WaitingAttempt = Described<typeof waitingAttemptSchema>;

/** A value by its name, as a list of results shows it. */
export const measuredValue = {
  required: { name: text('for example `r_free`'), value: scalar() },
  optional: { unit: choice(['Å', '%', 'Å²', '°'], 'absent for fractions, counts and words') },
} as const;

const metricSchema = record(
  'Metric',
  {
    ...measuredValue.required,
    line: count('log line, from 1'),
    pattern: text('id of the log pattern or table reader that found it'),
  },
  measuredValue.optional,
);
export type Metric = Described<typeof metricSchema>;

export const fitQuality = choice(
  ['good', 'acceptable', 'needs improvement'],
  'quality band of the value at this resolution; absent: no bands are defined',
);
export const fitTrend = choice(
  ['better', 'worse', 'unchanged'],
  'change since the previous measurement; absent for the first',
);

export const sessionFitSchema = record(
  'Fit',
  { metric: text('metric name, for example `r_free`'), value: number() },
  {
    resolution: number('Å; absent: not known yet'),
    rWork: number('R-work measured with the R-free'),
    quality: fitQuality,
    trend: fitTrend,
  },
  'fit of the result to the data: R-free for crystals, map correlation for cryo-EM',
);
export type SessionFit = Described<typeof sessionFitSchema>;

export const sessionLigandSchema = record(
  'Ligand',
  {
    inModel: flag(
      'the model contains the ligand; false: unconfirmed, not merged yet, or no density. The summary gives the reason',
    ),
  },
  {
    code: text('component code'),
    cc: number('correlation of the fit with the map'),
    atoms: count('atoms of the ligand'),
    atomsInDensity: count('number of these atoms where the map is above 1 rms'),
    omitCc: number('CC(1,3) of its omit (polder) map'),
  },
  'evidence for the ligand: of the best ligand in the model, otherwise of the best fit',
);
export type SessionLigand = Described<typeof sessionLigandSchema>;

const cycleResultSchema = record(
  'CycleResult',
  {
    outcome: choice(['success', 'failed']),
    summary: text('result, or reason of the failure, in one sentence'),
    metrics: entries(metricSchema),
    outputs: entries(sessionFileSchema),
    errorLines: entries(text(), 'log lines with the error, at most 20'),
    analysedAt: time(),
  },
  {
    leftOut: entries(
      text(),
      'what the analysis omitted, one sentence each (files beyond the limit of a record, the middle of a long log); absent: nothing',
    ),
    // How well the best model of the session fits after this cycle; absent until a relevant metric was measured.
    fit: sessionFitSchema,
    // Evidence for the ligand after this cycle; absent without a fitted ligand, and in records of older releases.
    ligand: sessionLigandSchema,
  },
);
export type CycleResult = Described<typeof cycleResultSchema>;

export const cycleSchema = record(
  'Cycle',
  {
    cycle: ordinal('cycle number in the session, from 1'),
    decision: decisionSchema,
    attempts: entries(attemptSchema),
  },
  {
    // The current attempt while it waits; absent as soon as it started or ended.
    waiting: waitingAttemptSchema,
    result: cycleResultSchema,
  },
  'one decision, one program run, one analysis',
);
export type CycleRecord = Described<typeof cycleSchema>;

/** Value of a numeric metric of a cycle, or undefined. */
export const metricValue = (result: CycleResult | undefined, name: string): number | undefined => {
  const value = result?.metrics.find((metric) => metric.name === name)?.value;
  return typeof value === 'number' ? value : undefined;
};
