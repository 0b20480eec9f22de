import type { SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  argvOf,
  aRequest,
  aResult,
  aSession,
  dataFile,
  mapFile,
  modelFile,
  refinements,
  sequenceFile,
  walkBench,
  words,
  type FakeRun,
  type FakeRuns,
} from '@fleet/testing';

const runs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.1 } }],
  model_vs_data: [{ metrics: { r_work: 0.43, r_free: 0.47 } }],
  phaser: [{ outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  refine: refinements(0.25),
};

const bench = walkBench({ runs, installed: 'all' });
const { walk, decide } = bench;

const ambiguous: FakeRun = {
  fails: 'The reflection file holds several arrays of observations.',
  errorLines: [
    'Multiple equally suitable arrays of observed xray data found.',
    'Possible choices:',
    '  /data/data.mtz:I(+),SIGI(+),I(-),SIGI(-)',
    '  /data/data.mtz:IMEAN,SIGIMEAN',
    'Please use scaling.input.xray_data.obs_labels',
  ],
};

describe('recoverable errors', () => {
  it('ambiguous labels: the same program again with the main label of the pairs, if it uses the anomalous signal', async () => {
    const walked = await walk([dataFile(), modelFile()], { xtriage: [ambiguous, { metrics: { resolution: 2.1 } }] });
    expect(walked.programs.slice(0, 3)).toEqual(['xtriage', 'xtriage', 'model_vs_data']);
    expect(argvOf(walked, 'xtriage', 1)).toContain('scaling.input.xray_data.obs_labels=I(+)');
  });

  it('ambiguous labels: merged data for a refinement, whatever the advice says', async () => {
    const good = refinements(0.25);
    const refine: FakeRuns['refine'] = (decision, cycle) =>
      cycle === 3 || typeof good !== 'function' ? ambiguous : good(decision, cycle);
    const walked = await walk([dataFile(), modelFile()], { refine }, { advice: 'solved by SAD' });
    expect(argvOf(walked, 'refine', 1)).toContain('miller_array.labels.name=IMEAN');
  });

  it('reports the correction of the next run', async () => {
    const cycles = [
      aCycle({
        decision: aDecision({ program: 'phenix.xtriage' }),
        result: aResult({ outcome: 'failed', summary: 'no', errorLines: ambiguous.errorLines ?? [] }),
      }),
    ];
    const session = aSession({ cycle: 2, cycles, request: aRequest({ inputs: [dataFile()] }) });
    const { events } = await decide(session);
    expect(events.filter(({ message }) => message.includes('uses the array I(+)'))).toHaveLength(1);
  });

  it.each([
    ['solve it by SAD', 'I(+)'],
    ['a sadly weak crystal', 'IMEAN'],
  ])("the submitter's advice decides for a program that accepts either: %s", async (advice, label) => {
    const changes = { model_vs_data: [ambiguous, { metrics: { r_free: 0.3 } }] };
    const walked = await walk([dataFile(), modelFile()], changes, { advice });
    expect(argvOf(walked, 'model_vs_data', 1).at(-1)).toBe(`f_obs_label=${label}`);
  });

  it('ambiguous phases: standard coefficients for refinement', async () => {
    const phases: FakeRun = {
      fails: 'several sets of phases',
      errorLines: [
        'Multiple equally suitable arrays of experimental phases found.',
        '  /data/data.mtz:HLanomA,HLanomB,HLanomC,HLanomD',
        '  /data/data.mtz:HLAM,HLBM,HLCM,HLDM',
      ],
    };
    const good = refinements(0.25);
    let count = 0;
    const walked = await walk([dataFile(), modelFile()], {
      refine: (decision, cycle) => {
        count += 1;
        return count === 1 || typeof good !== 'function' ? phases : good(decision, cycle);
      },
    });
    const again = argvOf(walked, 'refine', 1);
    expect(again).toContain('experimental_phases.labels=HLAM,HLBM,HLCM,HLDM');
    expect(again.filter((token) => token.includes('miller_array.labels'))).toEqual(
      argvOf(walked, 'refine').filter((token) => token.includes('miller_array.labels')),
    );
    expect(walked.stop.reason).toBe('converged');
  });

  it('ambiguous phases: no other data for a program that has no parameter for them', async () => {
    const phases: FakeRun = {
      fails: 'several sets of phases',
      errorLines: [
        'Multiple equally suitable arrays of experimental phases found.',
        '  /data/data.mtz:HLanomA,HLanomB,HLanomC,HLanomD',
        '  /data/data.mtz:HLAM,HLBM,HLCM,HLDM',
      ],
    };
    const walked = await walk([dataFile(), modelFile()], { xtriage: [phases] });
    const commands = walked.session.cycles.map(({ decision }) => decision.argv.join(' '));
    expect(commands.filter((command) => command.includes('HL'))).toEqual([]);
    expect(argvOf(walked, 'xtriage', 1)).toEqual([]);
    expect(walked.session.cycles[0]?.result?.outcome).toBe('failed');
  });

  it('the retry budget: a recurring error stops the session with its cause', async () => {
    const walked = await walk([dataFile(), modelFile()], { xtriage: [ambiguous] });
    expect(walked.stop.reason).toBe('program_failed');
    expect(walked.session.cycles.length).toBeLessThanOrEqual(4);
  });

  it('coefficients without phases: retried without them', async () => {
    const hl: FakeRun = { fails: 'Sorry', errorLines: ['Please specify PHIB and HL coeffs or neither'] };
    const signal = [{ metrics: { resolution: 2.2, anomalous_measurability: 0.18 } }];
    const walked = await walk([dataFile(), sequenceFile()], {
      xtriage: signal,
      autosol: [{ outputs: [modelFile('/work/s/overall_best.pdb')] }],
      autobuild: [hl, { outputs: [modelFile('/work/a/overall_best.pdb')] }],
    });
    expect(words(walked)).toBe('xtriage autosol autobuild autobuild refine refine molprobity STOP converged');
    expect(argvOf(walked, 'autobuild', 1)).toContain('use_hl_if_present=False');
  });

  it('missing free flags: the refinement generates them', async () => {
    const none: FakeRun = { fails: 'Sorry', errorLines: ['No array of R-free flags found.'] };
    const bare: SessionFile = { ...dataFile(), path: '/data/data.sca', facts: { format: 'scalepack' } };
    const good = refinements(0.25);
    let count = 0;
    const walked = await walk([bare, modelFile()], {
      refine: (decision, cycle) => {
        count += 1;
        return count === 1 || typeof good !== 'function' ? none : good(decision, cycle);
      },
    });
    expect(argvOf(walked, 'refine', 1)).toContain('xray_data.r_free_flags.generate=True');
  });
});

describe('a missing output', () => {
  const halves = [mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4'), sequenceFile()];
  const done = (program: string, cycle: number): ReturnType<typeof aCycle> =>
    aCycle({
      cycle,
      decision: aDecision({ program, experimentType: 'cryoem', inputs: [] }),
      result: aResult({ metrics: { resolution: 3.2 } }),
    });

  it('clears the done flag with one event, and the program runs again', async () => {
    const cycles = [done('phenix.mtriage', 1), done('phenix.resolve_cryo_em', 2)];
    const session = aSession({ cycle: 3, cycles, request: aRequest({ inputs: halves }) });
    const outcome = await decide(session);
    expect('decision' in outcome && outcome.decision.program).toBe('phenix.resolve_cryo_em');
    const doneFlagEvents = outcome.events.filter(({ message }) => message.includes('resolve_cryo_em_done'));
    expect(doneFlagEvents).toHaveLength(1);
  });

  it('is detected if the disk was checked', async () => {
    const made = { ...mapFile('/work/v/denmod_map.ccp4'), cycle: 2, program: 'phenix.resolve_cryo_em' };
    const resolved = { ...done('phenix.resolve_cryo_em', 2), result: aResult({ outputs: [made] }) };
    const session = aSession({
      cycle: 3,
      cycles: [done('phenix.mtriage', 1), resolved],
      request: aRequest({ inputs: halves }),
    });
    const input = { session, catalogue: bench.catalogue, now: '' };
    const [there, gone] = await Promise.all([
      bench.graph.decide(input),
      bench.graph.decide({ ...input, missing: new Set([made.path]) }),
    ]);
    expect('decision' in there && there.decision.program).toBe('phenix.predict_and_build');
    expect('decision' in gone && gone.decision.program).toBe('phenix.resolve_cryo_em');
  });
});

describe('sanity issues', () => {
  const failing = (): readonly ReturnType<typeof aCycle>[] => [
    aCycle({ cycle: 1, decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({}) }),
    ...[2, 3, 4, 5].map((cycle) =>
      aCycle({ cycle, result: aResult({ outcome: 'failed', summary: 'no', errorLines: ['Sorry: bad input'] }) }),
    ),
  ];

  it.each([
    [true, 'red_flag'],
    [false, 'not red_flag'],
  ])('repeated failures with abort_on_red_flags %p', async (abort_on_red_flags, expected) => {
    const request = aRequest({ inputs: [dataFile(), modelFile()] });
    const session = aSession({
      cycle: 6,
      cycles: failing(),
      request: { ...request, settings: { ...request.settings, abort_on_red_flags } },
    });
    const outcome = await decide(session);
    const flagged = 'stop' in outcome && outcome.stop.reason === 'red_flag';
    expect(flagged ? 'red_flag' : 'not red_flag').toBe(expected);
    expect(outcome.events.map(({ type }) => type)).toContain('sanity_check');
  });

  it('a spike of R-free stops only if abort_on_warnings is set', async () => {
    const spike = { refine: refinements(0.32, 0.48, 0.28) };
    const stopped = await walk([dataFile(), modelFile()], spike, { settings: { abort_on_warnings: true } });
    expect(words(stopped)).toBe('xtriage model_vs_data refine refine STOP red_flag');
    expect((await walk([dataFile(), modelFile()], spike)).stop.reason).not.toBe('red_flag');
  });
});
