import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { script, testData } from './standalone';

/** What `campaign.mjs --json` writes. */
interface SeenCampaign {
  readonly spoiled: readonly string[];
  /** `code` is that of `phx batch watch`. */
  readonly first: { readonly code: number; readonly outcomes: Readonly<Record<string, number>> };
  readonly again: { readonly code: number; readonly outcomes: Readonly<Record<string, number>> };
  readonly table: readonly { readonly title: string; readonly rFree: number }[];
  /** In sentences; empty: everything as promised. */
  readonly problems: readonly string[];
}

/** `npm run campaign` runs 200. */
const datasets = 10;

/** Needs PHENIX_FLEET_TEST_DATA. */
describe('npm run campaign', () => {
  it('submits datasets as one batch; one in ten fails, is repaired and runs again; the table has R-free of all', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fleet-campaign-'));
    try {
      const outcome = path.join(folder, 'outcome.json');
      const options = ['--datasets', String(datasets), '--data', testData('tiny_5e5z'), '--json', outcome];
      const { code, stdout, stderr } = await script('campaign.mjs', ['--work', folder, ...options]);
      if (code !== 0) throw new Error(`the campaign ended with ${String(code)}:\n${stdout}\n${stderr}`);
      const { spoiled, first, again, table, problems } = JSON.parse(readFileSync(outcome, 'utf8')) as SeenCampaign;
      expect(problems).toEqual([]);
      expect(spoiled).toEqual(['crystal-0010']);
      expect(first).toMatchObject({ code: 6, outcomes: { solved: 9, failed_science: 1 } });
      expect(again).toMatchObject({ code: 0, outcomes: { solved: 10, failed_science: 0 } });
      expect(table).toHaveLength(datasets);
      for (const { rFree } of table) expect(rFree).toBeCloseTo(0.2019, 3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
