import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { testData } from './standalone';
import { argvOf, isSimulated, programsOf, seriesOf, wordsOf } from './outcome';
import { useInstallation } from './use-installation';

/** Few cycles: the way matters here, not the last percent. */
const quick = `
stop_conditions: { max_refine_cycles: 1 }
program_settings:
  phenix.refine: { cycles: 2 }
  phenix.real_space_refine: { macro_cycles: 1 }
`;

/** Sequences of programs as the agent's workflows (phenix-agent.md#states) have them, on real programs. */
describe('long workflows on real programs from files to STOP', () => {
  const { standalone, inputs, watched } = useInstallation();

  const solved = async (...args: string[]): Promise<Session> =>
    watched(await standalone.submit('--directives', inputs.write('quick.yaml', quick), ...args));

  it('twinned data: the twin law that was found goes into the refinement', async () => {
    const session = await solved(testData('il1b_1l2h_twin', '1l2h.mtz'), testData('il1b_1l2h_twin', '1l2h.pdb'));
    expect(programsOf(session)).toEqual([
      'phenix.xtriage',
      'phenix.model_vs_data',
      'phenix.refine',
      'phenix.molprobity',
    ]);
    expect(wordsOf(session, 'phenix.xtriage', 'twin_law')).toEqual(['h,-k,-l']);
    expect(argvOf(session, 'phenix.refine').join(' ')).toContain('twin_law=h,-k,-l');
    // Without the twin law it stays above 0.27 (PDB entry 1L2H, test data).
    expect(seriesOf(session, 'phenix.refine', 'r_free')[0]).toBeLessThan(0.22);
    expect([session.status, session.stop?.reason, isSimulated(session)]).toEqual(['completed', 'converged', false]);
  });

  it('cryo-EM with a ligand: fitted into the map, merged, refined again and validated', async () => {
    const em = (name: string): string => testData('synth_cryoem_rnase_3A', name);
    const dictionary = inputs.copy(testData('5a3h', 'BGC.cif'));
    const maker = path.join(__dirname, 'ligand-map.mjs');
    execFileSync(process.execPath, [maker, em('full_map.ccp4'), em('true_model.pdb'), dictionary, inputs.path]);
    const made = ['map.ccp4', 'map_coeffs.mtz'].map((name) => path.join(inputs.path, name));
    const session = await solved('--set', 'resolution=3', ...made, em('start_shaken.pdb'), dictionary);
    expect(programsOf(session)).toEqual([
      'phenix.mtriage',
      'phenix.map_correlations',
      'phenix.real_space_refine',
      'phenix.ligandfit',
      'phenix.pdbtools',
      'phenix.real_space_refine',
      'phenix.validation_cryoem',
      'phenix.molprobity',
    ]);
    expect(seriesOf(session, 'phenix.ligandfit', 'ligand_cc')[0]).toBeGreaterThan(0.7);
    expect(seriesOf(session, 'phenix.real_space_refine', 'map_cc')[1]).toBeGreaterThan(0.8);
    expect([session.status, session.stop?.reason, isSimulated(session)]).toEqual(['completed', 'converged', false]);
  });
});
