import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import { LocalRuns, logOf, publishedFolder } from '@fleet/testing';

const runs = new LocalRuns();
const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];
const node = (script: string): readonly string[] => [process.execPath, '-e', script];

afterAll(() => runs.dispose());

describe('limits', () => {
  it('end a program that prints endlessly, and keep its output', async () => {
    const spec = runs.aSpec(sh('yes'), { outputBytes: 100_000 });
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'output_limit', infrastructure: false });
    expect(logOf(spec).length).toBeGreaterThan(100_000);
  });

  it('end a program that writes a gigabyte before it reaches that size', async () => {
    const spec = runs.aSpec(sh('head -c 1000000000 /dev/zero | (while :; do head -c 1000000; sleep 0.01; done)'), {
      outputBytes: 5_000_000,
    });
    expect(await runs.endOf(runs.aBackend(), spec)).toMatchObject({ kind: 'output_limit' });
    expect(statSync(join(publishedFolder(spec), attemptFiles.log)).size).toBeLessThan(1_000_000_000);
  });

  it('end a program that runs too long', async () => {
    const ending = await runs.runToEnd(sh('sleep 600'), { wallClock: 0.5 });
    expect(ending).toMatchObject({ kind: 'wall_clock_limit', infrastructure: false });
  });

  it('kill a program that ignores SIGTERM after the grace', async () => {
    const ending = await runs.runToEnd(node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"), {
      wallClock: 0.5,
    });
    expect(ending).toMatchObject({ kind: 'wall_clock_limit', signal: 'SIGKILL' });
    expect(ending.durationMs).toBeGreaterThan(5_000);
  });

  it('end a program that uses too much memory, and report how much', async () => {
    const ending = await runs.runToEnd(node('const all = []; setInterval(() => all.push(Buffer.alloc(20e6, 1)), 50)'), {
      memoryMiB: 200,
    });
    expect(ending).toMatchObject({ kind: 'memory_limit', infrastructure: false });
    expect(ending.peakMemoryMiB).toBeGreaterThan(200);
  });

  it('count the memory of children', async () => {
    const child = `${process.execPath} -e "const all = Buffer.alloc(120e6, 1); setTimeout(() => all, 60000)"`;
    expect(await runs.runToEnd(sh(`${child} & ${child} & wait`), { memoryMiB: 200 })).toMatchObject({
      kind: 'memory_limit',
    });
  });
});
