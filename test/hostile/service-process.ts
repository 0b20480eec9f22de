import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fleet/testing';
import type { Servers } from '../support/servers';

const root = resolve(__dirname, '../..');

export const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'] as const;
export type ServiceName = (typeof services)[number];

interface ServiceOptions {
  /** Where the database and Redis are. */
  readonly servers: Servers['env'];
  readonly workRoot: string;
  readonly dataRoot: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where its standard output and standard error go; by default into `said`. */
  readonly stdio?: StdioOptions;
}

/** One of the four services, as a process of its own. */
export class ServiceProcess {
  said = '';
  readonly ended: Promise<number | NodeJS.Signals | null>;

  private constructor(
    readonly child: ChildProcess,
    private readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (this.said += String(data)));
    this.ended = new Promise((done) => {
      child.once('close', (code, signal) => done(code ?? signal));
    });
  }

  static async start(
    name: ServiceName,
    { servers, workRoot, dataRoot, env, stdio }: ServiceOptions,
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const clean = Object.entries(process.env).filter(
      ([key]) => !/^(FLEET_|REDIS_|DATABASE_|NODE_OPTIONS|PHENIX)/.test(key),
    );
    const args = ['--import', join(root, 'test/support/typescript.mjs'), join(root, 'apps', name, 'src/main.ts')];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: {
        ...Object.fromEntries(clean),
        ...servers,
        FLEET_WORK_ROOT: workRoot,
        FLEET_DATA_ROOTS: dataRoot,
        [name === 'gateway' ? 'FLEET_GATEWAY_PORT' : 'FLEET_HEALTH_PORT']: String(port),
        ...env,
      },
      stdio: stdio ?? ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, port);
  }

  /** Of a gateway. */
  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  get lives(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async isReady(): Promise<boolean> {
    try {
      const { ok } = await fetch(`${this.url}/health/ready`);
      return ok;
    } catch (error) {
      // By name: its class is not that of this realm.
      if ((error as Error).name === 'TypeError') return false;
      throw error;
    }
  }

  /** @throws Error with what it said, when it ended before */
  async untilReady(ready = true): Promise<void> {
    while ((await this.isReady()) !== ready) {
      if (!this.lives) throw new Error(`ended (${String(await this.ended)}): ${this.said}`);
      await sleep(50);
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
