import type { CycleRecord, StrategyValue } from './cycle';
import type { SessionDirectives } from './directives';
import type { SessionFile } from './file-facts';
import type { SessionSettings } from './settings';

/** Where a running session is. A stage is work of seconds for its worker, except `executing`, which waits for a program. */
export const stages = ['deciding', 'executing', 'analysing'] as const;
export type Stage = (typeof stages)[number];

/**
 * - `running`: a stage is due;
 * - `cancelling`: somebody asked to cancel, the program may still be alive;
 * - `completed`: the agent stopped with a result;
 * - `unsatisfactory`: it ran to its end, and what came out is far from what the data promise;
 * - `failed`: the agent stopped without one, `stop` says why;
 * - `cancelled`: cancelled, and nothing of it runs any more.
 */
export const sessionStatuses = ['running', 'cancelling', 'completed', 'unsatisfactory', 'failed', 'cancelled'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
export type EndedStatus = Exclude<SessionStatus, 'running' | 'cancelling'>;
const endedStatuses: readonly SessionStatus[] = [
  'completed',
  'unsatisfactory',
  'failed',
  'cancelled',
] satisfies EndedStatus[];

/** A session id: 26 characters of Crockford's base 32 in lower case; the first holds three bits. No other text is one, anywhere. */
export const sessionIdPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Why a session ended, and with which status. */
export const statusOfStopReason = {
  /** Quality targets reached and validated. */
  converged: 'completed',
  /** What the user asked for is done (a target, a last program, analysis only). */
  goal_reached: 'completed',
  /** No further improvement, validated; the best model stands. */
  plateau: 'completed',
  /** The limit of refinement cycles is reached, validated. */
  refinement_limit: 'completed',
  /** Nothing more can be done with the files and programs at hand, and nothing is wrong. */
  nothing_left: 'completed',
  /** Nothing helps any more, and the fit is worse than the poor end of its resolution: parts are missing, or the model is wrong. */
  unsatisfactory: 'unsatisfactory',
  /** R-free stays above the hopeless limit after every way that files and programs allow: the model is wrong. */
  hopeless: 'failed',
  /** The next step needs a file or a program that is not here. */
  no_program: 'failed',
  max_cycles: 'failed',
  /** A program failed and no other way is left. */
  program_failed: 'failed',
  red_flag: 'failed',
  /** The backend lost the program more often than the limit of attempts. */
  infrastructure: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  /** Somebody took the last cycles out of the record; the session waits to be resumed. */
  cycles_removed: 'cancelled',
} as const satisfies Record<string, EndedStatus>;
export type StopReason = keyof typeof statusOfStopReason;

/** The end of a session: why, in a word and in a sentence for the user, and after which cycle. */
export interface SessionStop {
  readonly reason: StopReason;
  readonly detail: string;
  readonly afterCycle: number;
}

/** How well the result of a session fits its data: R-free of a crystal, a correlation with a map. */
export interface SessionFit {
  /** The metric's name, for example `r_free`. */
  readonly metric: string;
  readonly value: number;
  /** Å; absent while nobody knows it. */
  readonly resolution?: number;
}

/** What the next run on a file does differently, as somebody else has found out. */
export interface StatedRecovery {
  /** The file that made the error: it counts only where the command takes that file. Path or base name. */
  readonly file: string;
  /** Programs that it is for; none: every one that knows the parameters. */
  readonly programs: readonly string[];
  /** By the program's own parameter or by strategy key. */
  readonly set: Readonly<Record<string, StrategyValue>>;
  readonly why: string;
}

/**
 * What the record of the cycles cannot tell: said by `resume`, or by a client of the v2 API, which keeps its own session and says it
 * with every request.
 */
export interface SessionSteering {
  /** How many cycles are done where the record may hold fewer: a client may send the last of its history alone. */
  readonly cyclesDone?: number;
  /** The submitter said something new after this cycle (0: before the first); a finished workflow is open until a later cycle succeeds. */
  readonly adviceChangedAfter?: number;
  /** Runs next in spite of its failures, until a cycle after `after` ran it. */
  readonly retry?: { readonly program: string; readonly after: number };
  readonly recoveries?: readonly StatedRecovery[];
  /** Programs that no longer run in this session. */
  readonly blocked?: readonly string[];
  /** Parameters that a program refused, by program. */
  readonly refused?: Readonly<Record<string, readonly string[]>>;
  /** Paths of the best file or files of a category, as its keeper has judged them. */
  readonly bestFiles?: Readonly<Record<string, readonly string[]>>;
}

/** What was submitted. Only `resume` changes it: advice, directives, settings, steering, and more files. */
export interface SessionRequest {
  readonly title: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly submitter: string;
  readonly advice: string;
  readonly settings: SessionSettings;
  /** What the submitter asked for in structured form; absent: nothing. */
  readonly directives?: SessionDirectives;
  /** Absent: nothing. */
  readonly steering?: SessionSteering;
  /** The submitted files, resolved and inspected. */
  readonly inputs: readonly SessionFile[];
}

/** The small, hot part of a session: enough to route it. */
export interface SessionHead {
  /** ULID in lower case, or 26 such characters made from an idempotency key; lists sort by `createdAt`. */
  readonly id: string;
  readonly status: SessionStatus;
  readonly stage: Stage;
  /** Number of the current cycle, from 1. */
  readonly cycle: number;
  /** Number of the current attempt of the current cycle, from 1. */
  readonly attempt: number;
  /** Grows by one with every transition; a step that carries another version is stale and changes nothing. */
  readonly version: number;
  /** How often the sweeper had to wake the current version again. */
  readonly wakeUps: number;
  /** Absolute path of the session's folder, `<work root>/<proposal>/<id>`. */
  readonly folder: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The whole session record: the truth that queues, files and pages are made from. */
export interface Session extends SessionHead {
  readonly request: SessionRequest;
  readonly cycles: readonly CycleRecord[];
  readonly stop?: SessionStop;
}

/** One that a newer release has added has not ended, as far as this one knows. */
export const isEnded = (status: SessionStatus): status is EndedStatus => endedStatuses.includes(status);

/** The cycle that is under way or was last. */
export const currentCycle = (session: Session): CycleRecord | undefined =>
  session.cycles.find((record) => record.cycle === session.cycle);

/** Cycles whose analysis is written, oldest first: what decisions are made from. */
export const analysedCycles = (session: Pick<Session, 'cycles'>): readonly Required<CycleRecord>[] =>
  session.cycles.filter((record): record is Required<CycleRecord> => record.result !== undefined);
