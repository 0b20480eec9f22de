import type { FileFacts, ResultsView, SessionView } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, anAttempt, aResult } from '@fleet/testing';
import { isDrawn, mapLabels, sceneFiles } from './scene-files';

const modelFacts = (atoms: number): FileFacts => ({
  format: 'pdb',
  model: { atoms, chains: ['A'], polymerResidues: 1, waters: 0, ligandCodes: [], predicted: false, meanB: 20 },
});
const mapFacts = (side: number): FileFacts => ({
  format: 'map',
  map: { grid: [side, side, side], mode: 2, voxel: 1 },
});

const shown = (
  atoms: number,
  {
    facts = { format: 'mtz' },
    provider = 'open-phenix' as const,
    best,
  }: {
    readonly facts?: FileFacts;
    readonly provider?: 'open-phenix' | 'simulated';
    readonly best?: readonly Partial<ResultsView['bestFiles'][number]>[];
  } = {},
) => {
  const model = aFile({ path: '/w/m.pdb', cycle: 1, facts: modelFacts(atoms) });
  const map = aFile({ path: '/w/m.map', cycle: 1, facts });
  const experimentType = facts.map === undefined ? 'xray' : 'cryoem';
  const cycle = aCycle({
    cycle: 1,
    decision: aDecision({ program: 'phenix.refine', experimentType }),
    attempts: [anAttempt({ provider })],
    result: aResult({ outputs: [model, map] }),
  });
  const category = facts.map === undefined ? 'map_coeffs_mtz' : 'map';
  const bestFiles = best ?? [
    { category: 'model', path: model.path, cycle: 1, href: '/m' },
    { category, path: map.path, cycle: 1, href: '/c' },
  ];
  const inputs = [aFile({ path: '/d/m.pdb', facts: modelFacts(atoms) }), aFile({ path: '/d/m.map', facts })];
  return sceneFiles(
    { cycles: [cycle], request: { inputs } } as unknown as SessionView,
    { bestFiles } as unknown as ResultsView,
  );
};

describe('what is drawn of a session', () => {
  it('is its best model with the matching map', () => {
    const { model, map, problems } = shown(900);
    expect([model?.href, map?.href, problems, model && isDrawn(model)]).toEqual(['/m', '/c', [], true]);
    expect(model).toMatchObject({ program: 'phenix.refine', simulated: false });
    expect(shown(900, { provider: 'simulated' }).model?.simulated).toBe(true);
  });

  it("reports files that exceed the browser's limits, before any download", () => {
    const { model, problems } = shown(200_000);
    expect([model && isDrawn(model), problems]).toEqual([false, [expect.stringContaining('200,000 atoms') as unknown]]);
    const large = shown(900, { facts: mapFacts(500) });
    expect([large.model && isDrawn(large.model), large.map && isDrawn(large.map)]).toEqual([true, false]);
    expect(large.problems).toEqual([expect.stringContaining('125 million points')]);
  });

  it('reports what is missing', () => {
    expect(shown(900, { best: [] }).problems).toEqual([expect.stringContaining('No model yet')]);
    const submitted = { category: 'model', path: '/d/m.pdb', cycle: 0 };
    expect(shown(900, { best: [submitted] }).problems).toEqual([expect.stringContaining('still the submitted one')]);
    const model = { category: 'model', path: '/w/m.pdb', cycle: 1, href: '/m' };
    expect(shown(900, { best: [model] }).problems).toEqual(['No map of this model yet.']);
    const map = { category: 'map', path: '/d/m.map', cycle: 0 };
    expect(shown(900, { facts: mapFacts(64), best: [model, map] }).problems).toEqual([
      expect.stringContaining('The map is the submitted one'),
    ]);
  });

  it('is what was submitted, where no program has made better', () => {
    const best = [
      { category: 'model', path: '/d/m.pdb', cycle: 0, href: '/dm' },
      { category: 'map', path: '/d/m.map', cycle: 0, href: '/dc' },
    ];
    const { model, map, problems } = shown(900, { facts: mapFacts(64), best });
    expect([model?.href, map?.href, problems]).toEqual(['/dm', '/dc', []]);
    expect([model?.program, map?.program]).toEqual([undefined, undefined]);
    const alone = shown(900, { facts: mapFacts(64), best: best.slice(1) });
    expect([alone.model, alone.map?.href]).toEqual([undefined, '/dc']);
    expect(alone.problems).toEqual([
      expect.stringContaining('No model yet'),
      expect.stringContaining('Only the map is drawn'),
    ]);
    expect(shown(200_000, { best }).problems).toEqual([
      expect.stringContaining('200,000 atoms'),
      'No map of this model yet.',
    ]);
  });

  it.each([
    [['2FOFCWT,PH2FOFCWT', '2FOFCWT_no_fill,PH2FOFCWT_no_fill', 'FOFCWT,PHFOFCWT'], '2FOFCWT', 'FOFCWT'],
    [['FWT,PHWT', 'DELFWT,PHDELWT'], 'FWT', 'DELFWT'],
    [['mFo-DFc_polder,PHImFo-DFc_polder'], undefined, 'mFo-DFc_polder'],
    [['2mFo-DFc,PH', 'mFo-DFc,PH2'], '2mFo-DFc', 'mFo-DFc'],
  ])('finds the maps in %j', (pairs, density, difference) => {
    const found = mapLabels(pairs);
    expect([found.density?.split(',')[0], found.difference?.split(',')[0]]).toEqual([density, difference]);
  });
});
