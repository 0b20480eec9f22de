import {
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  refinements,
  unrefined,
  usualRuns,
  walkBench,
  type Walk,
} from '@fleet/testing';

const bench = walkBench({
  installed: 'all',
  runs: { ...usualRuns, model_vs_data: unrefined, refine: refinements(0.34, 0.31, 0.29, 0.25) },
});
const waters = 'Do not add waters until R-free < 0.30';

const watersOf = (walked: Walk): readonly string[] =>
  [0, 1, 2, 3].map(
    (run) => argvOf(walked, 'refine', run).find((token) => token.startsWith('ordered_solvent=')) ?? 'none',
  );

describe('conditions of the submitter on a metric', () => {
  const files = [dataFile(), modelFile()];
  const settings = { max_refine_cycles: 4, r_free_target: 0.2 };

  it('waters are not added before R-free is below the limit, and the event says so', async () => {
    const free = await bench.walk(files, {}, { settings });
    expect(watersOf(free)).toEqual(['none', 'ordered_solvent=True', 'ordered_solvent=True', 'ordered_solvent=True']);
    const walked = await bench.walk(files, {}, { settings, directives: { constraints: [waters] } });
    expect(watersOf(walked)).toEqual([
      'ordered_solvent=False',
      'ordered_solvent=False',
      'ordered_solvent=False',
      'ordered_solvent=True',
    ]);
  });

  it('a program is excluded until then', async () => {
    const inputs = [...files, dictionaryFile('NUT')];
    const offered = async (constraints: readonly string[]): Promise<readonly string[]> =>
      (await bench.walk(inputs, {}, { settings, directives: { constraints } })).programs;
    const before = (await offered([])).indexOf('ligandfit');
    const after = (await offered(['Do not run ligandfit until R-free is below 0.30.'])).indexOf('ligandfit');
    expect([before, after]).toEqual([3, 5]);
  });

  it('other constraints change nothing', async () => {
    const walked = await bench.walk(files, {}, { settings, directives: { constraints: ['Prioritise geometry'] } });
    expect(watersOf(walked)[1]).toBe('ordered_solvent=True');
  });
});
