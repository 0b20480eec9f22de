import { ranBefore as run, v2Bench, type RequestPart as Part } from '@fleet/testing';

const bench = v2Bench();

const xtriage = run('xtriage', { resolution: 2.5 });
const mtriage = run('mtriage', { resolution: 3 });
const phaser = run('phaser', { tfz: 20, llg: 900 }, ['/d/PHASER.1.pdb', '/d/PHASER.1.mtz']);
const refined = (r_free: number, count = 1): Part =>
  run(
    'refine',
    { r_free, r_work: r_free - 0.03 },
    ['001.pdb', '001.mtz', 'data.mtz'].map((end) => `/d/refine_00${String(count)}_${end}`),
  );
const docked = run('dock_in_map', { map_cc: 0.5 }, ['/d/placed_model.pdb']);
const realSpace = run('real_space_refine', { map_cc: 0.6 }, ['/d/m_real_space_refined_000.pdb']);
const fitted = run('ligandfit', { ligand_cc: 0.8 }, ['/d/ligand_fit_1.pdb']);
const data = '/d/data.mtz';

/** Three refinements without any remaining output: an older model does not count as refined. */
const thrice = [xtriage, phaser, refined(0.34), refined(0.31, 2), refined(0.28, 3)];

describe('files of the history that do not exist', () => {
  it.each<[string, readonly string[], readonly Part[], readonly string[]]>([
    ['the refined model', [data, '/d/PHASER.1.pdb'], [xtriage, phaser, refined(0.3)], ['refine', '/d/PHASER.1.pdb']],
    ['all refined models', [data, '/d/PHASER.1.pdb'], thrice, ['refine', '/d/PHASER.1.pdb']],
    [
      'the newest refined model',
      [data, '/d/PHASER.1.pdb', '/d/refine_001_001.pdb'],
      [xtriage, phaser, refined(0.34), refined(0.3, 2)],
      ['refine', '/d/refine_001_001.pdb'],
    ],
    [
      'the data that a refinement wrote',
      [data, '/d/refine_001_001.pdb'],
      [xtriage, phaser, refined(0.34)],
      ['refine', '/d/refine_001_001.pdb', data],
    ],
    [
      'the submitted data',
      ['/d/refine_001_001.pdb', '/d/refine_001_data.mtz'],
      [xtriage, phaser, refined(0.34)],
      ['refine', '/d/refine_001_001.pdb', '/d/refine_001_data.mtz'],
    ],
    ['the placed model', [data, '/d/search_model.pdb'], [xtriage, phaser], ['phaser', data, '/d/search_model.pdb']],
    ['every model', [data, '/d/search_model.pdb'], thrice, ['phaser', data, '/d/search_model.pdb']],
    [
      'the rebuilt model',
      [data, '/d/seq.fa', '/d/refine_001_001.pdb'],
      [xtriage, phaser, refined(0.4), refined(0.398, 2), run('autobuild', { r_free: 0.33 }, ['/d/overall_best.pdb'])],
      ['refine', '/d/refine_001_001.pdb'],
    ],
    [
      'the fitted ligand',
      [data, '/d/lig.pdb', '/d/refine_001_001.pdb', '/d/refine_001_001.mtz'],
      [xtriage, phaser, refined(0.26), fitted],
      ['ligandfit', 'model=/d/refine_001_001.pdb'],
    ],
    [
      'the docked model',
      ['/d/map.mrc', '/d/search_model.pdb'],
      [mtriage, docked],
      ['dock_in_map', '/d/search_model.pdb'],
    ],
    [
      'the model refined in the map',
      ['/d/map.mrc', '/d/placed_model.pdb'],
      [mtriage, docked, realSpace],
      ['real_space_refine', '/d/placed_model.pdb'],
    ],
  ])('%s: existing files are used, and the warnings name the missing ones', async (_what, files, history, words) => {
    const { stop, decision, metadata } = await bench.ask(files, history);
    expect([stop, metadata.red_flags]).toEqual([false, []]);
    expect(decision.argv.slice(0, words.length)).toEqual([`phenix.${words[0] ?? ''}`, ...words.slice(1)]);
    const named = history.flatMap(({ output_files }) => output_files as readonly string[]);
    const missing = named.filter((path) => !files.includes(path)).map((path) => path.replace('/d/', ''));
    const warnings = metadata.warnings.join('\n');
    for (const name of missing) expect(warnings).toContain(name);
    expect(warnings.includes('files lacks')).toBe(missing.length > 0);
  });

  it('are named if no file is left to work with', async () => {
    const { stop_reason, metadata } = await bench.ask([data], [xtriage, phaser, refined(0.3)]);
    expect(stop_reason).toBe('red_flag');
    expect(metadata.red_flags.join()).toMatch(
      /^no_model_for_refine: .*Missing: refine_001_001\.pdb \(cycle 3\), PHASER\.1\.pdb \(cycle 2\)\./,
    );
  });

  it('cause no endless loop: an output that is lost twice under the same name is accepted', async () => {
    const files = [data, '/d/search_model.pdb'];
    const { stop_reason, metadata } = await bench.ask(files, [xtriage, phaser, phaser]);
    expect(stop_reason).toBe('red_flag');
    expect(metadata.red_flags.join()).toContain('PHASER.1.pdb (cycle 3)');
  });

  it('never allow other free flags: if the other data have none, the end says which file is missing', async () => {
    const session_state = { mtz_rfree_map: { [data]: false } };
    const { stop_reason, metadata } = await bench.ask(
      [data, '/d/refine_001_001.pdb'],
      [xtriage, phaser, refined(0.34)],
      { session_state },
    );
    expect(stop_reason).toBe('red_flag');
    expect(metadata.red_flags.join()).toMatch(/^free_flags_lost: .*refine_001_data\.mtz/);
  });
});

describe('after_program', () => {
  const menuWith = async (
    after_program: string,
    files: readonly string[],
    history: readonly Part[],
  ): Promise<readonly string[]> => {
    const written = history.flatMap(({ output_files }) => output_files as readonly string[]);
    const session_state = { directives: { stop_conditions: { after_program } } };
    return (await bench.ask([...files, ...written], history, { session_state })).metadata.valid_programs;
  };

  it.each<[string, readonly string[], readonly Part[]]>([
    ['phenix.autosol', [data, '/d/seq.fa'], [xtriage]],
    ['phenix.autosol', [data, '/d/seq.fa', '/d/search_model.pdb'], [xtriage, phaser]],
    ['phenix.phaser', [data, '/d/seq.fa', '/d/model.pdb'], [xtriage]],
    ['phenix.predict_and_build', [data, '/d/seq.fa', '/d/model.pdb'], [xtriage]],
    ['phenix.autobuild', [data, '/d/seq.fa'], [xtriage, phaser, refined(0.24)]],
    ['phenix.molprobity', [data], [xtriage, phaser, refined(0.33)]],
    ['phenix.polder', [data], [xtriage, phaser, refined(0.33)]],
    ['phenix.map_sharpening', ['/d/half_map_1.mrc', '/d/half_map_2.mrc', '/d/seq.fa'], [mtriage]],
    ['phenix.dock_in_map', ['/d/map.mrc', '/d/model.pdb'], [mtriage]],
  ])('is on the menu if the state may run it: %s', async (program, files, history) => {
    expect((await menuWith(program, files, history))[0]).toBe(program);
  });
});
