import type { CycleRecord, SessionSteering } from '@fleet/contracts';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  argvOf,
  aSession,
  dataFile,
  mapFile,
  modelFile,
  sequenceFile,
  usualRuns,
  walkBench,
  words,
} from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: usualRuns });

const files = [dataFile(), modelFile()];
const failed = (program: string, summary: string, cycle = 1): CycleRecord =>
  aCycle({
    cycle,
    decision: aDecision({ program: `phenix.${program}`, argv: [`phenix.${program}`, `/data/try_${cycle}.mtz`] }),
    result: aResult({ outcome: 'failed', summary, errorLines: [summary] }),
  });
const steered = (steering: SessionSteering, cycles: readonly CycleRecord[], inputs = files) =>
  bench.decide(aSession({ cycle: cycles.length + 1, cycles, request: aRequest({ inputs, steering }) }));

describe('new advice on a finished session', () => {
  const finish = () => bench.walk(files);

  it('steps back to validation for one cycle, then the session ends as before', async () => {
    const first = await finish();
    expect(words(first)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    const from = first.session.cycles;
    const resumed = await bench.walk(files, {}, { from, steering: { adviceChangedAfter: from.length } });
    expect(words(resumed)).toBe('model_vs_data STOP converged');
  });

  it('ends at once without it', async () => {
    const { session } = await finish();
    expect(words(await bench.walk(files, {}, { from: session.cycles }))).toBe('STOP converged');
  });

  it('runs polder again for another residue, though it has run before', async () => {
    const asked = (selection: string) => ({ program_settings: { 'phenix.polder': { selection } } });
    const start = { stop_conditions: { start_with_program: 'phenix.polder' } };
    const first = await bench.walk(files, {}, { directives: { ...asked('chain A and resseq 7'), ...start } });
    const from = first.session.cycles;
    const resumed = await bench.walk(
      files,
      {},
      {
        from,
        directives: asked('chain B and resseq 100'),
        steering: { adviceChangedAfter: from.length },
      },
    );
    expect(words(resumed)).toBe('polder STOP converged');
    expect(argvOf(resumed, 'polder', 1).at(-1)).toBe('selection="chain B and resseq 100"');
  });

  it('lasts until a cycle has worked', async () => {
    const { session } = await finish();
    const resumed = await bench.walk(
      files,
      { model_vs_data: [{ fails: 'Sorry: no' }], map_correlations: [{ fails: 'Sorry: no' }] },
      { from: session.cycles, steering: { adviceChangedAfter: session.cycles.length } },
    );
    expect(words(resumed)).toBe('model_vs_data map_correlations STOP converged');
    const again = await bench.walk(
      files,
      {},
      {
        from: resumed.session.cycles,
        steering: { adviceChangedAfter: session.cycles.length },
        directives: { program_settings: { 'phenix.polder': { selection: 'chain A' } } },
      },
    );
    expect(again.programs[0]).toBe('polder');
  });

  it('suspends no limit of cycles', async () => {
    const { session } = await finish();
    const resumed = await bench.walk(
      files,
      {},
      {
        from: session.cycles,
        steering: { adviceChangedAfter: session.cycles.length },
        settings: { max_cycles: session.cycles.length + 1 },
      },
    );
    expect(resumed.session.cycles).toHaveLength(session.cycles.length + 1);
  });

  it('steps back in cryo-EM too', async () => {
    const inputs = [mapFile('/data/map.ccp4'), modelFile()];
    const map_correlations = [{ metrics: { cc_mask: 0.8 } }];
    const refined = { metrics: { map_cc: 0.81 }, outputs: [modelFile('/w/rsr_001_real_space_refined_000.pdb')] };
    const first = await bench.walk(inputs, { map_correlations, real_space_refine: [refined] });
    expect(first.stop.reason).toBe('converged');
    const from = first.session.cycles;
    const steering = { adviceChangedAfter: from.length };
    expect(words(await bench.walk(inputs, { map_correlations }, { from, steering }))).toBe(
      'map_correlations STOP converged',
    );
  });
});

describe('a program that is to run again', () => {
  const labels = 'Sorry: Multiple equally suitable arrays of observed xray data found';
  const strategy = {
    file: '/data/data.mtz',
    programs: ['phenix.xtriage'],
    set: { 'scaling.input.xray_data.obs_labels': 'IMEAN_X' },
    why: 'ambiguous labels',
  };

  it('runs once more in spite of its failures, with what was found out about its file', async () => {
    const cycles = [failed('xtriage', labels, 1), failed('xtriage', labels, 2)];
    const without = await steered({}, cycles);
    expect('stop' in without && without.stop.reason).toBe('program_failed');
    const retry = { program: 'phenix.xtriage', after: 2 };
    const outcome = await steered({ retry, recoveries: [strategy] }, cycles);
    expect('decision' in outcome && outcome.decision.argv).toContain('scaling.input.xray_data.obs_labels=IMEAN_X');
    expect(outcome.events.map(({ type, message }) => `${type} ${message}`)).toContainEqual(
      expect.stringMatching(/^directive_applied phenix\.xtriage: the client asked for another run/),
    );
  });

  it('is not forced a second time', async () => {
    const cycles = [failed('xtriage', labels, 1), failed('xtriage', labels, 2), failed('xtriage', labels, 3)];
    const outcome = await steered({ retry: { program: 'phenix.xtriage', after: 2 } }, cycles);
    expect('stop' in outcome && outcome.stop.reason).toBe('program_failed');
  });

  it.each([
    ['another file', { ...strategy, file: '/data/other.mtz' }],
    ['another program', { ...strategy, programs: ['phenix.refine'] }],
  ])('takes nothing that was found out about %s', async (_name, recovery) => {
    const outcome = await steered({ recoveries: [recovery] }, []);
    expect('decision' in outcome && outcome.decision.argv.join(' ')).not.toContain('IMEAN_X');
  });

  it('rejects a parameter that the program does not have, visibly', async () => {
    const outcome = await steered({ recoveries: [{ ...strategy, set: { 'no.such': 'x' } }] }, []);
    expect(outcome.events.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('"no.such" is left out'),
    );
  });
});

describe('what a session may no longer do', () => {
  it('a blocked program is not a choice and counts as not done', async () => {
    const done = aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) });
    const outcome = await steered({ blocked: ['phenix.predict_and_build'] }, [done], [dataFile(), sequenceFile()]);
    expect('stop' in outcome && outcome.stop.detail).toContain('phenix.predict_and_build: blocked for this session');
  });

  it('a refused parameter stays away, whether a rule or a default would write it', async () => {
    const done = aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) });
    const inputs = [dataFile(), sequenceFile()];
    const argv = async (refused: readonly string[]): Promise<readonly string[]> => {
      const outcome = await steered({ refused: { 'phenix.predict_and_build': refused } }, [done], inputs);
      return 'decision' in outcome ? outcome.decision.argv : [];
    };
    expect(await argv([])).toContain('control.nproc=4');
    expect((await argv(['nproc'])).join(' ')).not.toContain('nproc');
    expect((await argv(['crystal_info.resolution'])).join(' ')).not.toContain('resolution');
  });
});

describe('best files as stated', () => {
  const done = aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) });
  const placed = { workflow_preferences: { model_is_placed: true } };
  const models = [dataFile(), modelFile('/data/one.pdb'), modelFile('/data/two.pdb')];
  const modelTaken = async (bestFiles: SessionSteering['bestFiles']): Promise<string | undefined> => {
    const request = aRequest({ inputs: models, directives: placed, steering: { bestFiles: bestFiles ?? {} } });
    const outcome = await bench.decide(aSession({ cycle: 2, cycles: [done], request }));
    return 'decision' in outcome
      ? outcome.decision.inputs.find(({ slot }) => slot === 'model')?.path
      : outcome.stop.detail;
  };

  it('come before the best by our own score', async () => {
    expect(await modelTaken({ model: ['/data/one.pdb'] })).toBe('/data/one.pdb');
    expect(await modelTaken({ model: ['/data/two.pdb'] })).toBe('/data/two.pdb');
    expect(await modelTaken({ model: ['/gone/three.pdb'] })).toBe(await modelTaken({}));
  });

  it('may be lists: both half maps of the stated pair', async () => {
    const maps = ['a_half_map_1', 'a_half_map_2', 'b_half_map_1', 'b_half_map_2'].map((name) =>
      mapFile(`/data/${name}.ccp4`),
    );
    const half_map = ['/data/a_half_map_1.ccp4', '/data/a_half_map_2.ccp4'];
    const request = aRequest({ inputs: maps, steering: { bestFiles: { half_map } } });
    const outcome = await bench.decide(aSession({ request }));
    expect('decision' in outcome && outcome.decision.argv).toEqual([
      'phenix.mtriage',
      ...half_map.map((m) => `half_map=${m}`),
    ]);
  });

  it('are no way around what a slot excludes', async () => {
    const fit = modelFile('/data/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] });
    const steering = { bestFiles: { model: [fit.path] } };
    const request = aRequest({ inputs: [...models, fit], directives: placed, steering });
    const outcome = await bench.decide(aSession({ cycle: 2, cycles: [done], request }));
    expect('decision' in outcome && outcome.decision.argv).not.toContain(fit.path);
  });
});
