import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { useFolder } from '@fleet/testing';
import { AuditFolder } from './audit-folder';

const root = resolve(__dirname, '../../../../..');
const perWriter = 300;

/** A gateway that writes entries, a few at a time, into files that are full at once. */
const writer = (work: string, name: string): Promise<number | null> => {
  const text = `
    const { AuditFolder } = require('@fleet/session-folder');
    const entry = (number) => ({
      id: (${JSON.stringify(name)} + number.toString(16)).padStart(16, '0'), at: new Date().toISOString(), who: ${JSON.stringify(name)},
      action: 'session.download', endpoint: 'GET /', object: 'session 01x', outcome: 'done', request: String(number), from: '',
    });
    (async () => {
      const log = new AuditFolder(${JSON.stringify(work)}, { keys: [], maxMiB: 0.005, keepDays: 400, onWarning: console.error });
      for (let number = 0; number < ${String(perWriter)}; number += 5)
        await Promise.all([0, 1, 2, 3, 4].map((more) => log.write(entry(number + more), more === 0)));
      await log.close();
    })();`;
  const loader = join(root, 'test/support/typescript.mjs');
  const args = ['--import', loader, '--input-type=commonjs', '--eval', text];
  const child = spawn(process.execPath, args, { cwd: __dirname, stdio: 'inherit' });
  return new Promise((ended) => child.once('exit', ended));
};

describe('the audit log of several gateways', () => {
  const work = useFolder();

  it('contains every line, complete and once, while all of them keep beginning files', async () => {
    const writers = ['a', 'b', 'c', 'd'];
    expect(await Promise.all(writers.map((name) => writer(work, name)))).toEqual([0, 0, 0, 0]);
    expect(readdirSync(join(work, '.phenix-fleet-audit')).length).toBeGreaterThan(40);
    const log = new AuditFolder(work, { keys: [], maxMiB: 16, keepDays: 400, onWarning: () => undefined });
    const found: Record<string, number[]> = {};
    for await (const part of log.all({}))
      for (const { who, request } of part) (found[who] ??= []).push(Number(request));
    const all = Array.from({ length: perWriter }, (_, index) => index);
    expect(found).toEqual(Object.fromEntries(writers.map((name) => [name, all])));
    expect((await log.list({}, 1000)).damages).toEqual([]);
  });
});
