import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useFolder } from '@fleet/testing';

const lock = pathToFileURL(resolve(__dirname, '../../scripts/setup/lock.mjs')).href;
const folder = useFolder();

/** A process that takes the lock again and again and notes when it has it; the last time it dies with it. */
const contender = (times: number): Promise<number | null> => {
  const text = `
    import fs from 'node:fs';
    import { takeLock } from ${JSON.stringify(lock)};
    const note = (word) => fs.appendFileSync(${JSON.stringify(join(folder, 'notes'))}, word + ' ' + process.pid + '\\n');
    for (let left = ${String(times)}; left > 0; left -= 1) {
      const free = await takeLock(${JSON.stringify(join(folder, 'lock'))}, { timeoutMs: 60000 });
      note('takes');
      await new Promise((resolve) => setTimeout(resolve, 1 + ((left + process.pid) % 5)));
      note('leaves');
      if (left === 1) process.kill(process.pid, 'SIGKILL');
      free();
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: 'inherit' });
  return new Promise((ended) => child.once('exit', ended));
};

describe('a lock of files', () => {
  it('has one holder at a time, also when holders crash', async () => {
    await Promise.all(Array.from({ length: 6 }, () => contender(10)));
    const notes = readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n');
    expect(notes).toHaveLength(120);
    for (let at = 0; at < notes.length; at += 2) {
      const [, pid = ''] = notes[at]?.split(' ') ?? [];
      expect([notes[at], notes[at + 1]]).toEqual([`takes ${pid}`, `leaves ${pid}`]);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
  });

  it('of another machine is respected, with a remedy in the message', () => {
    const holder = { pid: 1, start: '1', boot: 'other', host: `not-${hostname()}` };
    writeFileSync(join(folder, 'lock.7'), JSON.stringify(holder));
    const text = `import { takeLock } from ${JSON.stringify(lock)}; await takeLock(${JSON.stringify(join(folder, 'lock'))});`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
    expect(stderr).toMatch(/Process 1 on not-.* holds the lock .* If that machine is gone, remove .*lock\.\* and try/);
  });
});
