import { readFileSync } from 'node:fs';
import type { FileCategory } from '@fleet/knowledge-model';
import { aFile } from '@fleet/testing';
import { load } from 'js-yaml';
import { categorise, categoryReasons } from './index';

const { categories } = load(readFileSync('knowledge/file_categories.yaml', 'utf8')) as {
  categories: readonly FileCategory[];
};

const mtz = { reflections: 9, highResolution: 2, lowResolution: 20, columns: [], mapCoefficients: [], phases: [] };
const observations = [{ labels: 'F,SIGF', kind: 'amplitude' as const, anomalous: false }];
const model = { atoms: 9, chains: ['A'], polymerResidues: 3, waters: 0, ligandCodes: [], predicted: false, meanB: 20 };
const files = [
  aFile({ path: '/d/data.mtz', facts: { format: 'mtz', mtz: { ...mtz, observations } } }),
  aFile({ path: '/d/AF-P1-predicted.pdb', facts: { format: 'pdb', model: { ...model, predicted: true } } }),
  aFile({ path: '/d/refine_001.pdb', cycle: 2, program: 'phenix.refine', facts: { format: 'pdb', model } }),
  aFile({ path: '/d/seq.fa', facts: { format: 'sequence' } }),
  aFile({ path: '/d/notes.txt', facts: { format: 'text' } }),
];

describe('the reasons for a category', () => {
  const reasons = categoryReasons(files, categories);

  it('name exactly the categories of a file', () => {
    const categorised = categorise(files, categories);
    for (const file of files) {
      const into = [...categorised].filter(([, members]) => members.includes(file)).map(([name]) => name);
      expect((reasons.get(file) ?? []).map(({ category }) => category).sort()).toEqual(into.sort());
    }
    expect([...reasons.values()].filter((list) => list.length > 0).length).toBeGreaterThan(3);
  });

  it('contain the text of the knowledge for each, and for a parent its child', () => {
    for (const { category, by, why } of [...reasons.values()].flat()) {
      const known = categories.find(({ name }) => name === category);
      expect(why).toBe(known?.why);
      if (by !== undefined) expect(categories.find(({ name }) => name === by)).toBeDefined();
    }
    expect(reasons.get(files[2]!)?.some(({ by }) => by !== undefined)).toBe(true);
  });
});
