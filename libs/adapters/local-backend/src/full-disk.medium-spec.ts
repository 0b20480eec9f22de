import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSpec } from '@fleet/contracts/runs';
import type { RunState } from '@fleet/ports';
import { LocalRuns, publishedFolder, useSmallDisk } from '@fleet/testing';

const runs = new LocalRuns();
afterAll(() => runs.dispose());
const disk = useSmallDisk(2);
afterEach(() => {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
});

const aSpec = (script: string): RunSpec => runs.aSpec(['/bin/sh', '-c', script], { outputBytes: 1e9 }, disk);
const endOf = (spec: RunSpec): Promise<RunState> => runs.settled(runs.aBackend(), spec);

describe('a full disk', () => {
  it('is the cause of a failure, and the result is still written', async () => {
    const state = await endOf(aSpec('head -c 10000000 /dev/zero > map.ccp4 || exit 1'));
    expect(state).toMatchObject({ state: 'ended', ending: { kind: 'disk_full', infrastructure: true } });
  });

  it('has free space after the attempt that filled it has ended', async () => {
    const state = await endOf(aSpec('head -c 10000000 /dev/zero > map.ccp4 || exit 1'));
    expect(state).toMatchObject({ ending: { message: expect.stringContaining('was removed to make room') as string } });
    const { bavail, blocks } = statfsSync(disk);
    expect(bavail / blocks).toBeGreaterThan(0.8);
  });

  it('is detected in the log when the program has removed its files', async () => {
    const state = await endOf(
      aSpec('head -c 10000000 /dev/zero > map.ccp4 || { rm map.ccp4; echo "write: No space left on device"; exit 1; }'),
    );
    expect(state).toMatchObject({ state: 'ended', ending: { kind: 'disk_full', infrastructure: true } });
  });

  it('is the cause if the inputs could not be copied, and the partial copies are removed', async () => {
    const path = join(runs.root, 'large.ccp4');
    writeFileSync(path, Buffer.alloc(10_000_000, 'x'));
    const input = { argument: 3, path, root: runs.root, name: '1/large.ccp4' };
    const spec: RunSpec = { ...runs.aSpec(['/bin/sh', '-c', 'true', path], {}, disk), inputs: [input] };
    expect(await endOf(spec)).toMatchObject({ ending: { kind: 'disk_full', infrastructure: true } });
    expect(readdirSync(publishedFolder(spec)).sort()).toEqual(['.fleet', 'program.log']);
  });

  it('is not blamed when the program succeeded', async () => {
    const state = await endOf(aSpec('head -c 1300000 /dev/zero > map.ccp4'));
    expect(state).toMatchObject({ ending: { kind: 'exited', exitCode: 0 } });
  });

  it('delays a run that could not start, until there is space again', async () => {
    const spec = aSpec('echo ran');
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(3_000_000))).toThrow('ENOSPC');
    expect(await runs.aBackend().ensure(spec)).toMatchObject({
      state: 'waiting',
      reason: 'the disk of the work root is full',
    });
    rmSync(filler);
    expect(await endOf(spec)).toMatchObject({ state: 'ended', ending: { kind: 'exited', exitCode: 0 } });
  });
});
