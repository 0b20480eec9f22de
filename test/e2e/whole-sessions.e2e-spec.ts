import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@fleet/contracts/sessions';
import { testData } from './standalone';
import { argvOf, isSimulated, outcomeOf, programsOf, seriesOf, wordsOf } from './outcome';
import { useInstallation } from './use-installation';

/** Few cycles: the way matters here, not the last percent. */
const quick = `
stop_conditions: { max_refine_cycles: 1 }
program_settings:
  phenix.real_space_refine: { macro_cycles: 1 }
`;

/** Sequences of programs as the agent's workflows (phenix-agent.md#states) have them, on real programs; whole-sessions.long-spec.ts has more. */
describe('workflows on real programs from files to STOP', () => {
  const { standalone, inputs, watched } = useInstallation();

  const solved = async (...args: string[]): Promise<Session> =>
    watched(await standalone.submit('--directives', inputs.write('quick.yaml', quick), ...args));

  it('twinned data: the twin law that was found goes into the refinement, which is cancelled', async () => {
    const id = await standalone.submit(testData('il1b_1l2h_twin', '1l2h.mtz'), testData('il1b_1l2h_twin', '1l2h.pdb'));
    const refines = async (): Promise<boolean> => programsOf(await outcomeOf(standalone, id)).includes('phenix.refine');
    while (!(await refines())) await sleep(500);
    // It takes minutes; whole-sessions.long-spec.ts waits for its R-free.
    expect((await standalone.phx('cancel', id, '--wait')).code).toBe(0);
    const session = await outcomeOf(standalone, id);
    expect(programsOf(session)).toEqual(['phenix.xtriage', 'phenix.model_vs_data', 'phenix.refine']);
    expect(wordsOf(session, 'phenix.xtriage', 'twin_law')).toEqual(['h,-k,-l']);
    expect(argvOf(session, 'phenix.refine').join(' ')).toContain('twin_law=h,-k,-l');
    expect([session.status, isSimulated(session)]).toEqual(['cancelled', false]);
  });

  it('cryo-EM: a model that lies elsewhere is docked, refined and validated', async () => {
    const map = testData('synth_cryoem_rnase_3A', 'full_map.ccp4');
    const model = inputs.moved(testData('synth_cryoem_rnase_3A', 'true_model.pdb'), 'moved.pdb');
    const session = await solved('--set', 'resolution=3', map, model);
    expect(programsOf(session)).toEqual([
      'phenix.mtriage',
      'phenix.map_correlations',
      'phenix.dock_in_map',
      'phenix.real_space_refine',
      'phenix.validation_cryoem',
      'phenix.molprobity',
    ]);
    expect(seriesOf(session, 'phenix.real_space_refine', 'map_cc')[0]).toBeGreaterThan(0.8);
    expect([session.status, session.stop?.reason, isSimulated(session)]).toEqual(['completed', 'converged', false]);
  });
});
