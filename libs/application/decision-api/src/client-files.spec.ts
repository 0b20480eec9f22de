import { ranBefore as run, v2Bench } from '@fleet/testing';

const bench = v2Bench();

const xtriage = run('xtriage', { resolution: 2 });
const phaser = run('phaser', { tfz: 20, llg: 900 }, ['/d/PHASER.1.pdb']);
const { ask } = bench;

describe('working files of programs', () => {
  it.each([
    '/d/TEMP0/newer.pdb',
    '/d/TEMP/newer.pdb',
    '/d/temp/newer.pdb',
    '/d/run/scratch/newer.pdb',
    '/d/EDITED_newer.pdb',
    '/d/TEMP_newer.pdb',
  ])('are not used as models, even if the client names them: %s', async (path) => {
    const { decision, metadata } = await ask(
      ['/d/data.mtz', '/d/PHASER.1.pdb', path],
      [xtriage, { ...phaser, output_files: ['/d/PHASER.1.pdb', path] }],
    );
    expect(decision.argv.slice(0, 3)).toEqual(['phenix.refine', '/d/PHASER.1.pdb', '/d/data.mtz']);
    expect(metadata.warnings.join()).toContain(`Left out as working files of programs`);
    expect(metadata.warnings.join()).toContain(path);
  });

  it.each(['/d/template.pdb', '/d/templates/newer.pdb', '/d/TEMPERATURE/newer.pdb', '/d/my_EDITED.pdb'])(
    'are not confused with similar names: %s',
    async (path) => {
      const { metadata } = await ask(['/d/data.mtz', path], [xtriage]);
      expect(metadata.warnings).toEqual([]);
    },
  );

  it('are not assumed if a client keeps everything in a scratch folder', async () => {
    const { decision, metadata } = await ask(['/scratch/me/data.mtz', '/scratch/me/seq.fa'], []);
    expect([decision.program, metadata.warnings]).toEqual(['phenix.xtriage', []]);
  });

  it('never affect the locked free set', async () => {
    const session_state = { rfree_mtz: '/d/TEMP0/refine_001_data.mtz' };
    const { decision } = await ask(['/d/data.mtz', '/d/PHASER.1.pdb'], [xtriage, phaser], { session_state });
    expect(decision.argv).toContain('/d/TEMP0/refine_001_data.mtz');
  });
});

describe('companion files of the client that its history does not list', () => {
  const refine = run('refine', { r_free: 0.24, r_work: 0.2 }, ['/d/refine_001_data.mtz']);

  it('count as outputs of the refinement: its model is refined next, not the one before it', async () => {
    const files = ['/d/data.mtz', '/d/PHASER.1.pdb', '/d/refine_001_data.mtz', '/d/refine_001_001.pdb'];
    const { decision, events } = await ask([...files, '/d/refine_001_001.mtz'], [xtriage, phaser, refine]);
    expect(decision.program).toBe('phenix.refine');
    expect(decision.argv).toContain('/d/refine_001_001.pdb');
    expect(events.filter(({ type }) => type === 'file_scored')[0]?.message).toMatch(/^refine_001_001\.pdb .*r_free/);
  });

  it('count as outputs of autobuild beside its maps', async () => {
    const built = run('autobuild', { r_free: 0.33 }, ['/d/a/overall_best_refine_data.mtz']);
    const files = ['/d/data.mtz', '/d/seq.fa', '/d/PHASER.1.pdb', '/d/a/overall_best_refine_data.mtz'];
    const { decision } = await ask([...files, '/d/a/overall_best.pdb'], [xtriage, phaser, built]);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/a/overall_best.pdb']);
  });

  it("include the merged model in the next cycle's folder, which is refined", async () => {
    const first = run('refine', { r_free: 0.26, r_work: 0.22 }, ['/s/sub_03_refine/refine_001_001.pdb']);
    const fit = run('ligandfit', { ligand_cc: 0.82 }, ['/s/sub_04_ligandfit/ligand_fit_1.pdb']);
    const merge = run('pdbtools', {}, []);
    const files = [
      '/d/data.mtz',
      '/d/lig.cif',
      '/d/PHASER.1.pdb',
      '/s/sub_03_refine/refine_001_001.pdb',
      '/s/sub_04_ligandfit/ligand_fit_1.pdb',
      '/s/sub_05_pdbtools/refine_001_001_with_ligand.pdb',
    ];
    const { decision } = await ask(files, [xtriage, phaser, first, fit, merge]);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/s/sub_05_pdbtools/refine_001_001_with_ligand.pdb']);
  });
});

describe('an output of the history that the client does not have', () => {
  const denmod = run('resolve_cryo_em', { resolution: 3 }, ['/d/denmod_map.ccp4']);
  const mtriage = run('mtriage', { resolution: 3.2 });
  const halves = ['/d/half_1.ccp4', '/d/half_2.ccp4', '/d/seq.fa'];

  it('is missing: its program runs again, and the log says why', async () => {
    const { decision, debug, metadata } = await ask(halves, [mtriage, denmod]);
    expect(decision.program).toBe('phenix.resolve_cryo_em');
    expect(debug.log).toContainEqual(
      expect.stringMatching(/^PERCEIVE: ZOMBIE STATE — phenix\.resolve_cryo_em has run/),
    );
    expect(metadata.warnings.join()).toContain('"resolve_cryo_em_done" is cleared');
  });

  it('is not a zombie if it exists', async () => {
    const { decision, debug } = await ask([...halves, '/d/denmod_map.ccp4'], [mtriage, denmod]);
    expect(decision.program).not.toBe('phenix.resolve_cryo_em');
    expect(debug.log.join()).not.toContain('ZOMBIE');
  });

  it('is never passed to a program', async () => {
    const refine = run('refine', { r_free: 0.36, r_work: 0.31 }, ['/d/refine_001_001.pdb']);
    const { decision } = await ask(['/d/data.mtz', '/d/PHASER.1.pdb'], [xtriage, phaser, refine]);
    expect(decision.argv).not.toContain('/d/refine_001_001.pdb');
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/PHASER.1.pdb']);
  });

  it('is matched by name alone if one side gives no folder', async () => {
    const named = { ...phaser, output_files: ['PHASER.1.pdb'] };
    const { decision } = await ask(['/d/data.mtz', '/d/PHASER.1.pdb'], [xtriage, named]);
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.refine', '/d/PHASER.1.pdb']);
  });
});
