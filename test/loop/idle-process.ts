import type { QueueName } from '@fleet/contracts/queues';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import type { IdleWork } from './idle-stages';

const root = resolve(__dirname, '../..');

/** A worker process of a test. */
export interface TestProcess {
  readonly child: ChildProcess;
  /** Resolves when it takes jobs; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Its output so far, one entry a line. */
  readonly lines: readonly string[];
}

/** A worker whose stage does nothing. */
export const startIdleProcess = (
  queue: QueueName,
  work: IdleWork,
  env: Readonly<Record<string, string>>,
): TestProcess => startScript('test/loop/idle-worker.main.ts', [queue, JSON.stringify(work)], env);

const loader = join(root, 'test/support/typescript.mjs');

/**
 * Runs a file of the checkout, TypeScript or compiled, as a process of its own; it is ready when it writes a line with "is ready".
 * @param env the whole configuration; nothing of this process's own FLEET_, DATABASE_ or REDIS_ variables is passed on
 */
export const startScript = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): TestProcess => {
  const script = join(root, file);
  const clean = Object.entries(process.env).filter(([name]) => !/^(FLEET_|DATABASE_|REDIS_|NODE_OPTIONS)/.test(name));
  const line = file.endsWith('.ts') ? ['--import', loader, script, ...args] : [script, ...args];
  const child = spawn(process.execPath, line, {
    cwd: root,
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const ended = new Promise<number | NodeJS.Signals | null>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal));
  });
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('is ready')) done();
      });
    child.once('exit', (code, signal) =>
      fail(new Error(`worker ended before it was ready (${String(code ?? signal)}): ${lines.join('\n')}`)),
    );
  });
  ready.catch(() => undefined);
  return { child, ready, ended, lines };
};
