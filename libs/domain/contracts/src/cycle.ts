import type { SessionFile } from './file-facts';

export type ExperimentType = 'xray' | 'cryoem';
export type BackendName = 'local' | 'kubernetes';
/** Whose program ran: a licensed PHENIX, an open program behind PHENIX's name, or a scripted stand-in. */
export type ProgramProvider = 'phenix' | 'open-phenix' | 'simulated';

export type StrategyValue = string | number | boolean;

/** Why a program was not among the choices, in one sentence. */
export interface NotOffered {
  readonly program: string;
  readonly why: string;
}

/** One decision: the next program with its command. */
export interface DecisionRecord {
  readonly program: string;
  /** Program name first, then its arguments; never joined into a shell string. */
  readonly argv: readonly string[];
  readonly reasoning: string;
  readonly experimentType: ExperimentType;
  /** State of the agent's workflow (phenix-agent.md#states), for example `xray_refined`. */
  readonly workflowState: string;
  /** Step inside the workflow, for example `validate`. */
  readonly step: string;
  readonly inputs: readonly { readonly slot: string; readonly path: string }[];
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly validPrograms: readonly string[];
  readonly notOffered: readonly NotOffered[];
  readonly decidedBy: 'rules' | 'fallback';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly decidedAt: string;
}

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
  /** The cluster took its place away: eviction, pre-emption, a drained node. Nobody's fault, and counted apart. */
  'disrupted',
  /** Its node is gone or does not answer. */
  'node_lost',
  /** Somebody deleted its Job. */
  'job_deleted',
  /** The image of its program cannot be pulled. */
  'image_unavailable',
  /** No node took it within the limit. */
  'unschedulable',
  /** No GPU came free within the wait; the program can run without one, and does so in the next attempt. */
  'gpu_unavailable',
] as const;
export type EndingKind = (typeof endingKinds)[number];

/** How a launch of a program ended. */
export interface AttemptEnding {
  readonly kind: EndingKind;
  readonly exitCode?: number;
  readonly signal?: string;
  /** One sentence for the user, with the cause. */
  readonly message: string;
  /** What happens next or whom to ask, in one sentence; absent where the analysis says it. */
  readonly nextAction?: string;
  /** True: the machine failed, a new attempt is right. False: the program ended by itself, analysis judges it. */
  readonly infrastructure: boolean;
  readonly endedAt: string;
  /** Wall time of the program in milliseconds. */
  readonly durationMs: number;
  /** Largest resident memory of the program's processes in MiB, where the system tells. */
  readonly peakMemoryMiB?: number;
}

/** What an attempt may take of a machine. */
export interface AttemptResources {
  readonly class: 'cpu' | 'gpu';
  readonly cpus: number;
  readonly memoryMiB: number;
}

/** One launch of a cycle's program. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly backend: BackendName;
  readonly provider: ProgramProvider;
  /** For example `Servalcat 0.4.142`. */
  readonly programVersion: string;
  /** Absent in records of older releases. */
  readonly resources?: AttemptResources;
  readonly startedAt: string;
  readonly ending?: AttemptEnding;
}

/** An attempt that could not start yet, as far as it is known, and why. */
export interface WaitingAttempt extends Omit<AttemptRecord, 'startedAt' | 'ending'> {
  /** ISO 8601; since when it could have started. */
  readonly since: string;
  /** True: the backend has put it in line. False: nothing of it exists yet. */
  readonly inLine: boolean;
  /** One sentence, as the user was told it last. */
  readonly because: string;
  /** ISO 8601; when the user was told that. */
  readonly toldAt: string;
}

export interface Metric {
  /** For example `r_free`. */
  readonly name: string;
  readonly value: number | string | boolean;
  /** Absent for fractions, counts and words. */
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
  /** Line of the log, from 1. */
  readonly line: number;
  /** The id of the pattern or table reader that found it. */
  readonly pattern: string;
}

export interface CycleResult {
  readonly outcome: 'success' | 'failed';
  /** One sentence: what came out, or why it failed. */
  readonly summary: string;
  readonly metrics: readonly Metric[];
  readonly outputs: readonly SessionFile[];
  /** Lines of the log that state the error, at most 20. */
  readonly errorLines: readonly string[];
  /** What the analysis did not look at or keep, one sentence each: files beyond what a record holds, the middle of a log. Absent: nothing. */
  readonly leftOut?: readonly string[];
  readonly analysedAt: string;
}

/** One decision, one program run, one analysis. Numbered from 1 inside a session. */
export interface CycleRecord {
  readonly cycle: number;
  readonly decision: DecisionRecord;
  readonly attempts: readonly AttemptRecord[];
  /** The current attempt while it waits; absent as soon as it started or ended. */
  readonly waiting?: WaitingAttempt;
  readonly result?: CycleResult;
}

/** Value of a numeric metric of a cycle, or undefined. */
export const metricValue = (result: CycleResult | undefined, name: string): number | undefined => {
  const value = result?.metrics.find((metric) => metric.name === name)?.value;
  return typeof value === 'number' ? value : undefined;
};
