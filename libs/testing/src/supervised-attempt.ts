import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  attemptEnvironment,
  foldersOf,
  runAttemptArguments,
  specHash,
  writeOnce,
  type ResultRecord,
  type RunAttemptOptions,
} from '@fleet/attempt-runner';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { publishedFolder, type LocalRuns } from './local-runs';

interface StartOptions extends RunAttemptOptions {
  /** Command prefix of the supervisor, for example `unshare --pid --fork`. */
  readonly under?: readonly string[];
}

/** Creates the folder with the spec for a supervisor. */
export const prepareAttempt = (spec: RunSpec): void => {
  const { running } = foldersOf(spec);
  mkdirSync(join(running, attemptFiles.folder), { recursive: true });
  writeOnce(join(running, attemptFiles.spec), { schemaVersion: 1, spec, hash: specHash(spec) });
};

/** `run-attempt` started like a container does, without a backend. */
export class SupervisedAttempt {
  readonly process: ChildProcess;
  /** Exit code of the supervisor. */
  readonly exitCode: Promise<number | null>;
  private errors = '';

  constructor(
    runs: LocalRuns,
    private readonly spec: RunSpec,
    { under = [], ...options }: StartOptions = {},
  ) {
    const command = [...under, process.execPath, runs.supervisor.script, ...runAttemptArguments(spec, options)];
    const [file = '', ...rest] = command;
    const env = { ...runs.environment, ...attemptEnvironment(spec) };
    this.process = spawn(file, rest, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], env });
    this.process.stderr?.on('data', (text: Buffer) => (this.errors += text.toString()));
    this.exitCode = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('exit', resolve);
    });
  }

  /** Its published result; throws with its error output if there is none. */
  async result(): Promise<ResultRecord> {
    const exitCode = await this.exitCode;
    if (exitCode !== 0) throw new Error(`the supervisor ended with ${String(exitCode)}: ${this.errors}`);
    return JSON.parse(readFileSync(join(publishedFolder(this.spec), attemptFiles.result), 'utf8')) as ResultRecord;
  }

  /** Its standard error so far. */
  words(): string {
    return this.errors;
  }
}
