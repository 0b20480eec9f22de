import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import type { RunLocation } from '@fleet/ports';
import { foldersOf } from './attempt/attempt-files-of';
import { attemptVariable } from './processes/process-tree';

/** The compiled `run-attempt` of this package. */
export const runAttemptScript = join(__dirname, 'run-attempt.js');

/** Exit codes of `run-attempt`. Only the result says how the program ended. */
export const attemptExitCodes = {
  /** The attempt ran and its result is published, however the program ended. */
  recorded: 0,
  /** The supervisor itself failed; standard error says why. */
  failed: 1,
  /** The attempt was already claimed, by another supervisor or by a cancel. Nothing was started. */
  elsewhere: 85,
} as const;

export interface RunAttemptOptions {
  /** Octal: `0007`. Files are opened to the group, at the end also those that the program kept private. */
  readonly umask?: string;
  /** Copies the program's log to standard output. */
  readonly copyOutput?: boolean;
}

/** The arguments of `run-attempt`. */
export const runAttemptArguments = (run: RunLocation, { umask, copyOutput }: RunAttemptOptions = {}): string[] => {
  const { running, published } = foldersOf(run);
  return [
    ...(umask === undefined ? [] : ['--umask', umask]),
    ...(copyOutput === true ? ['--copy-output'] : []),
    '--',
    running,
    published,
  ];
};

/**
 * Environment of a run's supervisor in addition to the program's: the mark that identifies its processes, and a
 * temporary folder that is removed with the run.
 */
export const attemptEnvironment = (run: RunLocation): Readonly<Record<string, string>> => ({
  TMPDIR: join(foldersOf(run).running, attemptFiles.temporary),
  [attemptVariable]: run.name,
});
