import type { CycleRecord, SessionSteering } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  mapFile,
  modelFile,
  sequenceFile,
  usualRuns,
  walkBench,
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

describe('a program that the client retries', () => {
  const labels = 'Sorry: Multiple equally suitable arrays of observed xray data found';
  const strategy = {
    file: '/data/data.mtz',
    programs: ['phenix.xtriage'],
    set: { 'scaling.input.xray_data.obs_labels': 'IMEAN_X' },
    why: 'ambiguous labels',
  };

  it("runs once more in spite of its failures, with the client's findings about its file", async () => {
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
  ])('ignores the findings about %s', async (_name, recovery) => {
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

describe('exclusions by the client', () => {
  it('a blocked program is not a choice and counts as not done', async () => {
    const done = aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) });
    const outcome = await steered({ blocked: ['phenix.predict_and_build'] }, [done], [dataFile(), sequenceFile()]);
    expect('stop' in outcome && outcome.stop.detail).toContain('phenix.predict_and_build: blocked for this session');
  });

  it('a refused parameter is never written, by a rule or by default', async () => {
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

describe('best files of the client', () => {
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

  it("override the service's own score", async () => {
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

  it('cannot bypass the exclusions of a slot', async () => {
    const fit = modelFile('/data/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] });
    const steering = { bestFiles: { model: [fit.path] } };
    const request = aRequest({ inputs: [...models, fit], directives: placed, steering });
    const outcome = await bench.decide(aSession({ cycle: 2, cycles: [done], request }));
    expect('decision' in outcome && outcome.decision.argv).not.toContain(fit.path);
  });
});
