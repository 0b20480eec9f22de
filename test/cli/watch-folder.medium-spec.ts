import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually, useFolder } from '@fleet/testing';
import { GatewayHarness, someReflections } from '../api/gateway-harness';
import { write } from './cli-harness';

const main = join(__dirname, '../../dist/apps/cli/src/main.js');

/** Called with each submission on its way; `forward` sends it to the gateway, whose answer goes nowhere until this returns. */
type OnSubmission = (forward: () => Promise<void>) => Promise<void>;

describe('phx watch-folder as a process', () => {
  let gateway: GatewayHarness;
  let proxy: Server;
  const state = useFolder();
  let visit: string;
  let onSubmission: OnSubmission;
  const children: ChildProcess[] = [];

  beforeAll(() => {
    if (!existsSync(main)) throw new Error(`${main} is not there; npm run build makes it`);
  });
  beforeEach(async () => {
    gateway = await GatewayHarness.start();
    const url = await gateway.listen();
    visit = join(gateway.data, 'visit');
    for (const crystal of ['x1', 'x2', 'x3']) write(join(visit, crystal, 'final.sca'), someReflections);
    onSubmission = (forward) => forward();
    proxy = createServer((request, response) => {
      const passOn = async (): Promise<void> => {
        const { method = 'GET', headers } = request;
        const body = await text(request);
        const key = headers['idempotency-key'];
        await onSubmission(async () => {
          const answer = await fetch(`${url}${request.url ?? ''}`, {
            method,
            headers: { 'content-type': 'application/json', ...(typeof key === 'string' && { 'idempotency-key': key }) },
            body,
          });
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
          response.end(await answer.text());
        });
      };
      // A watcher that is killed while it sends a request leaves one that nobody can answer.
      passOn().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    proxy.closeAllConnections();
    proxy.close();
    await gateway.stop();
  });

  const watching = (): ChildProcess => {
    const server = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    const options = ['--pattern', '{crystal}/final.sca', '--title', '{crystal}', '--settle', '0', '--poll', '0.2'];
    const child = spawn(process.execPath, [main, '--server', server, 'watch-folder', visit, ...options], {
      env: { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: state },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  };
  const titles = async (): Promise<readonly string[]> =>
    (await gateway.store.index.list({}, 100)).sessions.map(({ title }) => title).sort();
  const printed = async (child: ChildProcess, words: string, times = 1): Promise<string> => {
    let out = '';
    for await (const piece of child.stdout ?? []) {
      out += String(piece);
      if (out.split(words).length > times) break;
    }
    return out;
  };

  it('submits each dataset once, wherever it is killed', async () => {
    const killing: { child?: ChildProcess } = {};
    const kill = async (): Promise<void> => {
      const ended = once(killing.child ?? process, 'exit');
      killing.child?.kill('SIGKILL');
      await ended;
    };
    const moments: readonly OnSubmission[] = [
      // Before the gateway hears of it.
      () => kill(),
      // After its session exists, and before the watcher knows.
      async (forward) => {
        await Promise.all([forward(), kill()]);
      },
      async (forward) => {
        await forward();
        await kill();
      },
    ];
    for (const moment of moments) {
      killing.child = watching();
      const exited = once(killing.child, 'exit');
      onSubmission = moment;
      expect((await exited)[1]).toBe('SIGKILL');
    }
    onSubmission = (forward) => forward();
    const last = watching();
    await eventually('all three', async () => (await titles()).length >= 3);
    const exit = once(last, 'exit');
    last.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await titles()).toEqual(['x1', 'x2', 'x3']);
  });

  it('ends on SIGTERM, also while the gateway does not respond', async () => {
    const requested = new Promise<void>((resolve) => {
      onSubmission = () => {
        resolve();
        return Promise.resolve();
      };
    });
    const child = watching();
    const exit = once(child, 'exit');
    const endedEarly = exit.then(([code]) =>
      Promise.reject(new Error(`phx ended with ${String(code)} before it asked`)),
    );
    await Promise.race([requested, endedEarly]);
    child.kill('SIGTERM');
    const out = await printed(child, 'stop requested');
    expect([await exit, out]).toEqual([[0, null], expect.stringContaining('ended')]);
    expect(await titles()).toEqual([]);
  });
});
