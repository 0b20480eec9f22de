import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import type { RunLocation } from '@fleet/ports';
import { foldersOf } from './attempt/attempt-files-of';
import { attemptVariable } from './processes/process-tree';

/** The compiled `run-attempt` of this package. */
export const runAttemptScript = join(__dirname, 'run-attempt.js');

/** What `run-attempt` exits with. How the program ended is in the result alone. */
export const attemptExitCodes = {
  /** The attempt ran, however it ended, and its result is published. */
  recorded: 0,
  /** The supervisor itself failed; its words are on standard error. */
  failed: 1,
  /** The attempt was claimed before: by another supervisor or by whoever cancelled it. Nothing was started. */
  elsewhere: 85,
} as const;

export interface RunAttemptOptions {
  /** Octal: `0007`. What is written is the group's too, and so is, at the end, what the program kept to itself. */
  readonly umask?: string;
  /** The program's log goes to standard output too. */
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
 * What the environment of a run's supervisor needs beside what the program is to see: the mark by which its processes
 * are found, and a temporary folder that goes away with the run.
 */
export const attemptEnvironment = (run: RunLocation): Readonly<Record<string, string>> => ({
  TMPDIR: join(foldersOf(run).running, attemptFiles.temporary),
  [attemptVariable]: run.name,
});
