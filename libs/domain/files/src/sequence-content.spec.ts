import type { SessionFile } from '@fleet/contracts/sessions';
import { aFile } from '@fleet/testing';
import { sequenceContent } from './index';

const sequence = (path: string, chains: readonly string[], more: Partial<SessionFile> = {}): SessionFile =>
  aFile({
    path,
    ...more,
    facts: {
      format: 'sequence',
      sequence: {
        chains: chains.length,
        residues: chains.join('').length,
        distinct: new Set(chains).size,
        sequences: [...new Set(chains)],
      },
    },
  });
const paths = (files: readonly SessionFile[]): readonly string[] =>
  sequenceContent(files).files.map(({ path }) => path);

it('sums the chains of several files', () => {
  const content = sequenceContent([sequence('/a.seq', ['MKV']), sequence('/b.seq', ['GAVL', 'GAVL'])]);
  expect(content.facts).toEqual({ chains: 3, residues: 11, distinct: 2 });
  expect(content.files).toHaveLength(2);
});

it('ignores a file that another one contains, in any order, and reports which', () => {
  const [a, both] = [sequence('/a.seq', ['MKV']), sequence('/ab.fa', ['MKV', 'GAVL'])];
  for (const files of [
    [a, both],
    [both, a],
  ]) {
    expect(paths(files)).toEqual(['/ab.fa']);
    expect(sequenceContent(files).repeated.get(a)).toBe(both);
  }
  expect(paths([a, sequence('/copy.pir', ['MKV'])])).toEqual(['/a.seq']);
});

it('uses sequences of programs only if none was submitted', () => {
  const own = sequence('/a.seq', ['MKV']);
  const made = sequence('/w/made.seq', ['GAVL'], { cycle: 2 });
  expect(paths([made, own])).toEqual(['/a.seq']);
  expect(paths([made])).toEqual(['/w/made.seq']);
});

it('is undefined if a file was not inspected', () => {
  const unread = aFile({ path: '/b.seq', facts: { format: 'sequence', assumed: true } });
  expect(sequenceContent([sequence('/a.seq', ['MKV']), unread])).toMatchObject({ files: [{ path: '/a.seq' }, unread] });
  expect(sequenceContent([sequence('/a.seq', ['MKV']), unread]).facts).toBeUndefined();
  expect(sequenceContent([])).toEqual({ files: [], repeated: new Map() });
});
