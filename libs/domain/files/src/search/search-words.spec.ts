import type { PlacementTrial } from './placement-trials';
import { partWords, searchReport, trialWords, wayWords } from './search-words';

const way = { models: ['/data/a.pdb'], copies: 1, groups: 'data' } as const;
const trial = (changes: Partial<PlacementTrial> = {}): PlacementTrial => ({
  ...way,
  cycle: 1,
  placed: false,
  verdict: 'refuted',
  says: 'TFZ 4.2',
  clear: false,
  own: new Set(),
  ...changes,
});

describe('a search in words', () => {
  it.each([
    [{ models: [] }, 'the search model'],
    [{}, 'a.pdb'],
    [{ copies: 2 }, '2 copies of a.pdb'],
    [{ models: ['/data/a.pdb', '/x/b.pdb'] }, 'a.pdb and b.pdb'],
    [{ models: ['a.pdb', 'b.pdb', 'c.pdb'], copies: 2 }, '2 copies each of a.pdb, b.pdb and c.pdb'],
    [{ groups: 'hand' as const }, 'a.pdb in both hands of the space group'],
    [{ groups: 'all' as const }, 'a.pdb in every space group of the point group'],
    [{ asSubmitted: true as const, copies: 2 }, 'a.pdb where it was submitted'],
  ])('%j', (changes, words) => {
    expect(wayWords({ ...way, ...changes })).toBe(words);
  });

  it('contains its outcome', () => {
    expect(trialWords(trial())).toBe('a.pdb (TFZ 4.2)');
  });
});

describe('the report of the searches', () => {
  const standing = trial({ cycle: 2, copies: 2, says: 'TFZ 12' });

  it('is empty for a single successful search', () => {
    expect(searchReport([], undefined)).toBeUndefined();
    expect(searchReport([standing], standing)).toBeUndefined();
  });

  it('lists every search', () => {
    expect(searchReport([trial()], undefined)).toBe('Molecular replacement searched once: a.pdb (TFZ 4.2).');
    expect(searchReport([trial(), standing], standing)).toBe(
      'Molecular replacement searched with 2 strategies: a.pdb (TFZ 4.2); 2 copies of a.pdb (TFZ 12).',
    );
  });

  it('includes the submitted model, although it was not a search', () => {
    const submitted = trial({ asSubmitted: true, says: 'R-free 0.5' });
    expect(searchReport([submitted], undefined)).toBeUndefined();
    expect(searchReport([submitted, trial()], undefined)).toBe(
      'Molecular replacement searched once: a.pdb where it was submitted (R-free 0.5); a.pdb (TFZ 4.2).',
    );
  });
});

describe('partly placed components', () => {
  it('are named, with the missing residues', () => {
    const residues = new Map([
      ['/d/beta.pdb', 263],
      ['/d/blip.pdb', 165],
    ]);
    expect(partWords(residues, ['blip.pdb'], 29.62)).toBe(
      'beta.pdb placed, TFZ 29.6; blip.pdb not found, 165 of 428 residues',
    );
    expect(partWords(residues, ['blip.pdb'], undefined)).toBe(
      'beta.pdb placed; blip.pdb not found, 165 of 428 residues',
    );
  });
});
