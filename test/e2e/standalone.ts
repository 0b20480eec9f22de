import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Session } from '@fleet/contracts/sessions';
import { InputFolder } from './input-folder';

const run = promisify(execFile);
const checkout = path.resolve(__dirname, '..', '..');
const limit = { maxBuffer: 64 * 1024 * 1024 };

/** A process of the installation; `start`: when it started, as /proc has it. */
interface Part {
  readonly pid: number;
  readonly start: string;
  readonly port: number;
}

export interface StandaloneState {
  readonly url: string;
  readonly workRoot: string;
  /** `urlFile` holds the URL with the password. */
  readonly redis: Part & { readonly url: string; readonly urlFile: string };
  readonly postgres: Part & { readonly url: string; readonly urlFile: string };
  readonly services: Readonly<Record<string, Part>>;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of the project's scripts as a user does; never throws for an exit code. */
export const script = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
  execute([path.join(checkout, 'scripts', name), ...args], env);

const execute = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> => {
  try {
    const { stdout, stderr } = await run(process.execPath, [...args], {
      ...limit,
      cwd: checkout,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failed = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof failed.code !== 'number') throw error;
    return { code: failed.code, stdout: failed.stdout ?? '', stderr: failed.stderr ?? '' };
  }
};

const aFolder = (): string => mkdtempSync(path.join(tmpdir(), 'fleet-e2e-'));

/** The real services as separate processes over a real PostgreSQL and Redis, in their own folder. */
export class Standalone {
  private constructor(
    readonly folder: string,
    private known: StandaloneState,
    private readonly isShared = false,
  ) {}

  /** Starts an installation of this test's own, for a test that kills its processes or changes its settings. */
  static async start(
    dataRoots: readonly string[],
    env: Readonly<Record<string, string>> = {},
    folder = aFolder(),
  ): Promise<Standalone> {
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return new Standalone(folder, await Standalone.startWith(folder, dataRoots, variables));
  }

  /**
   * The installation that all end-to-end specs of this run share, started by the first of them and stopped by Jest (shared-standalone.teardown.mjs).
   * Where Jest prepared no folder for it (TEST_SIZE=long), it is this test's own.
   */
  static async shared(): Promise<Standalone> {
    const prepared = process.env['FLEET_TEST_FACILITY'];
    const folder = prepared ?? aFolder();
    return new Standalone(folder, await Standalone.startWith(folder, [testData()]), prepared !== undefined);
  }

  private static startWith(
    folder: string,
    dataRoots: readonly string[],
    more: readonly string[] = [],
  ): Promise<StandaloneState> {
    const inputs = path.join(folder, 'inputs');
    mkdirSync(inputs, { recursive: true });
    return Standalone.startIn(folder, [
      '--no-setup',
      ...[...dataRoots, inputs].flatMap((root) => ['--data', root]),
      ...more,
    ]);
  }

  private static async startIn(folder: string, more: readonly string[]): Promise<StandaloneState> {
    const { code, stdout, stderr } = await script('standalone.mjs', ['start', '--work', folder, ...more]);
    if (code !== 0) throw new Error(`the installation did not start:\n${stderr}`);
    return JSON.parse(stdout) as StandaloneState;
  }

  get state(): StandaloneState {
    return this.known;
  }

  /** A new folder for files that a test makes and submits. */
  inputFolder(): InputFolder {
    return new InputFolder(path.join(this.folder, 'inputs'));
  }

  /** Brings back whatever died. */
  async revive(): Promise<void> {
    this.known = await Standalone.startIn(this.folder, ['--no-setup']);
  }

  phx(...args: string[]): Promise<CommandResult> {
    return execute([path.join(checkout, 'dist/apps/cli/src/main.js'), '--server', this.known.url, ...args], {});
  }

  /** Submits and gives the session's id. */
  async submit(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.phx('submit', '--json', ...args);
    if (code !== 0) throw new Error(`submit ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { id: string }).id;
  }

  /** Ends it, unless other specs share it. */
  async stop(): Promise<void> {
    if (this.isShared) return;
    await script('standalone.mjs', ['stop', '--work', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs the demo in this folder to its end. */
export const runDemo = async (folder: string, ...args: string[]): Promise<{ stdout: string; session: Session }> => {
  const outcome = path.join(folder, 'outcome.json');
  const { code, stdout, stderr } = await script('demo.mjs', ['--work', folder, '--json', outcome, ...args]);
  if (code !== 0) throw new Error(`the demo ended with ${code}:\n${stdout}\n${stderr}`);
  return { stdout, session: JSON.parse(readFileSync(outcome, 'utf8')) as Session };
};

/** Starts a script and gives the process, for tests that interrupt it. */
export const startScript = (name: string, args: readonly string[], detached = false): ReturnType<typeof spawn> =>
  spawn(process.execPath, [path.join(checkout, 'scripts', name), ...args], {
    cwd: checkout,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });

/** A folder of the real test data (`tiny_5e5z`, ...). */
export const testData = (...parts: string[]): string => {
  const root = process.env['PHENIX_FLEET_TEST_DATA'];
  if (root === undefined) throw new Error('PHENIX_FLEET_TEST_DATA is not set');
  return path.join(root, ...parts);
};
