import { EventEmitter, once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { setupScript } from './setup-scripts';

interface PartState {
  port?: number;
  pid?: number;
  start?: string;
  failures?: number;
  restarts?: number;
  lastEnd?: object;
}
interface Part {
  readonly known: PartState;
  readonly lives: boolean;
  forgive(): void;
  look(): Promise<boolean>;
}
type Start = (known: PartState) => unknown;
interface Parts {
  readonly Part: new (
    name: string,
    known: PartState,
    how: { start: Start; say: (words: string) => void; on: object },
  ) => Part;
  keepPortFree(state: { url?: string }, name: string, known: PartState): Promise<void>;
  redisStarter(folder: string, how: { save: () => void; mayMove: () => boolean; launch: Start }): Start;
}
interface States {
  plannedRequest(folder: string, options: object, env: NodeJS.ProcessEnv): object;
  writeRequest(folder: string, request: object): void;
  readRequest(folder: string): object;
  shownStandalone(state: object): object;
}

const parts = setupScript('standalone-parts.mjs') as Parts;
const states = setupScript('standalone-state.mjs') as States;

const folder = useFolder();

describe('a supervised process', () => {
  const machine = { time: 1_000_000, living: new Set<number>() };
  const on = {
    now: () => machine.time,
    identify: (pid: number) => ({ pid, start: 'then' }),
    isAlive: ({ pid }: PartState) => pid !== undefined && machine.living.has(pid),
  };
  let messages: string[];
  let children: (EventEmitter & { pid: number })[];
  let part: Part;

  const begin = (): unknown => {
    const child = Object.assign(new EventEmitter(), { pid: children.length + 1, unref: () => undefined });
    machine.living.add(child.pid);
    children.push(child);
    return child;
  };
  const partOf = (start: Start, known: PartState = {}): Part =>
    new parts.Part('executor-worker', known, { start, say: (words) => messages.push(words), on });
  const die = (): void => {
    const child = children.at(-1);
    machine.living.delete(child?.pid ?? 0);
    child?.emit('exit', null, 'SIGKILL');
  };
  /** Milliseconds until its restart. */
  const untilStarted = async (): Promise<number> => {
    const [before, began] = [children.length, machine.time];
    for (; ; machine.time += 250) {
      await part.look();
      if (children.length > before) return machine.time - began;
    }
  };

  beforeEach(async () => {
    [messages, children] = [[], []];
    machine.living.clear();
    part = partOf(begin);
    await part.look();
  });

  it('is not restarted while it is alive', async () => {
    expect(await part.look()).toBe(false);
    expect([children.length, part.known]).toEqual([1, { pid: 1, start: 'then' }]);
  });

  it('is restarted with increasing delays when it ends, and its ending is logged', async () => {
    const waits: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      die();
      waits.push(await untilStarted());
    }
    expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
    expect(messages.slice(0, 2)).toEqual([
      'executor-worker has ended (SIGKILL); it is started again in 0 s.',
      'executor-worker has ended (SIGKILL); it is started again in 1 s.',
    ]);
    expect(part.known).toMatchObject({ pid: 10, restarts: 9, failures: 9, lastEnd: { how: 'SIGKILL', pid: 9 } });
  });

  it.each([
    ['has lived for more than a minute', () => (machine.time += 60_001)],
    ['is asked for', () => part.forgive()],
  ])('is restarted at once when it %s', async (_, happens) => {
    for (let count = 0; count < 4; count += 1) {
      die();
      await untilStarted();
    }
    happens();
    die();
    expect(await untilStarted()).toBe(0);
  });

  it('is retried with the same delays when its start fails', async () => {
    let tries = 0;
    const start = (): never => {
      tries += 1;
      throw new Error('no room');
    };
    const hopeless = partOf(start);
    for (let ms = 0; ms < 4_000; ms += 250, machine.time += 250) await hopeless.look();
    expect([tries, messages[0]]).toEqual([4, 'executor-worker cannot be started: no room']);
  });

  it('of an earlier supervisor is adopted, and its exit code is unknown', async () => {
    machine.living.add(77);
    const found = partOf(begin, { pid: 77, start: 'then' });
    expect([await found.look(), found.lives]).toEqual([false, true]);
    machine.living.delete(77);
    await found.look();
    expect(found.known).toMatchObject({ pid: 2, lastEnd: { how: 'unknown how', pid: 77 } });
  });
});

describe('an occupied port', () => {
  let stranger: Server;
  let port: number;
  beforeEach(async () => {
    stranger = createServer((socket) => socket.end('who are you?\r\n')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    ({ port } = stranger.address() as AddressInfo);
  });
  afterEach(() => {
    stranger.close();
  });

  it.each([
    ['decision-worker', { lastEnd: {} }],
    ['gateway', {}],
  ])('is given up by a %s whose port nobody knows, and that is not a failure of its own', async (name, before) => {
    const known: PartState = { port, failures: 1, ...before };
    const state: { url?: string } = {};
    await parts.keepPortFree(state, name, known);
    expect(known).toEqual({ ...before, port: expect.any(Number) as number, failures: 0 });
    expect(known.port).not.toBe(port);
    // Where outgoing connections get their ports from (here from 32768), one could have it when it is needed again.
    expect(known.port).toBeLessThan(61_000);
    expect(state.url).toBe(name === 'gateway' ? `http://127.0.0.1:${String(known.port)}` : undefined);
  });

  it('is kept by a gateway that was at it before, and by each while it is free', async () => {
    const gateway: PartState = { port, lastEnd: {} };
    await parts.keepPortFree({}, 'gateway', gateway);
    expect(gateway.port).toBe(port);
    stranger.close();
    await once(stranger, 'close');
    const worker: PartState = { port, lastEnd: {} };
    await parts.keepPortFree({}, 'decision-worker', worker);
    expect(worker.port).toBe(port);
  });

  const startRedis = (known: PartState, mayMove: boolean): Promise<unknown> =>
    parts.redisStarter(folder, { save: () => undefined, mayMove: () => mayMove, launch: () => 'a process' })(
      known,
    ) as Promise<unknown>;

  it("is given up by the installation's Redis while no service knows it, and its URL says so", async () => {
    const known: PartState = { port };
    expect(await startRedis(known, true)).toBe('a process');
    expect(known.port).not.toBe(port);
    expect(readFileSync(join(folder, 'redis/url'), 'utf8')).toContain(`@127.0.0.1:${String(known.port)}\n`);
  });

  it('is an error when a service knows it', async () => {
    const known: PartState = { port };
    await expect(startRedis(known, false)).rejects.toThrow(`port ${String(port)} of 127.0.0.1 is taken`);
    expect(known.port).toBe(port);
  });
});

describe("a user's own server", () => {
  it("keeps its password in a file of its owner's, whether REDIS_URL or DATABASE_URL names it", () => {
    mkdirSync(join(folder, 'standalone'));
    const own = join(folder, 'standalone');
    const secrets = { redis: 'redis://:hunter2@127.0.0.1:7000', postgres: 'postgres://ada:hunter2@db:5432/fleet?x=y' };
    const options = { dataRoots: [], environment: { DATABASE_URL: secrets.postgres, FLEET_TIME_ZONE: 'UTC' } };
    states.writeRequest(own, states.plannedRequest(own, options, { REDIS_URL: secrets.redis }));
    const shown = { redis: 'redis://127.0.0.1:7000', postgres: 'postgres://db:5432/fleet' };
    expect(states.readRequest(own)).toMatchObject({ environment: { FLEET_TIME_ZONE: 'UTC' } });
    for (const name of ['redis', 'postgres'] as const) {
      const urlFile = join(own, `${name}-url`);
      expect(states.readRequest(own)).toMatchObject({ [name]: { url: shown[name], urlFile } });
      expect(readFileSync(urlFile, 'utf8')).toBe(`${secrets[name]}\n`);
      expect(statSync(urlFile).mode & 0o777).toBe(0o600);
    }
    const state = { ...states.readRequest(own), services: {} };
    expect(JSON.stringify([state, states.shownStandalone(state)])).not.toContain('hunter2');
  });

  it('may be named by a file, and is remembered by the next start', () => {
    const first = states.plannedRequest(folder, {}, { DATABASE_URL_FILE: '/etc/fleet/database-url' });
    const named = { postgres: { url: '(from DATABASE_URL_FILE)', urlFile: '/etc/fleet/database-url' } };
    expect(first).toMatchObject(named);
    states.writeRequest(folder, { ...first, workRoot: join(folder, 'sessions') });
    expect(states.plannedRequest(folder, {}, {})).toMatchObject(named);
  });
});
