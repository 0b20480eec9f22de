import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startScript, type FacilityState } from './facility';
import { programPids } from './program-pids';

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });

const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};

/** @needs linux: processes are looked up in /proc. */
describe('Ctrl-C during the demo', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'fleet-interrupt-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['once', 'again and again'])('leaves no process and no port behind: %s', async (how) => {
    const demo = startScript('demo.mjs', ['--work', folder], true);
    const ended = new Promise<number | null>((resolve) => demo.once('close', resolve));
    await new Promise<void>((resolve, reject) => {
      demo.stdout?.on('data', (text: Buffer) => {
        if (text.includes('started:')) resolve();
      });
      demo.once('close', () => {
        reject(new Error('the demo ended before a program ran'));
      });
    });
    const state = JSON.parse(readFileSync(path.join(folder, 'facility.json'), 'utf8')) as FacilityState;
    const services = [...Object.values(state.services), state.redis];
    const pids = [...services.map(({ pid }) => pid), ...programPids(state.workRoot)];
    expect(pids.every(lives)).toBe(true);
    expect(pids.length).toBeGreaterThan(services.length);

    // As a terminal does it: to the whole group.
    const press = (): boolean => process.kill(-(demo.pid ?? Number.NaN), 'SIGINT');
    press();
    const pressing = setInterval(() => how !== 'once' && demo.exitCode === null && press(), 150);
    const code = await ended;
    clearInterval(pressing);
    expect(code).toBe(130);
    expect(pids.filter(lives)).toEqual([]);
    expect(existsSync(path.join(folder, 'facility.json'))).toBe(false);
    expect(await Promise.all(services.map(({ port }) => listens(port)))).toEqual(services.map(() => false));
  });
});
