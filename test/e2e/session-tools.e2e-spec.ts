import { rmSync } from 'node:fs';
import { testData } from './standalone';
import { argvOf, outcomeOf, programsOf } from './outcome';
import { useInstallation } from './use-installation';

const tiny = [testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb')];

/** Requests of a user to a session, with real workers and programs. */
describe('directives, resume, remove-last and fork', () => {
  const { standalone, inputs, watched } = useInstallation();

  // Refinement continues while it gains, up to its limit.
  const refined = Array<string>(3).fill('phenix.refine');

  it('stop after a program, leave one out, set a parameter; then continue, go back, continue again, and fork', async () => {
    const directives = inputs.write(
      'directives.yaml',
      `stop_conditions: { after_program: phenix.refine }
workflow_preferences: { skip_programs: [phenix.model_vs_data] }
program_settings:
  phenix.refine: { cycles: 1 }
`,
    );
    const id = await standalone.submit('--directives', directives, ...tiny);
    const stopped = await watched(id);
    expect(programsOf(stopped)).toEqual(['phenix.xtriage', 'phenix.refine']);
    expect(argvOf(stopped, 'phenix.refine')).toContain('main.number_of_macro_cycles=1');
    expect(stopped.stop?.reason).toBe('goal_reached');

    const only = inputs.write('only.yaml', 'workflow_preferences: { skip_programs: [phenix.model_vs_data] }');
    expect((await standalone.phx('resume', id, '--directives', only)).code).toBe(0);
    const ended = await watched(id);
    expect(programsOf(ended)).toEqual(['phenix.xtriage', ...refined, 'phenix.molprobity']);
    expect(ended.stop?.reason).toBe('converged');

    expect((await standalone.phx('remove-last', id, '1')).code).toBe(0);
    const shorter = await outcomeOf(standalone, id);
    expect([programsOf(shorter), shorter.stop?.reason]).toEqual([['phenix.xtriage', ...refined], 'cycles_removed']);
    expect((await standalone.phx('results', id)).stdout).not.toContain('molprobity');

    expect((await standalone.phx('resume', id)).code).toBe(0);
    const again = await watched(id);
    const cycles = [
      '1 phenix.xtriage',
      ...refined.map((name, at) => `${String(at + 2)} ${name}`),
      '6 phenix.molprobity',
    ];
    expect(again.cycles.map(({ cycle, decision }) => `${String(cycle)} ${decision.program}`)).toEqual(cycles);
    expect([again.status, again.stop?.reason]).toEqual(['completed', 'converged']);

    const [forkId = ''] = (await standalone.phx('fork', id, '2', '--title', 'a fork')).stdout.split('\n');
    expect((await outcomeOf(standalone, id)).version).toBe(again.version);
    rmSync(again.folder, { recursive: true });
    const fork = await watched(forkId);
    expect(programsOf(fork)).toEqual(programsOf(again));
    expect(fork.cycles[2]?.decision.argv.join(' ')).toContain(`${fork.folder}/c002-refine/`);
    expect([fork.status, fork.stop?.reason]).toEqual(['completed', 'converged']);
  });

  it('start with a program, then the workflow continues until the cycle that was named', async () => {
    const directives = inputs.write(
      'start.json',
      JSON.stringify({ stop_conditions: { start_with_program: 'phenix.model_vs_data', after_cycle: 2 } }),
    );
    const session = await watched(await standalone.submit('--directives', directives, ...tiny));
    expect(programsOf(session)).toEqual(['phenix.model_vs_data', 'phenix.xtriage']);
    expect(session.stop?.reason).toBe('goal_reached');
  });
});
