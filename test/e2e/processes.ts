import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRun, type RunRecord } from '@fleet/attempt-runner';
import { errnoOf } from '@fleet/contracts/faults';

/** A program of the local backend that is at work, with the folder of its attempt. */
export interface AtWork extends RunRecord {
  readonly folder: string;
  readonly program: NonNullable<RunRecord['program']>;
}

const isAtWork = (run: Partial<AtWork>): run is AtWork => run.program !== undefined;

const read = (root: string): AtWork[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((folder) => folder.endsWith('.running'))
    .map((name) => path.join(root, name))
    .map((folder) => ({ ...readRun(folder), folder }))
    .filter(isAtWork);

/** The programs at work in a session's folder, or in all sessions of a work root. */
export const programsAtWork = (root: string): AtWork[] => {
  for (;;) {
    try {
      return read(root);
    } catch (error) {
      // A folder was published while it was read.
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
};

/** Those programs, as soon as there is one. */
export const atWork = async (root: string): Promise<AtWork[]> => {
  for (;;) {
    const found = programsAtWork(root);
    if (found.length > 0) return found;
    await sleep(50);
  }
};

/** False where the process has ended. */
export const signalled = (pid: number, signal: 'SIGKILL' | 'SIGSTOP'): boolean => {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
};
