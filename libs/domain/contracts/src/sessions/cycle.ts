import { sessionFileSchema } from './file-facts';
import { backendNames, programProviders } from '../service/programs';
import { choice, flag, integer, mapOf, mark, number, record, text, type Described } from '../schema/schema';
import { turnFailureCodes } from '../models/models';
import { count, entries, line, ordinal, path, programName, scalar, time, token } from '../schema/schema-fields';

const experimentTypes = ['xray', 'cryoem'] as const;
export type ExperimentType = (typeof experimentTypes)[number];

export const notOfferedSchema = record('NotOffered', {
  program: text(),
  why: text('why it was not among the choices, in one sentence'),
});
export type NotOffered = Described<typeof notOfferedSchema>;

const confidences = ['high', 'medium', 'low'] as const;

const planningSchema = record(
  {
    prompt: text('id and version of the prompt: `plan 1`'),
    requests: count('that were made, failed ones too; 0: the reply was there from an earlier try of this step'),
  },
  {
    target: text('name of the target whose model chose; absent: the rules chose'),
    model: text('its model'),
    hash: text('of what was asked, SHA-256, hexadecimal: `models/` in the folder of the session has the raw reply'),
    failed: choice(turnFailureCodes, 'why no model chose'),
    why: text('the same in words'),
    strategy: mapOf(scalar(), 'values that the model set; absent: none, or the record is of an older release'),
  },
  'what models had to do with a decision; absent where none is configured, or there was nothing to choose',
);
export type PlanningRecord = Described<typeof planningSchema>;

const sha256 = (what: string) => text(what, { pattern: '^[0-9a-f]{64}$', 'x-allowed': '64 hexadecimal digits' });

export const provenanceSchema = record(
  'Provenance',
  {
    release: line('release of phenix-fleet'),
    knowledge: sha256('SHA-256 of the files of the knowledge, hexadecimal'),
    request: sha256('SHA-256 of what the session requested: settings, files, directives, ligands, steering'),
    rule: text('id of the detection rule of the workflow that held'),
  },
  {
    image: line("digest of the program's image, `sha256:…`; absent: no container, or its image is named by a tag only"),
    unavailable: entries(text(), 'programs that were not installed, or not allowed by the site; absent: none'),
    skippedFiles: entries(path(), 'files of the session that were gone or changed on disk; absent: none'),
    pastStop: mark('a stop rule held already: the session was resumed after its end'),
  },
  'what a decision was made with, beside the earlier cycles and the guidance: by it the decision can be replayed',
);
export type Provenance = Described<typeof provenanceSchema>;

export const decisionSchema = record(
  'Decision',
  {
    program: programName(),
    argv: entries(token(), 'program name first, then its arguments; never joined into a shell string', { minItems: 1 }),
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
      'model: it chose from the menu that the rules made, and the rules checked it',
    ),
    confidence: choice(confidences),
    decidedAt: time(),
  },
  {
    guidance: ordinal('revision of the guidance that it followed; absent: nothing was asked for'),
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
    message: words('one sentence for the user, with the cause'),
    infrastructure: flag(
      'true: the machine failed, a new attempt is right; false: the program ended by itself, analysis judges it',
    ),
    endedAt: time(),
    durationMs: number('wall time of the program in milliseconds'),
  },
  {
    exitCode: integer(),
    signal: words('its name'),
    nextAction: words('what happens next or whom to ask, in one sentence; absent where the analysis says it'),
    peakMemoryMiB: number("largest resident memory of the program's processes in MiB, where the system tells"),
  },
  'how a launch of a program ended',
);
export type AttemptEnding = Described<typeof endingSchema>;

/** The kind of node that an attempt runs on. */
export const nodeMembers = {
  class: choice(['cpu', 'gpu']),
  cpus: number('processors; a cluster gives parts of one, too', { minimum: 0 }),
} as const;

export const resourcesSchema = record(
  'Resources',
  { ...nodeMembers, memoryMiB: number('MiB') },
  {},
  'what an attempt may take of a machine',
);
export type AttemptResources = Described<typeof resourcesSchema>;

const launched = {
  attempt: ordinal(),
  backend: choice(backendNames),
  provider: choice(programProviders, 'simulated: a scripted stand-in, no result of a real program'),
  programVersion: line('for example `Servalcat 0.4.142`'),
} as const;

export const attemptSchema = record(
  'Attempt',
  { ...launched, startedAt: time() },
  // Resources are absent in records of older releases.
  { resources: resourcesSchema, ending: endingSchema },
  "one launch of a cycle's program",
);
export type AttemptRecord = Described<typeof attemptSchema>;

export const waitingAttemptSchema = record(
  'WaitingAttempt',
  {
    ...launched,
    since: time('since when it could have started'),
    queuedOnBackend: flag('true: queued on the backend; false: not created yet'),
    reason: text('why it could not start yet: one sentence, as the user saw it last'),
    reportedAt: time('when the user saw that'),
  },
  { resources: resourcesSchema },
  'an attempt that could not start yet, as far as it is known',
);
export type WaitingAttempt = Described<typeof waitingAttemptSchema>;

/** A value by its name, as a list of results shows it. */
export const measuredValue = {
  required: { name: text('for example `r_free`'), value: scalar() },
  optional: { unit: choice(['Å', '%', 'Å²', '°'], 'absent for fractions, counts and words') },
} as const;

export const metricSchema = record(
  'Metric',
  {
    ...measuredValue.required,
    line: count('line of the log, from 1'),
    pattern: text('the id of the pattern or table reader that found it'),
  },
  measuredValue.optional,
);
export type Metric = Described<typeof metricSchema>;

export const fitQuality = choice(
  ['good', 'acceptable', 'needs improvement'],
  'what the number is worth at this resolution; absent where the knowledge has no bands for it',
);
export const fitTrend = choice(
  ['better', 'worse', 'unchanged'],
  'where the number went when it was last measured anew; absent of the first',
);

export const sessionFitSchema = record(
  'Fit',
  { metric: text("the metric's name, for example `r_free`"), value: number() },
  {
    resolution: number('Å; absent while nobody knows it'),
    rWork: number('R-work beside an R-free, where it was measured'),
    quality: fitQuality,
    trend: fitTrend,
  },
  'how well the result of a session fits its data: R-free of a crystal, a correlation with a map',
);
export type SessionFit = Described<typeof sessionFitSchema>;

export const sessionLigandSchema = record(
  'Ligand',
  { inModel: flag('the model holds it; false: nothing confirms it, or it is not merged yet. The summary says why') },
  {
    code: text('its component'),
    cc: number('correlation of the fit with the map'),
    atoms: count('atoms of the ligand'),
    atomsInDensity: count('of these, where the map is above 1 rms'),
    omitCc: number('CC(1,3) of its omit (polder) map'),
  },
  'what speaks for the ligand; of several the best one that the model holds, else the best',
);
export type SessionLigand = Described<typeof sessionLigandSchema>;

export const cycleResultSchema = record(
  'CycleResult',
  {
    outcome: choice(['success', 'failed']),
    summary: text('one sentence: what came out, or why it failed'),
    metrics: entries(metricSchema),
    outputs: entries(sessionFileSchema),
    errorLines: entries(text(), 'lines of the log that state the error, at most 20'),
    analysedAt: time(),
  },
  {
    leftOut: entries(
      text(),
      'what the analysis did not look at or keep, one sentence each: files beyond what a record holds, the middle of a log; absent: nothing',
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
    cycle: ordinal('its number inside the session, from 1'),
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
