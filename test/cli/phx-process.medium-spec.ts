import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aNewSession, anEvent } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';

const main = join(__dirname, '../../dist/apps/cli/src/main.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `phx` as the shell runs it. */
const shell = (command: string): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `set -o pipefail; ${command}`], { env: { ...process.env, NODE_OPTIONS: '' } });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });

describe('phx as a process', () => {
  let gateway: GatewayHarness;
  let phx: string;
  beforeAll(async () => {
    if (!existsSync(main)) throw new Error(`${main} is not there; npm run build makes it`);
    gateway = await GatewayHarness.start();
    phx = `'${process.execPath}' '${main}' --server ${await gateway.listen()}`;
    for (let index = 0; index < 400; index += 1) {
      await gateway.store.records.create(aNewSession(), [anEvent()], 60_000);
    }
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it('survives a pipe that closes early', async () => {
    for (const command of ['list --limit 400', 'list --limit 400 --json']) {
      expect(await shell(`${phx} ${command} | head -n 1`)).toMatchObject({ code: 0, err: '' });
    }
  });

  it('prints all of a long output into a pipe', async () => {
    const { out } = await shell(`${phx} list --limit 400 | cat`);
    expect(out.trimEnd().split('\n')).toHaveLength(401);
  });

  it('returns its exit codes to the shell', async () => {
    expect((await shell(`${phx} show nothing`)).code).toBe(4);
    expect((await shell(`${phx} show`)).code).toBe(2);
    expect((await shell(`PHX_SERVER=http://127.0.0.1:1 '${process.execPath}' '${main}' list`)).code).toBe(5);
  });

  it('leaves the session running on Ctrl-C', async () => {
    const made = aNewSession();
    await gateway.store.records.create(made, [anEvent()], 60_000);
    // It has printed an event, and so follows the session.
    const { code, err } = await shell(`exec 3< <(exec ${phx} watch ${made.id}); read -r <&3; kill -INT $!; wait $!`);
    expect([code, err.includes(`phx watch ${made.id}`)]).toEqual([130, true]);
    expect((await gateway.store.records.loadHead(made.id))?.status).toBe('running');
  });
});
