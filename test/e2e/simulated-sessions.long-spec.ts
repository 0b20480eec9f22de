import type { Session } from '@fleet/contracts/sessions';
import { testData } from './standalone';
import { argvOf, programsOf, seriesOf, simulatedPrograms } from './outcome';
import { useInstallation } from './use-installation';

const quick = `
stop_conditions: { max_refine_cycles: 1 }
program_settings:
  phenix.refine: { cycles: 1 }
  phenix.real_space_refine: { macro_cycles: 1 }
`;
const cel5a = (name: string): string => testData('synth_sad_semet_cel5a', name);
const rnase = (name: string): string => testData('synth_native_rnase', name);
const cryoem = (name: string): string => testData('synth_cryoem_rnase_3A', name);

/**
 * Sequences of programs as the agent's workflows (phenix-agent.md#states) have them, where a program of theirs is not available: scripted stand-ins,
 * requested by name. They present the model beside the sequence, so that the real programs after them have something
 * to work on.
 */
describe('workflows with simulated programs from files to STOP', () => {
  const { standalone, inputs, watched } = useInstallation();
  beforeAll(() => {
    inputs.write('quick.yaml', quick);
  });

  /** A sequence whose structure is known to the stand-ins. */
  const known = (name: string, sequence: string, model: string): string => {
    inputs.copy(model, `${name}.simulated.pdb`);
    return inputs.copy(sequence, `${name}.fasta`);
  };
  const solved = async (programs: string, ...args: string[]): Promise<Session> =>
    watched(
      await standalone.submit(
        '--set',
        `simulated_programs=${programs}`,
        '--directives',
        `${inputs.path}/quick.yaml`,
        ...args,
      ),
    );
  const short = (session: Session): string =>
    programsOf(session)
      .map((program) => program.replace('phenix.', ''))
      .join(' ');

  it('X-ray prediction, placement and building in one run', async () => {
    const sequence = known('automated', rnase('seq.fasta'), rnase('start_shaken_nowater.pdb'));
    const session = await solved('phenix.predict_and_build', rnase('data.mtz'), sequence);
    // It refines as it builds and says that it has reached the target; settings for phenix.refine do not make it run.
    expect(short(session)).toBe('xtriage predict_and_build molprobity');
    expect(simulatedPrograms(session)).toEqual(['phenix.predict_and_build']);
    expect(argvOf(session, 'phenix.molprobity').join(' ')).toContain('overall_best.pdb');
    expect([session.status, session.stop?.reason]).toEqual(['completed', 'converged']);
    expect((await standalone.phx('results', session.id)).stdout).toContain(
      '**SIMULATED**: cycle 2 (phenix.predict_and_build)',
    );
  });

  it('X-ray prediction step by step: processed, placed, refined', async () => {
    const sequence = known('stepwise', rnase('seq.fasta'), rnase('true_model.pdb'));
    const settings = ['--set', 'maximum_automation=false'];
    const session = await solved('phenix.predict_and_build', ...settings, rnase('data.mtz'), sequence);
    expect(short(session)).toBe('xtriage predict_and_build process_predicted_model phaser refine molprobity');
    expect(argvOf(session, 'phenix.predict_and_build')).toContain('predict_and_build.stop_after_predict=True');
    expect(seriesOf(session, 'phenix.phaser', 'tfz')[0]).toBeGreaterThan(8);
    expect(session.status).toBe('completed');
  });

  it('single-wavelength anomalous phasing', async () => {
    const sequence = known('sad', cel5a('seq.fasta'), testData('5a3h', '5a3h_no_ligand.pdb'));
    const session = await solved('phenix.autosol', cel5a('sad_strong.mtz'), sequence);
    expect(short(session)).toBe('xtriage autosol refine molprobity');
    expect(simulatedPrograms(session)).toEqual(['phenix.autosol']);
    expect(session.status).toBe('completed');
  });

  it('molecular replacement, then anomalous phasing with the placed model', async () => {
    const sequence = known('mr_sad', cel5a('seq.fasta'), testData('5a3h', '5a3h_no_ligand.pdb'));
    const model = inputs.moved(testData('5a3h', '5a3h_no_ligand.pdb'), 'search_model.pdb');
    const session = await solved('phenix.autosol', cel5a('sad_strong.mtz'), sequence, model);
    expect(short(session)).toBe('xtriage phaser autosol refine molprobity');
    expect(argvOf(session, 'phenix.autosol').join(' ')).toMatch(/partpdb_file=\S*PHASER/);
    expect(session.status).toBe('completed');
  });

  it('cryo-EM prediction and building into the map', async () => {
    const sequence = known('in_map', cryoem('seq.fasta'), cryoem('start_shaken.pdb'));
    const settings = ['--set', 'resolution=3'];
    const session = await solved('phenix.predict_and_build', ...settings, cryoem('full_map.ccp4'), sequence);
    expect(short(session)).toBe('mtriage predict_and_build real_space_refine validation_cryoem molprobity');
    expect(seriesOf(session, 'phenix.real_space_refine', 'map_cc')[0]).toBeGreaterThan(0.8);
    expect([session.status, session.stop?.reason]).toEqual(['completed', 'converged']);
  });

  it('cryo-EM half maps are improved, and the open refinement takes the half maps, which no modification flatters', async () => {
    const maps = [cryoem('half_map_1.ccp4'), cryoem('half_map_2.ccp4')];
    const session = await solved('phenix.resolve_cryo_em', ...maps, cryoem('seq.fasta'), cryoem('start_shaken.pdb'));
    expect(short(session)).toBe(
      'mtriage resolve_cryo_em map_correlations real_space_refine validation_cryoem molprobity',
    );
    expect(simulatedPrograms(session)).toEqual(['phenix.resolve_cryo_em']);
    const refined = argvOf(session, 'phenix.real_space_refine').join(' ');
    expect(refined).toContain('half_map_1.ccp4');
    expect(refined).not.toContain('denmod_map.ccp4');
    expect([session.status, session.stop?.reason]).toEqual(['completed', 'converged']);
  });
});
