import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkRootProbe } from './work-root.probe';

describe('WorkRootProbe', () => {
  it('is healthy while the folder responds, and reports why it is not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-root-'));
    const probe = new WorkRootProbe(folder);
    expect(await probe.check()).toMatchObject({ healthy: true });
    rmSync(folder, { recursive: true });
    const { healthy, detail } = await probe.check();
    expect(healthy).toBe(false);
    expect(detail.reason).toContain('ENOENT');
  });

  it('times out when the folder does not respond, with one check at a time, and detects when it responds again', async () => {
    const looks: (() => void)[] = [];
    const hanging = (): Promise<void> =>
      new Promise((resolve) => {
        looks.push(resolve);
      });
    const probe = new WorkRootProbe('/work', hanging, 20);
    for (const { healthy, detail } of await Promise.all([probe.check(), probe.check()])) {
      expect(healthy).toBe(false);
      expect(detail.reason).toMatch(/^no answer for \d+ s$/);
    }
    expect(await probe.check()).toMatchObject({ healthy: false });
    expect(looks).toHaveLength(1);
    looks[0]?.();
    await new Promise(setImmediate);
    const again = probe.check();
    looks[1]?.();
    expect(await again).toMatchObject({ healthy: true });
    expect(looks).toHaveLength(2);
  });
});
