import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { script } from '../e2e/standalone';

/** What `demo-cluster.mjs --campaign N --json` writes of the campaign. */
interface SeenCampaign {
  readonly spoiled: readonly string[];
  readonly first: { readonly code: number };
  readonly again: { readonly code: number };
  readonly table: readonly { readonly title: string; readonly rFree: number }[];
  /** In sentences; empty: everything as promised. */
  readonly problems: readonly string[];
}

/** Datasets of the campaign; one in ten fails on purpose. */
const size = 10;

/** @needs cluster-parts: it loads images. @needs buildah: it builds them. */
it("a campaign by manifest with a user's key: one in ten fails, is repaired and runs again, and the table has R-free", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-campaign-'));
  try {
    const outcome = path.join(folder, 'outcome.json');
    const { code, stdout, stderr } = await script('demo-cluster.mjs', [
      '--only-session',
      ...['--work', path.join(folder, 'fleet'), '--json', outcome],
      ...['--campaign', String(size)],
    ]);
    if (code !== 0 || !existsSync(outcome))
      throw new Error(`the demo ended with ${String(code)}:\n${stdout}\n${stderr}`);
    const { campaign } = JSON.parse(readFileSync(outcome, 'utf8')) as { readonly campaign: SeenCampaign };
    expect(campaign.problems).toEqual([]);
    expect(campaign.spoiled).toHaveLength(size / 10);
    expect([campaign.first.code, campaign.again.code]).toEqual([6, 0]);
    expect(campaign.table).toHaveLength(size);
    // One structure, as often as there are datasets.
    expect(new Set(campaign.table.map(({ rFree }) => rFree)).size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
