import type { FileFacts, JsonValue } from '@fleet/contracts/sessions';
import { dataFile, mapFile, modelFile, ranBefore as run, sequenceFile, v2Bench, unflaggedFile } from '@fleet/testing';

/** Files as users submit them (from public reports), with the facts that a reader finds in them. */
const bench = v2Bench();
const ask = (facts: Readonly<Record<string, FileFacts>>, history: readonly JsonValue[] = [], more: object = {}) =>
  bench.api.answer(
    { api_version: '2.0', files: Object.keys(facts), cycle_number: history.length + 1, history, ...more },
    new Map(Object.entries(facts)),
  );

const data = dataFile().facts;
const unflagged = unflaggedFile().facts;
const density = mapFile('x').facts;
const placed = [run('xtriage', { resolution: 2 }), run('model_vs_data', { r_free: 0.28, r_work: 0.25 })];

it('never refines or judges against a mask, whatever its name', async () => {
  const files = {
    '/d/half_map_1.map': density,
    '/d/half_map_2.map': density,
    '/d/emd_1.map': { ...density, map: { ...density.map!, mask: true as const } },
    '/d/m.pdb': modelFile().facts,
  };
  const runs = [run('mtriage', { resolution: 2 }), run('map_correlations', { cc_mask: 0.61 })];
  for (const history of [[], runs.slice(0, 1), runs]) {
    const { decision, metadata } = await ask(files, history);
    expect(decision.argv.join(' ')).not.toContain('emd_1.map');
    expect(metadata.files.find(({ path }) => path === '/d/emd_1.map')).toMatchObject({ used: false });
  }
});

it.each([[['/d/data.mtz', '/d/freeR.mtz', '/d/m.pdb']], [['/d/freeR.mtz', '/d/m.pdb', '/d/data.mtz']]])(
  'refines with flags from a separate file, given as %j',
  async (order) => {
    const known: Readonly<Record<string, FileFacts>> = {
      '/d/data.mtz': unflagged,
      '/d/freeR.mtz': { ...data, mtz: { ...data.mtz!, observations: [] } },
      '/d/m.pdb': modelFile().facts,
    };
    const files = Object.fromEntries(order.flatMap((path) => (known[path] === undefined ? [] : [[path, known[path]]])));
    const { decision } = await ask(files, placed);
    expect(decision.argv).toEqual(
      expect.arrayContaining([
        '/d/data.mtz',
        'xray_data.r_free_flags.file_name=/d/freeR.mtz',
        'xray_data.r_free_flags.label=FREE',
      ]),
    );
    expect(decision.argv.join(' ')).not.toContain('generate');
  },
);

it('selects one of two flag columns, also after a refinement that stopped because of them', async () => {
  const files = {
    '/d/data.mtz': { ...data, mtz: { ...data.mtz!, freeFlag: 'FreeR_flag', otherFreeFlags: ['R-free-flags'] } },
    '/d/m.pdb': modelFile().facts,
  };
  const failed = {
    program: 'phenix.refine',
    command: 'phenix.refine /d/m.pdb /d/data.mtz output.prefix=refine_001',
    result: 'FAILED: Sorry: Multiple equally suitable arrays of R-free flags found.',
    analysis: {},
    output_files: [],
  };
  for (const history of [placed, [...placed, failed]]) {
    const { decision } = await ask(files, history);
    expect(decision.argv).toContain('xray_data.r_free_flags.label=FreeR_flag');
  }
});

it('processes a prediction before a search, even after it was compared with the data', async () => {
  const files = {
    '/d/data.mtz': data,
    '/d/pred.model_idx_0.pdb': modelFile('x', { predicted: true }).facts,
    '/d/seq.fa': sequenceFile().facts,
  };
  const probe = run('model_vs_data', { r_free: 0.57, r_work: 0.56 });
  for (const history of [placed.slice(0, 1), [...placed.slice(0, 1), probe]]) {
    const { decision } = await ask(files, history);
    expect(decision.program).toBe('phenix.process_predicted_model');
  }
});

it.each([
  ['/d/scaled.mtz', '/d/merged.mtz'],
  ['/d/merged.mtz', '/d/scaled.mtz'],
])('uses merged data beside unmerged ones: %s, %s', async (...order) => {
  const files = Object.fromEntries(
    order.map((path) => [path, path.includes('scaled') ? unflaggedFile({ unmerged: true }).facts : unflagged]),
  );
  const { decision, metadata } = await ask({ ...files, '/d/m.pdb': modelFile().facts });
  expect(decision.argv).toContain('/d/merged.mtz');
  expect(metadata.files.find(({ used }) => !used)?.text).toContain('merged data come before unmerged data');
});

describe('data that are integrated, but not scaled', () => {
  const integrated = unflaggedFile({ unmerged: true, unscaled: true }).facts;
  const words = 'integrated intensities, each image on a scale of its own; scale and merge them first';

  it.each(['auto', 'xray'])('are refused where there are no others (experiment_type %s)', async (experiment_type) => {
    const files = { '/d/integrated.mtz': integrated, '/d/m.pdb': modelFile().facts };
    const { decision, metadata, abort_message } = await ask(files, [], { settings: { experiment_type } });
    expect(decision.program).toBe('STOP');
    expect(abort_message).toContain('The reflection data are integrated, but not scaled and merged.');
    expect(abort_message).toContain('Scale and merge them first');
    expect(metadata.red_flags).toEqual([expect.stringMatching(/^data_unscaled: /)]);
    expect(metadata.files[0]?.used).toBe(false);
    expect(metadata.files[0]?.text).toContain(words);
  });

  it('are left alone where there are merged ones', async () => {
    const files = { '/d/integrated.mtz': integrated, '/d/merged.mtz': data, '/d/m.pdb': modelFile().facts };
    const { decision, metadata } = await ask(files);
    expect(decision.argv).toContain('/d/merged.mtz');
    expect(metadata.files[0]?.used).toBe(false);
    expect(metadata.files[0]?.text).toContain(words);
  });
});

it('warns a client, whose sequence files are not joined, that the program takes only one', async () => {
  const piece = (sequence: string): FileFacts => ({
    format: 'sequence',
    sequence: { chains: 1, residues: 3, sequences: [sequence] },
  });
  const { decision, metadata } = await ask({ '/d/data.mtz': data, '/d/a.seq': piece('MKV'), '/d/b.seq': piece('GAV') });
  expect(decision.argv.filter((token) => token.endsWith('.seq'))).toHaveLength(2);
  expect(metadata.warnings.join()).toContain('takes one file as sequence: join /d/a.seq, /d/b.seq');
});
