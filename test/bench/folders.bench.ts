import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataRoot } from '@fleet/access';
import type { FolderView } from '@fleet/contracts/submissions';
import { KeyedGateway } from '../api/keyed-gateway';
import { deliver, figure, quantile } from './figures';

const ENTRIES = 10_000;
/** Lists that are timed, and some before that are not. */
const CALLS = 100;
const WARM_UP = 10;

/** How long somebody waits for the first page of a large folder of their proposal. */
describe('the list of a folder', () => {
  it('of 10,000 files answers at once', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-folders-')));
    const folder = join(root, 'mx1/images');
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < ENTRIES; at += 1) writeFileSync(join(folder, `x_${String(at)}.mtz`), 'x');
    const template = readDataRoot(`${root}/{proposal}`);
    if (typeof template === 'string') throw new Error(template);
    const keyed = await KeyedGateway.withKeys({}, { options: { dataRoots: [template] } });
    const member = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    const taken: number[] = [];
    for (let call = -WARM_UP; call < CALLS; call += 1) {
      const from = performance.now();
      const answer = await keyed.get(`/v1/folders?path=${encodeURIComponent(folder)}`, member);
      if (call >= 0) taken.push(performance.now() - from);
      expect((answer.json() as FolderView).entries[1]).toMatchObject({ name: 'x_1.mtz' });
    }
    await keyed.stop();
    rmSync(root, { recursive: true });
    deliver([figure('list of a folder of 10,000 files, p95 (ms)', quantile(taken, 0.95), '<=', 150)]);
  });
});
