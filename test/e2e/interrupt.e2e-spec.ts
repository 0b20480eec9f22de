import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@fleet/attempt-runner';
import { useFolder } from '@fleet/testing';
import { startScript, type StandaloneState } from './standalone';
import { atWork } from './processes';

/** @needs linux: processes are looked up in /proc. */
describe('Ctrl-C during the demo', () => {
  const folder = useFolder();

  it('leaves no process behind, also when it is pressed again and again', async () => {
    const demo = startScript('demo.mjs', ['--work', folder], true);
    const ended = new Promise<number | null>((resolve) => demo.once('close', resolve));
    await new Promise<void>((resolve, reject) => {
      demo.stdout?.on('data', (text: Buffer) => {
        if (text.includes('started:')) resolve();
      });
      demo.once('close', () => reject(new Error('the demo ended before a program ran')));
    });
    const state = JSON.parse(readFileSync(path.join(folder, 'standalone.json'), 'utf8')) as StandaloneState;
    const services = [...Object.values(state.services), state.redis, state.postgres];
    const programs = (await atWork(state.workRoot)).flatMap(({ supervisor, program }) => [supervisor, program]);
    const processes = [...services.map(({ pid, start }) => ({ pid, startTime: Number(start) })), ...programs];
    expect(processes.filter(isAlive)).toEqual(processes);

    // As a terminal does it: to the whole group.
    while (demo.exitCode === null) {
      process.kill(-(demo.pid ?? Number.NaN), 'SIGINT');
      await sleep(150);
    }
    expect(await ended).toBe(130);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(existsSync(path.join(folder, 'standalone.json'))).toBe(false);
  });
});
