// @needs python-client
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewApiKey } from '@fleet/contracts/access';
import { RealGateway } from '../api/real-gateway';
import { aModel } from '../api/gateway-harness';
import { openStore } from '../support/servers';
import { SessionEnder } from './session-ender';

const root = join(__dirname, '../..');
const client = join(root, 'libs/python-client');
const find = "import('./scripts/setup/python-client.mjs').then((one) => console.log(one.clientPython() ?? ''))";
const python = execFileSync(process.execPath, ['--eval', find], { cwd: root, encoding: 'utf8' }).trim();

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const pytest = (env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      cwd: client,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PYTHONPATH: client,
        PYTHONDONTWRITEBYTECODE: '1',
        ...env,
      },
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });

describe('the Python client', () => {
  let gateway: RealGateway;
  let ender: SessionEnder;
  let data: string;
  beforeAll(async () => {
    if (python === '') throw new Error('the Python of the client is not installed; npm test does it');
    gateway = await RealGateway.start();
    ender = new SessionEnder(gateway, await openStore(gateway.servers.databaseUrl));
    data = join(gateway.root, 'data');
    writeFileSync(join(data, 'model.pdb'), aModel);
  });
  afterAll(async () => {
    await ender.stop();
    await gateway.stop();
  });

  const made = async (args: readonly string[], apiKey?: string): Promise<string> => {
    const options = apiKey === undefined ? {} : { apiKey };
    const { out } = await gateway.phx(['--json', 'admin', 'keys', 'create', ...args], options);
    return (JSON.parse(out) as NewApiKey).key;
  };

  it('does all of its tests with a gateway', async () => {
    const admin = await made(['--owner', 'root', '--role', 'admin']);
    const key = await made(['--owner', 'ada', '--role', 'user', '--proposal', 'mx1'], admin);
    const { code, output } = await pytest({ PHX_SERVER: gateway.url, FLEET_API_KEY: key, FLEET_TEST_DATA: data });
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toMatch(/^\d+ passed in /m);
  });
});
