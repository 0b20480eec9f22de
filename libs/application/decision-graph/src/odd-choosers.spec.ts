import type { Session, SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aResult,
  argvOf,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  usualRuns,
  walkBench,
  withOutputs,
  words,
  type Walk,
} from '@fleet/testing';
import type { DecisionOutcome, UndatedDecision } from './decision-types';
import type { Chooser } from './index';

const bench = walkBench({ installed: 'all', runs: usualRuns });

const decisionOf = (outcome: DecisionOutcome): UndatedDecision => {
  if (!('decision' in outcome)) throw new Error(outcome.stop.detail);
  return outcome.decision;
};

/** A finished session of a model with a ligand, with new advice. */
const followedUp = ({ session }: Walk, more: readonly UndatedDecision[] = []): Session => {
  const done = session.cycles.at(-1)?.cycle ?? 0;
  const cycles = [
    ...session.cycles,
    ...more.map((decision, index) =>
      aCycle({
        cycle: done + index + 1,
        decision: { ...decision, decidedAt: '2026-11-21T08:00:00.000Z' },
        result: aResult(),
      }),
    ),
  ];
  const last = done + more.length;
  return {
    ...session,
    cycle: last + 1,
    cycles,
    request: { ...session.request, steering: { adviceChangedAfter: last } },
  };
};

const withLigand = (file: SessionFile): SessionFile =>
  file.facts.model === undefined
    ? file
    : { ...file, facts: { ...file.facts, model: { ...file.facts.model, ligandCodes: ['NUT'] } } };

const finished = (): Promise<Walk> =>
  bench.walk([dataFile(), modelFile('/data/model.pdb', { ligandCodes: ['NUT'] })], {
    refine: withOutputs(refinements(0.24), withLigand),
  });

const insistOn =
  (program: string): Chooser =>
  () => ({ program, reasoning: 'I want it', strategy: {} });

describe('a program that is not offered', () => {
  it('is replaced with the first one offered, visibly, with medium confidence', async () => {
    const session: Session = { ...(await finished()).session, cycle: 1, cycles: [] };
    const outcome = await bench.decide(session, insistOn('phenix.phaser'));
    const decision = decisionOf(outcome);
    expect(decision).toMatchObject({ program: 'phenix.xtriage', decidedBy: 'rules', confidence: 'medium' });
    expect(decision.argv.slice(0, 2)).toEqual(['phenix.xtriage', '/data/data.mtz']);
    expect(decision.reasoning).toMatch(/^phenix\.phaser was chosen but is not offered now\. /);
    expect(outcome.events.map(({ type, message }) => `${type}: ${message}`)).toContain(
      'program_modified: phenix.phaser was chosen but is not offered now; phenix.xtriage is used instead.',
    );
  });

  it('or is unknown is replaced in every cycle, and the session reaches its end', async () => {
    const walked = await bench.walk([dataFile(), modelFile()], {}, { choose: insistOn('phenix.nonsense') });
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    expect(argvOf(walked, 'refine')).toContain('/data/model.pdb');
  });
});

describe('the fallback', () => {
  it('takes over after three refused choices, and its command is built and checked', async () => {
    const walked = await finished();
    expect(words(walked)).toBe('xtriage model_vs_data refine refine molprobity STOP converged');
    const polder = decisionOf(await bench.decide(followedUp(walked), insistOn('phenix.polder')));
    const outcome = await bench.decide(followedUp(walked, [polder]), insistOn('phenix.polder'));
    const decision = decisionOf(outcome);
    expect(decision).toMatchObject({ program: 'phenix.model_vs_data', decidedBy: 'fallback', confidence: 'low' });
    expect(decision.argv.slice(0, 3)).toEqual([
      'phenix.model_vs_data',
      expect.stringMatching(/refine_002_001\.pdb$/),
      expect.stringMatching(/\.mtz$/),
    ]);
    const refused = outcome.events.filter(({ type }) => type === 'warning').map(({ message }) => message);
    expect(refused).toEqual(Array(3).fill(expect.stringContaining('phenix.polder cannot run: the same command ran')));
    expect(outcome.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['command_built', 'files_selected']));
  });

  it('takes over if nothing is chosen', async () => {
    const session: Session = { ...(await finished()).session, cycle: 1, cycles: [] };
    expect(decisionOf(await bench.decide(session, () => undefined))).toMatchObject({
      program: 'phenix.xtriage',
      decidedBy: 'fallback',
      confidence: 'low',
    });
  });

  it('ends a finished workflow as before if everything that it offers has already run', async () => {
    const walked = await finished();
    const descriptions: UndatedDecision[] = [];
    for (const program of ['polder', 'model_vs_data', 'map_correlations'])
      descriptions.push(decisionOf(await bench.decide(followedUp(walked), insistOn(`phenix.${program}`))));
    const outcome = await bench.decide(followedUp(walked, descriptions), insistOn('phenix.polder'));
    if (!('stop' in outcome)) throw new Error(`continues with ${outcome.decision.program}`);
    expect(outcome.stop.reason).toBe('converged');
  });
});

describe('the confidence of a decision', () => {
  it('is high for the first choice', async () => {
    const { session } = await bench.walk([dataFile(), modelFile()]);
    expect(session.cycles.map(({ decision }) => decision.confidence)).toEqual(Array(5).fill('high'));
  });

  it('is medium if another program was refused before it', async () => {
    const walked = await bench.walk([dataFile(), sequenceFile(), modelFile('/data/template.pdb')], {
      phaser: [{ fails: 'Sorry: something' }],
      predict_and_build: [{ metrics: { r_free: 0.24, r_work: 0.2 }, outputs: [modelFile('/w/PB_overall_best.pdb')] }],
    });
    const second = walked.session.cycles[2]?.decision;
    expect([second?.program, second?.confidence]).toEqual(['phenix.predict_and_build', 'medium']);
  });
});
