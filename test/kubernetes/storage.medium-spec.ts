import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSpec } from '@fleet/contracts/runs';
import { useSmallDisk } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

const disk = useSmallDisk(1);

describe('a full or missing work volume', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(async () => {
    await runs.dispose();
    for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
  });

  const fill = (): string => {
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(2_000_000))).toThrow('ENOSPC');
    return filler;
  };
  const aSpec = (): RunSpec => {
    const spec = runs.aSpec();
    const sessionFolder = join(disk, spec.owner.sessionId);
    mkdirSync(sessionFolder, { recursive: true });
    return { ...spec, sessionFolder };
  };
  const failing = { code: 'run.storage_failing', kind: 'transient' };
  /** The volume is the small disk, in place of the root that the other tests use. */
  const aBackend = () =>
    runs.aBackend({ volumes: { work: { mountPath: disk, claim: 'work' }, data: [], software: [] } });

  it('is a temporary fault with a message, and the run starts when there is space', async () => {
    const spec = aSpec();
    const filler = fill();
    await expect(aBackend().ensure(spec)).rejects.toMatchObject({
      ...failing,
      message: expect.stringContaining('no space left on device') as string,
    });
    expect(runs.cluster.count('POST jobs')).toBe(0);
    rmSync(filler);
    expect(await aBackend().ensure(spec)).toMatchObject({ state: 'waiting', queuedOnBackend: true });
  });

  it('that is not mounted is a temporary fault, and no run counts as lost', async () => {
    const spec = { ...aSpec(), sessionFolder: join(disk, 'not-mounted', 'session') };
    const failingToo = { ...failing, message: expect.stringContaining('mounted') as string };
    await expect(aBackend().find(spec)).rejects.toMatchObject(failingToo);
    await expect(aBackend().ensure(spec)).rejects.toMatchObject(failingToo);
    expect(runs.cluster.count('POST jobs')).toBe(0);
  });

  it('does not change the ending of a run that is lost meanwhile', async () => {
    const spec = aSpec();
    await aBackend().ensure(spec);
    runs.start(spec);
    const filler = fill();
    runs.cluster.finish(runs.jobOf(spec), 137);
    const backend = aBackend();
    await backend.find(spec);
    runs.clock.forward(1_100);
    await expect(backend.find(spec)).rejects.toMatchObject(failing);
    await expect(backend.cancel(spec)).rejects.toMatchObject(failing);
    rmSync(filler);
    expect(await backend.find(spec)).toMatchObject({ state: 'ended', ending: { kind: 'signalled' } });
  });
});
