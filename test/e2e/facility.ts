import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const checkout = path.resolve(__dirname, '..', '..');
const limit = { maxBuffer: 64 * 1024 * 1024 };

export interface FacilityState {
  readonly url: string;
  readonly workRoot: string;
  /** `urlFile` holds the URL with the password. */
  readonly redis: { readonly pid: number; readonly port: number; readonly url: string; readonly urlFile: string };
  readonly services: Readonly<
    Record<string, { readonly pid: number; readonly port: number; readonly alive?: boolean }>
  >;
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

/** The real services as separate processes over a real Redis, in a folder of their own. */
export class Facility {
  private constructor(
    readonly folder: string,
    private known: FacilityState,
  ) {}

  static async start(
    dataRoots: readonly string[],
    env: Readonly<Record<string, string>> = {},
    folder = mkdtempSync(path.join(tmpdir(), 'fleet-e2e-')),
  ): Promise<Facility> {
    const more = [
      ...dataRoots.flatMap((root) => ['--data', root]),
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
    return new Facility(folder, await Facility.startIn(folder, more));
  }

  private static async startIn(folder: string, more: readonly string[]): Promise<FacilityState> {
    const { code, stdout, stderr } = await script('facility.mjs', ['start', '--work', folder, ...more]);
    if (code !== 0) throw new Error(`the facility did not start:\n${stderr}`);
    return JSON.parse(stdout) as FacilityState;
  }

  get state(): FacilityState {
    return this.known;
  }

  /** Brings back whatever died. */
  async revive(): Promise<void> {
    this.known = await Facility.startIn(this.folder, ['--no-setup']);
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

  async stop(): Promise<void> {
    await script('facility.mjs', ['stop', '--work', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

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
