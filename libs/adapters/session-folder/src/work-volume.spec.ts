import { tmpdir } from 'node:os';
import { WorkVolume, type VolumeSizes } from './work-volume';

const sizes: VolumeSizes = { bsize: 4096, blocks: 1000, bavail: 250, files: 500, ffree: 20 };
const valuesOf = async (volume: WorkVolume): Promise<readonly (readonly [string, string | undefined, number])[]> =>
  (await volume.read()).map(({ name, labels, value }) => [name, labels['state'], value]);

describe('WorkVolume', () => {
  it('reports the size and the free space of the volume, for users other than root', async () => {
    expect(await valuesOf(new WorkVolume('/work', () => Promise.resolve(sizes)))).toEqual([
      ['phenix_fleet_work_volume_bytes', 'total', 4_096_000],
      ['phenix_fleet_work_volume_bytes', 'free', 1_024_000],
      ['phenix_fleet_work_volume_inodes', 'total', 500],
      ['phenix_fleet_work_volume_inodes', 'free', 20],
    ]);
  });

  it('reports no inodes if the file system does not count them', async () => {
    const volume = new WorkVolume('/work', () => Promise.resolve({ ...sizes, files: 0, ffree: 0 }));
    expect((await valuesOf(volume)).map(([name]) => name)).toEqual(Array(2).fill('phenix_fleet_work_volume_bytes'));
  });

  it('is that of the folder, on a real file system', async () => {
    const [[, , total] = [], [, , free] = []] = await valuesOf(new WorkVolume(tmpdir()));
    expect(total).toBeGreaterThan(1_000_000);
    expect(free).toBeLessThanOrEqual(total ?? 0);
  });

  it('fails if there is no such folder', async () => {
    await expect(new WorkVolume('/nowhere/at/all').read()).rejects.toThrow('ENOENT');
  });

  it('times out when the volume does not respond, with one check at a time, and detects when it responds again', async () => {
    const looks: ((sizes: VolumeSizes) => void)[] = [];
    const volume = new WorkVolume('/work', () => new Promise((resolve) => looks.push(resolve)), 20);
    const reads = await Promise.allSettled([volume.read(), volume.read()]);
    for (const read of [...reads, ...(await Promise.allSettled([volume.read()]))])
      expect(read).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(/not answered for \d+ s/) as unknown },
      });
    expect(looks).toHaveLength(1);
    looks[0]?.(sizes);
    await new Promise(setImmediate);
    const again = volume.read();
    looks[1]?.(sizes);
    expect(await again).toHaveLength(4);
    expect(looks).toHaveLength(2);
  });
});
