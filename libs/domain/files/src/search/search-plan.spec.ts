import type { SessionFile } from '@fleet/contracts/sessions';
import { aRequest, aSession, dataFile, modelFile, projectRules, ran } from '@fleet/testing';
import { searchPlan } from './search-plan';

const withContent = (path: string, digit: string): SessionFile => ({
  ...modelFile(path),
  pin: { size: 9, modified: '2026-01-01T00:00:00Z', inode: path, sha256: digit.repeat(64) },
});

/** The models of the search after one with `a.pdb` that found nothing. */
const nextAfter = (other: SessionFile): readonly string[] | undefined => {
  const inputs = [dataFile(), withContent('/data/a.pdb', 'a'), other];
  const cycles = [ran(1, 'phaser', { inputs: [{ slot: 'model', path: '/data/a.pdb' }], fails: 'NO SOLUTION' })];
  const session = aSession({ request: aRequest({ inputs }), cycles });
  const plan = searchPlan(session, projectRules(), { canSearch: true, canRebuild: true });
  return plan.next?.models?.map(({ path }) => path);
};

it('does not search with a copy of a model that found nothing', () => {
  expect(nextAfter(withContent('/data/b.pdb', 'b'))).toEqual(['/data/b.pdb']);
  expect(nextAfter(withContent('/data/b.pdb', 'a'))).not.toEqual(['/data/b.pdb']);
});
