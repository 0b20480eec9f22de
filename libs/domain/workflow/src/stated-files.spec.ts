import type { ExperimentType, SessionFile } from '@fleet/contracts/sessions';
import {
  aCatalogue,
  aCycle,
  aDecision,
  aRequest,
  aSession,
  dataFile,
  mapFile,
  modelFile,
  someSettings,
} from '@fleet/testing';
import { experimentOf } from './experiment-type';
import { installedOf } from './facts/installed-program';
import { statedBest, withStated } from './stated-files';

describe('the best files according to a client', () => {
  const files = [modelFile('/a/m.pdb'), modelFile('/b/m.pdb'), dataFile({}, '/a/d.mtz')];
  const pathsOf = (bestFiles: Readonly<Record<string, readonly string[]>>): unknown =>
    Object.fromEntries([...statedBest(bestFiles, files)].map(([name, found]) => [name, found.map(({ path }) => path)]));

  it('are found by path, or by name if no folder is given: the first of several', () => {
    expect(pathsOf({ model: ['/b/m.pdb'] })).toEqual({ model: ['/b/m.pdb'] });
    expect(pathsOf({ model: ['m.pdb'] })).toEqual({ model: ['/a/m.pdb'] });
    expect(pathsOf({ model: ['/c/m.pdb'] })).toEqual({});
    expect(pathsOf({ model: ['x.pdb', 'm.pdb'] })).toEqual({ model: ['/a/m.pdb'] });
    expect(pathsOf({})).toEqual({});
  });

  it('may use category names of the v2 API', () => {
    expect(pathsOf({ mtz: ['d.mtz'], toString: ['d.mtz'] })).toEqual({
      data_mtz: ['/a/d.mtz'],
      toString: ['/a/d.mtz'],
    });
    expect(pathsOf({ map_coefficients: ['d.mtz'] })).toEqual({ map_coeffs_mtz: ['/a/d.mtz'] });
  });

  it("override the service's own ranking", () => {
    const scored = { file: files[0]!, stage: 'refined', score: 9, parts: [] };
    const own = new Map([['model', scored]]);
    const stated = (file: SessionFile | undefined) => new Map([['model', file === undefined ? [] : [file]]]);
    expect(withStated(own, stated(files[1])).get('model')).toEqual({
      file: files[1],
      stage: 'model',
      score: 0,
      parts: [{ name: 'as stated', points: 0 }],
    });
    expect(withStated(own, stated(files[0])).get('model')).toBe(scored);
    expect(withStated(own, stated(undefined)).get('model')).toBe(scored);
    expect(withStated(new Map(), stated(files[0])).get('model')?.score).toBe(0);
  });
});

describe('the experiment of a session', () => {
  type Kinds = Readonly<Record<string, number>>;
  const experiment = (
    kinds: Kinds,
    experiment_type: ExperimentType | 'auto' = 'auto',
    locked?: ExperimentType,
  ): string => {
    const files = new Map(
      Object.entries(kinds).map(([name, count]) => [name, Array.from({ length: count }, () => mapFile(`/${name}`))]),
    );
    const cycles = locked === undefined ? [] : [aCycle({ decision: aDecision({ experimentType: locked }) })];
    const request = aRequest({ settings: someSettings({ experiment_type }) });
    return experimentOf({ request, cycles }, files);
  };

  it.each([
    [{ data_mtz: 1 }, 'xray'],
    [{ map: 1 }, 'cryoem'],
    [{ data_mtz: 1, map: 1 }, 'xray'],
    [{ data_mtz: 1, map: 1, half_map: 1 }, 'xray'],
    [{}, 'xray'],
  ])('with %j is detected from its files: %s', (kinds: Kinds, type) => {
    expect(experiment(kinds)).toBe(type);
  });

  it('comes from the settings, unless the files belong only to the other type', () => {
    expect(experiment({ data_mtz: 1, map: 1, half_map: 2 }, 'cryoem')).toBe('cryoem');
    expect(experiment({ data_mtz: 1, map: 1 }, 'xray')).toBe('xray');
    expect(experiment({}, 'cryoem')).toBe('cryoem');
    expect(experiment({}, 'xray')).toBe('xray');
    const refused = { code: 'session.experiment_contradiction', kind: 'caller' };
    expect(() => experiment({ map: 1 }, 'xray')).toThrow(expect.objectContaining(refused) as Error);
    expect(() => experiment({ data_mtz: 1 }, 'cryoem')).toThrow(expect.objectContaining(refused) as Error);
  });

  it('is not derived from reflection data beside half maps', () => {
    expect(() => experiment({ data_mtz: 1, half_map: 2 })).toThrow('both reflection data and half maps were submitted');
  });

  it('remains as the first decision recorded it', () => {
    expect(experiment({ data_mtz: 1 }, 'auto', 'cryoem')).toBe('cryoem');
    expect(experiment({ data_mtz: 1, half_map: 2 }, 'auto', 'xray')).toBe('xray');
  });
});

describe('the program behind a name', () => {
  it('is a simulated one only if the settings name it', () => {
    const catalogue = aCatalogue({ provider: 'simulated', only: ['refine'] });
    const installed = (name: string, simulated_programs: readonly string[]): string | undefined => {
      const session = aSession({ request: aRequest({ settings: someSettings({ simulated_programs }) }) });
      return installedOf(name, { catalogue, session } as never)?.program;
    };
    expect(installed('phenix.refine', [])).toBeUndefined();
    expect(installed('phenix.refine', ['phenix.polder'])).toBeUndefined();
    expect(installed('phenix.refine', ['phenix.refine'])).toBe('phenix.refine');
    expect(installed('phenix.polder', ['phenix.polder'])).toBeUndefined();
  });
});
