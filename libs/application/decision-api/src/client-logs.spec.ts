import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ranBefore as run, v2Bench, type RequestPart as Part } from '@fleet/testing';
import type { DecideResponse } from './response/decide-response';

const bench = v2Bench();
const fixtures = join(__dirname, '../../../domain/log-parsing/src/fixtures');
const logged = (name: string): string => readFileSync(join(fixtures, `${name}.log`), 'utf8');

const xtriage = run('xtriage', { resolution: 2 });
const phaser = run('phaser', { tfz: 20, llg: 900 }, ['/d/PHASER.1.pdb']);
const anomalous = run('xtriage', { resolution: 2, anomalous_measurability: 0.2 });
const files = ['/d/data.mtz', '/d/seq.fa'];

const ask = (history: readonly Part[], change: Part = {}): Promise<DecideResponse> => {
  const written = history.flatMap(({ output_files }) => (output_files ?? []) as readonly string[]);
  return bench.ask([...files, ...written], history, change);
};

/** Checks every recovery with a log of the error, from its first line to its last. */
describe('a program is retried as its log requires', () => {
  const failed = (program: string): Part => ({ ...run(program, {}), result: 'FAILED: exit code 1' });

  const wanting = (program: string): Part => ({
    session_state: { directives: { stop_conditions: { after_program: program } } },
  });

  it.each<[string, string, readonly Part[], string]>([
    ['hl_without_phib', 'autobuild_hl_without_phib', [xtriage, phaser, failed('autobuild')], 'sets use_hl_if_present'],
    ['missing_phib', 'autobuild_missing_phib', [xtriage, phaser, failed('autobuild')], 'leaves out map_coeffs'],
    ['ambiguous_data_labels', 'autosol_ambiguous', [anomalous, failed('autosol')], 'uses the array I_CuKa(+)'],
    [
      'ambiguous_data_labels',
      'autosol_ambiguous_wavelengths',
      [anomalous, failed('autosol')],
      'uses the array I_peak(+)',
    ],
    [
      'ambiguous_experimental_phases',
      'refine_ambiguous_phases',
      [xtriage, phaser, failed('refine')],
      'uses the array HLAM,HLBM,HLCM,HLDM',
    ],
    [
      'rfree_flags_mismatch',
      'refine_flags_mismatch',
      [xtriage, phaser, failed('refine')],
      'leaves out generate_rfree_flags',
    ],
    ['rfree_flags_missing', 'refine_flags_missing', [xtriage, phaser, failed('refine')], 'sets generate_rfree_flags'],
    ['unknown_parameter', 'refine_unknown_parameter', [xtriage, phaser, failed('refine')], 'leaves out nosuch.scope'],
    ['ambiguous_parameter', 'refine_ambiguous_parameter', [xtriage, phaser, failed('refine')], 'leaves out twin_law'],
    [
      'unknown_parameter',
      'polder_unknown_parameters',
      [xtriage, phaser, failed('polder')],
      'leaves out nosuch.scope, obs_labels',
    ],
  ])('%s', async (id, log, history, what) => {
    const { debug } = await ask(history, { ...wanting(`phenix.${log.split('_')[0] ?? ''}`), log_content: logged(log) });
    expect(debug.log.join('\n')).toContain(`${id} in cycle ${String(history.length)}: the next run ${what}`);
  });

  it.each(['', 'SUCCESS: Command completed without errors'])('whatever its result says: %j', async (result) => {
    const history = [xtriage, phaser, { ...failed('refine'), result }];
    const { debug } = await ask(history, { log_content: logged('refine_unknown_parameter') });
    expect(debug.log.join('\n')).toContain('leaves out nosuch.scope');
  });

  it('names the anomalous array to AutoSol', async () => {
    const { decision } = await ask([anomalous, failed('autosol')], { log_content: logged('autosol_ambiguous') });
    expect(decision.argv).toContain('autosol.input.xray_data.obs_labels=I_CuKa(+)');
  });
});

describe('molecular replacement in logs of clients', () => {
  const searched = { ...run('phaser', {}, ['/d/PHASER.1.pdb']), result: 'SUCCESS: Command completed without errors' };
  const placed = async (log_content: string, change: Part = {}): Promise<DecideResponse> =>
    ask([xtriage, { ...searched, ...change }], { log_content });

  it.each(['both_hands', 'two_lobes', 'two_lobes_short', 'phaser_partial'])(
    'continues with the first solution: %s',
    async (log) => {
      expect((await placed(logged(log))).decision.program).toBe('phenix.refine');
    },
  );

  it('continues with placed models even if the client calls it a failure', async () => {
    const result = 'FAILED: ** Sorry - No solution with all components';
    expect((await placed(logged('phaser_partial'), { result })).decision.program).toBe('phenix.refine');
  });

  it.each([
    ['its log', logged('phaser_none'), {}],
    ['a line of it', '** There were 0 solutions\nTFZ=5.1\n', {}],
    ['its other words', 'TFZ=5.1 LLG=12\nNo solutions found\n', {}],
    ['its result', '', { result: 'SUCCESS: ** There were 0 solutions' }],
  ])('has no placement without a solution: %s', async (_, log, change) => {
    const { decision, debug } = await placed(log, { ...change, output_files: [] });
    expect(decision.program).not.toBe('phenix.refine');
    expect(debug.log.join('\n')).not.toContain('xray_has_model');
  });
});

describe('a log shows that its program failed, whatever the result says', () => {
  const refined = run('refine', { r_free: 0.25, r_work: 0.2 }, ['/d/refine_001_001.pdb']);
  const success = 'SUCCESS: Command completed without errors';
  const counted = async (log_content: string, result = success): Promise<boolean> => {
    const { debug } = await ask([xtriage, phaser, { ...refined, result }], { log_content });
    return debug.log.join('\n').includes('xray_refined');
  };

  it.each([
    'Segmentation fault',
    'Segmentation fault (core dumped)',
    'Sorry, the model has no atoms.',
    'Sorry: the model has no atoms.',
    'Sorry: Stopping as model is entirely outside map and wrapping=False',
    'Stopping as model is outside map',
    'Ambiguous parameter definition: twin_law = -h,-k,l',
  ])('%s', async (line) => {
    expect(await counted(`Start R-work = 0.3, R-free = 0.35\n${line}\n`)).toBe(false);
  });

  it('if it ends early and nothing else indicates success', async () => {
    const begun = 'Starting phenix.refine\non Fri Jun 19 15:15:08 2026 by user\nStart R-work = 0.3, R-free = 0.35\n';
    expect(await counted(begun, '')).toBe(false);
    expect(await counted(`${begun}Final R-work = 0.2, R-free = 0.25\nJob complete\n`, '')).toBe(true);
    expect(await counted(begun)).toBe(true);
  });
});
