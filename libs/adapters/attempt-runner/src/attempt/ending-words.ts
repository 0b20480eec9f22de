import { errnoOf } from '@fleet/contracts/faults';
import type { RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding, EndingKind } from '@fleet/contracts/sessions';

/** What the supervisor knows about an ended program. */
export interface RawEnding {
  readonly program: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the supervisor ended the program, if it did. */
  readonly endedBecause: ForcedEnding | undefined;
  /** The exhausted resource, if the program failed: disk or quota, or the memory of its container. */
  readonly cause?: 'disk_full' | 'out_of_memory' | undefined;
  readonly limits: RunSpec['limits'];
}

export type ForcedEnding =
  Extract<EndingKind, 'wall_clock_limit' | 'memory_limit' | 'output_limit' | 'cancelled'> | 'stop_requested';

/** An ending without times. */
export type Outcome = Omit<AttemptEnding, 'endedAt' | 'durationMs'>;

/** Signals of a program error, which would only repeat in another run. */
const crashes: Readonly<Record<string, string>> = {
  SIGSEGV: 'crashed: segmentation fault (SIGSEGV)',
  SIGABRT: 'crashed: it aborted (SIGABRT)',
  SIGBUS: 'crashed: a file or memory it was reading is gone (SIGBUS)',
  SIGFPE: 'crashed: arithmetic error (SIGFPE)',
  SIGILL: 'crashed: it uses an instruction that this CPU does not support (SIGILL)',
  SIGTRAP: 'crashed: trap (SIGTRAP)',
  SIGSYS: 'crashed: it used a system call that is not allowed here (SIGSYS)',
  SIGXFSZ: 'was ended because a file became larger than the system allows (SIGXFSZ)',
  SIGXCPU: 'was ended because it used more CPU time than the system allows (SIGXCPU)',
};

/** A shell reports the signal that ended its program as exit code 128 + number (signal(7)). */
const signalsOfExitCodes: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  132: 'SIGILL',
  133: 'SIGTRAP',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

const startedAgain = 'It is started again.';
const makeRoom = 'It is started again; ask the administrator to free disk space.';

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 2 : 0);

const forced = (raw: RawEnding, reason: ForcedEnding): Outcome => {
  const { program, limits } = raw;
  switch (reason) {
    case 'wall_clock_limit':
      return {
        kind: reason,
        infrastructure: false,
        message: `${program} was ended: it ran longer than its limit of ${limits.wallClock} s.`,
        nextAction: 'If it needs more time, ask for a longer limit.',
      };
    case 'memory_limit':
      return {
        kind: reason,
        infrastructure: false,
        message: `${program} was ended: it used more memory than its limit of ${limits.memoryMiB} MiB.`,
      };
    case 'output_limit':
      return {
        kind: reason,
        infrastructure: false,
        message: `${program} was ended: its log grew beyond the limit of ${mebibytes(limits.outputBytes)} MiB.`,
        nextAction: 'Read the end of its log: the program is probably repeating itself.',
      };
    case 'cancelled':
      return describeCancel(program);
    case 'stop_requested':
      return {
        kind: 'disrupted',
        infrastructure: true,
        message: `${program} was ended because its computer or pod is shutting down.`,
        nextAction: 'It is started again elsewhere.',
      };
  }
};

const forWantOf = ({ program, limits }: RawEnding, cause: NonNullable<RawEnding['cause']>): Outcome =>
  cause === 'disk_full'
    ? {
        kind: cause,
        infrastructure: true,
        message: `${program} failed because the disk was full.`,
        nextAction: makeRoom,
      }
    : {
        kind: 'memory_limit',
        infrastructure: false,
        message: `${program} was ended by the system: it needed more memory than its limit of ${limits.memoryMiB} MiB.`,
      };

const bySignal = (program: string, signal: string): Outcome => {
  const crash = crashes[signal];
  if (crash !== undefined) return { kind: 'signalled', signal, infrastructure: false, message: `${program} ${crash}.` };
  const cause = signal === 'SIGKILL' ? ', as the system also does when it runs out of memory' : '';
  return {
    kind: 'signalled',
    signal,
    infrastructure: true,
    message: `${program} was killed from outside (${signal}${cause}).`,
    nextAction: startedAgain,
  };
};

/** Describes how a program ended: the cause, whether the infrastructure failed, and a text for the user. */
export const describeEnding = (raw: RawEnding): Outcome => {
  const seen = {
    ...(raw.exitCode === null ? {} : { exitCode: raw.exitCode }),
    ...(raw.signal === null ? {} : { signal: raw.signal }),
  };
  if (raw.endedBecause !== undefined) return { ...seen, ...forced(raw, raw.endedBecause) };
  if (raw.exitCode === 0)
    return { ...seen, kind: 'exited', infrastructure: false, message: `${raw.program} ended normally.` };
  if (raw.cause !== undefined) return { ...seen, ...forWantOf(raw, raw.cause) };
  const signal = raw.signal ?? signalsOfExitCodes[raw.exitCode ?? -1];
  if (signal !== undefined) return { ...seen, ...bySignal(raw.program, signal) };
  return {
    ...seen,
    kind: 'exited',
    infrastructure: false,
    message: `${raw.program} ended with exit code ${String(raw.exitCode)}.`,
  };
};

/** System errors of a launch that are infrastructure failures, not program errors (errno(3)). */
const machineTroubles = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'EIO', 'ESTALE', 'ETXTBSY']);

/** Describes why a program could not be started. */
export const describeFailedStart = (program: string, executable: string, error: Error): Outcome => {
  const code = errnoOf(error) ?? '';
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `${executable} does not exist, or the interpreter that it names does not`,
    EACCES: `${executable} may not be executed`,
    ENOEXEC: `${executable} is not a program of this system`,
    E2BIG: 'its command is longer than the system allows',
  };
  return {
    kind: 'not_started',
    infrastructure: machineTroubles.has(code),
    message: `${program} could not be started: ${reasons[code] ?? error.message}.`,
    nextAction: machineTroubles.has(code) ? startedAgain : 'Ask the administrator to check the installation.',
  };
};

/** The disk was too full even for the executor's own files. */
export const diskFullAtStart = (program: string): Outcome => ({
  kind: 'disk_full',
  infrastructure: true,
  message: `${program} could not be started because the disk was full.`,
  nextAction: makeRoom,
});

/** The supervisor died without writing a result. */
export const describeLoss = (program: string): Outcome => ({
  kind: 'lost',
  infrastructure: true,
  message: `${program} was lost: its supervisor is gone, so it is not known how the program ended.`,
  nextAction: startedAgain,
});

export const describeCancel = (program: string): Outcome => ({
  kind: 'cancelled',
  infrastructure: false,
  message: `${program} was ended because the session was cancelled.`,
});
