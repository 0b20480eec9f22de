import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';
import {
  aCatalogue,
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  mapFile,
  modelFile,
  projectRules,
  someSettings,
} from '@fleet/testing';
import { describeSession, type DescribedSession } from './describe-session';
import { openMenu } from './menu';
import { sanityIssues } from './sanity';
import { shouldStopAfter } from './stops';

const ruleBook = projectRules();

const describeIt = (
  inputs: readonly SessionFile[],
  cycles: readonly CycleRecord[] = [],
  guidance: { readonly settings?: Partial<SessionSettings>; readonly directives?: SessionDirectives } = {},
): DescribedSession => {
  const { settings, directives = {} } = guidance;
  const request = aRequest({ inputs, settings: someSettings(settings), directives });
  return describeSession({ session: aSession({ request, cycles }), ruleBook, catalogue: aCatalogue() });
};

const ran = (cycle: number, program: string, r_free?: number): CycleRecord =>
  aCycle({
    cycle,
    decision: aDecision({ program: `phenix.${program}`, strategy: {} }),
    result: aResult({ metrics: r_free === undefined ? {} : { r_free } }),
  });

describe('describeSession', () => {
  it('takes the recorded R-free from refinement, never from a program that also prints one', () => {
    const { facts } = describeIt([dataFile(), modelFile()], [ran(1, 'refine', 0.27), ran(2, 'polder', 0.19)]);
    expect(facts['refinement.value']).toBe(0.27);
  });

  it('counts a full predict_and_build as a refinement, but not a prediction without building', () => {
    const full = ran(1, 'predict_and_build', 0.3);
    const only = { ...full, decision: { ...full.decision, strategy: { stop_after_predict: true } } };
    const written = {
      ...full,
      decision: { ...full.decision, argv: ['p', 'predict_and_build.stop_after_predict=True'] },
    };
    const runs = (cycle: CycleRecord): unknown =>
      describeIt([dataFile(), modelFile()], [cycle]).facts['refinement.runs'];
    expect([full, only, written].map(runs)).toEqual([1, 0, 0]);
  });

  it('lets targets and limits of the directives override the settings', () => {
    const directives = { stop_conditions: { max_refine_cycles: 7, r_free_target: 0.21 } };
    const { facts } = describeIt([dataFile()], [], { settings: { max_refine_cycles: 2 }, directives });
    expect([facts['setting.max_refine_cycles'], facts['target']]).toEqual([7, 0.21]);
  });

  it('locks the free flags of the preferred data file until a refinement has used others', () => {
    const inputs = [dataFile(), dataFile({}, '/data/other.mtz'), modelFile()];
    const directives = { file_preferences: { data_mtz: 'other.mtz' } };
    expect(describeIt(inputs, [], { directives }).files.lockedFreeFlags?.path).toBe('/data/other.mtz');
    const used = { ...dataFile({}, '/work/refine_001_data.mtz'), cycle: 1 };
    const refined = { ...ran(1, 'refine', 0.3), result: aResult({ outputs: [used] }) };
    expect(describeIt(inputs, [refined], { directives }).files.lockedFreeFlags?.path).toBe(used.path);
  });

  it('takes no resolution, and no target that depends on it, from an uninspected file', () => {
    const { facts } = describeIt([dataFile({ highResolution: 0 })]);
    const known = describeIt([dataFile({ highResolution: 1.4 })]).facts;
    expect([facts['resolution'], facts['target']]).toEqual([undefined, 0.2833]);
    expect([known['resolution'], known['target']]).toEqual([1.4, 0.229]);
  });

  it('ignores excluded files', () => {
    const directives = { file_preferences: { exclude: ['old.pdb'] } };
    const { files } = describeIt([dataFile(), modelFile('/data/old.pdb')], [], { directives });
    expect(files.all.map(({ path }) => path)).toEqual(['/data/data.mtz']);
  });
});

describe('openMenu', () => {
  it('gives the reason in a sentence for each program that is not offered', () => {
    const menu = openMenu(describeIt([dataFile(), modelFile()]), ruleBook);
    expect(menu.validPrograms).toEqual(['phenix.xtriage']);
    expect(menu.refused.find(({ program }) => program === 'phenix.refine')?.why).toContain('not part of the step');
    expect(menu.refused.every(({ why }) => why.length > 5)).toBe(true);
  });

  it('lists each program only once, as offered or as not offered', () => {
    const sessions = [describeIt([dataFile()], [ran(1, 'xtriage')]), describeIt([mapFile('/data/m.ccp4')])];
    for (const menu of sessions.map((one) => openMenu(one, ruleBook))) {
      const names = [...menu.offered, ...menu.refused].map(({ program }) => program);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('sanityIssues', () => {
  it('lists critical issues first', () => {
    const issues = sanityIssues(describeIt([mapFile('/data/m.ccp4')], [ran(1, 'refine', 0.3)]));
    expect(issues.map(({ id }) => id).slice(0, 2)).toEqual(['experiment_type_changed', 'no_model_for_refine']);
    expect(issues.every(({ suggestion }) => suggestion !== '')).toBe(true);
  });
});

describe('shouldStopAfter', () => {
  it('leaves a session whose models are missing to the sanity check of the next decision, unless that check is disabled', () => {
    const session = (abort_on_red_flags: boolean) =>
      aSession({
        request: aRequest({ inputs: [dataFile()], settings: someSettings({ abort_on_red_flags }) }),
        cycles: [ran(1, 'xtriage'), ran(2, 'phaser')],
      });
    const stopOf = (abort: boolean) =>
      shouldStopAfter({ session: session(abort), ruleBook, catalogue: aCatalogue() })?.reason;
    expect([stopOf(true), stopOf(false)]).toEqual([undefined, 'no_program']);
  });

  it('stops a hopeless model if nothing else can be tried, but not one that still improves', () => {
    const stop = (value: number): string | undefined => {
      const cycles = [ran(1, 'xtriage'), ran(2, 'refine', value)];
      const session = aSession({ request: aRequest({ inputs: [dataFile(), modelFile()] }), cycles });
      return shouldStopAfter({ session, ruleBook, catalogue: aCatalogue({ without: ['phaser'] }) })?.reason;
    };
    expect([stop(0.52), stop(0.33)]).toEqual(['hopeless', undefined]);
  });
});
