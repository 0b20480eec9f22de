import { rmSync } from 'node:fs';
import { testData } from './standalone';
import { argvOf, programsOf, simulatedPrograms } from './outcome';
import { useInstallation } from './use-installation';

const rnase = (name: string): string => testData('synth_native_rnase', name);

/**
 * A scripted stand-in, requested by name, among real programs. It presents the model beside the sequence, so that the real program after it
 * has something to work on. simulated-sessions.long-spec.ts has all workflows with stand-ins, and libs/application/decision-graph their sequences.
 */
describe('a session with a simulated program', () => {
  const { standalone, inputs, watched } = useInstallation();

  it('predicts and builds, does so again where its product was deleted, is validated, and its results say SIMULATED', async () => {
    inputs.copy(rnase('start_shaken_nowater.pdb'), 'rnase.simulated.pdb');
    const sequence = inputs.copy(rnase('seq.fasta'), 'rnase.fasta');
    const stop = inputs.write('stop.yaml', 'stop_conditions: { after_program: phenix.predict_and_build }');
    const stopped = ['--set', 'simulated_programs=phenix.predict_and_build', '--directives', stop];
    const id = await standalone.submit(...stopped, rnase('data.mtz'), sequence);
    const built = (await watched(id)).cycles[1]?.result?.outputs ?? [];
    for (const { path } of built.filter(({ facts }) => facts.format === 'pdb')) rmSync(path);

    const onward = inputs.write('onward.yaml', 'stop_conditions: { max_refine_cycles: 1 }');
    expect((await standalone.phx('resume', id, '--directives', onward)).code).toBe(0);
    const session = await watched(id);
    // Its own refinement is the one that was allowed, so nothing is refined after it.
    expect(programsOf(session)).toEqual([
      'phenix.xtriage',
      'phenix.predict_and_build',
      'phenix.predict_and_build',
      'phenix.molprobity',
    ]);
    expect(simulatedPrograms(session)).toEqual(['phenix.predict_and_build', 'phenix.predict_and_build']);
    expect(argvOf(session, 'phenix.molprobity').join(' ')).toContain('overall_best.pdb');
    // The model that it presents is shaken: whatever R-free it reports, the geometry is that of no structure.
    expect(session.stop).toMatchObject({
      reason: 'unsatisfactory',
      detail: expect.stringContaining('Ramachandran favoured') as unknown,
    });
    expect((await standalone.phx('watch', id)).stdout).toContain('no longer on the disk');
    expect((await standalone.phx('results', id)).stdout).toMatch(
      /\*\*SIMULATED\*\*: cycles? [23].*phenix\.predict_and_build/,
    );
  });
});
