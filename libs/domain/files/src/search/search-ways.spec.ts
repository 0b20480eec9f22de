import type { PlacementRules } from '@fleet/knowledge-model';
import { modelFile } from '@fleet/testing';
import type { PlacementTrial } from './placement-trials';
import { firstGroups, firstModels, remainingWays, type NextSearch, type SearchMaterial } from './search-ways';

const [a, b, c] = ['/a.pdb', '/b.pdb', '/c.pdb'].map((path) => modelFile(path, { polymerResidues: 100 }));
const copies = { least: 0.5, most: 1.5, ways: 2 };
const rules = { copies } as unknown as PlacementRules;

const material = (changes: Partial<SearchMaterial> = {}): SearchMaterial => ({
  candidates: [a!, b!, c!],
  components: [{ models: [a!] }],
  unprocessed: [],
  crystal: { chains: [], stems: new Set() },
  alternatives: { others: [] },
  fixed: { copies: false, groups: false },
  ...changes,
});

const trial = (changes: Partial<PlacementTrial> = {}): PlacementTrial => ({
  models: ['/a.pdb'],
  copies: 2,
  groups: 'data',
  cycle: 1,
  placed: true,
  verdict: 'refuted',
  says: 'R-free stays at 0.55 after refinement',
  clear: false,
  own: new Set(),
  ...changes,
});

/** `a.pdb x 3 in all`, with a question mark for open parameters. */
const words = ({ models, copies: count, groups }: NextSearch): string =>
  `${models?.map(({ path }) => path.slice(1, 2)).join('+') ?? '?'} x ${count ?? '?'} in ${groups}`;
const ways = (changes: Partial<SearchMaterial>, ...trials: readonly PlacementTrial[]): readonly string[] =>
  remainingWays(trials.length === 0 ? [trial()] : trials, material(changes), rules).map(words);

describe('another search', () => {
  it('uses other numbers of copies that fit the contents, the nearest first', () => {
    expect(ways({ contents: 200 })).toEqual(['a x 1 in data', 'a x 3 in data']);
    expect(ways({ contents: 400 })).toEqual(['a x 3 in data', 'a x 4 in data']);
    expect(ways({ contents: 60 }, trial({ copies: 1 }))).toEqual([]);
    expect(ways({ contents: 1000 }, trial({ copies: 3 }))).toEqual(['a x 5 in data', 'a x 6 in data']);
    expect(ways({ contents: 10 }, trial({ copies: 1 }))).toEqual([]);
  });

  it('uses no other number if not even the first copy was found', () => {
    expect(ways({ contents: 200 }, trial({ placed: false, says: 'nothing was found' }))).toEqual([]);
    const nothing = trial({ placed: false });
    expect(ways({ contents: 200, alternatives: { others: ['P 41'] } }, nothing)).toEqual(['a x 2 in all']);
  });

  it('uses no other number if the submitter set it, or if sizes are unknown', () => {
    expect(ways({ contents: 200, fixed: { copies: true, groups: false } })).toEqual([]);
    expect(ways({})).toEqual([]);
    expect(ways({ contents: 200 }, trial({ models: [] }))).toEqual([]);
    const unread = { ...a!, facts: { ...a!.facts, assumed: true as const } };
    expect(ways({ contents: 200, candidates: [unread], components: [{ models: [unread] }] })).toEqual([]);
  });

  it('uses other models of a component', () => {
    expect(ways({ components: [{ models: [a!, b!, c!] }] })).toEqual(['b x ? in data', 'c x ? in data']);
    const two = { components: [{ models: [a!, b!] }, { models: [c!] }] };
    expect(ways(two, trial({ models: ['/a.pdb', '/c.pdb'] }))).toEqual(['c+b x ? in data']);
  });

  it('uses all space groups if some were not tried, and none is certain', () => {
    const others = ['P 41', 'P 42'];
    expect(ways({ alternatives: { others } })).toEqual(['a x 2 in all']);
    expect(ways({ alternatives: { others }, components: [{ models: [a!, b!] }] })).toEqual([
      'b x ? in data',
      'a x 2 in all',
      'b x ? in all',
    ]);
    expect(ways({ alternatives: { others } }, trial({ clear: true }))).toEqual([]);
    expect(ways({ alternatives: { others } }, trial(), trial({ clear: true, models: ['/b.pdb'] }))).toEqual([]);
    expect(ways({ alternatives: { others }, fixed: { copies: false, groups: true } })).toEqual([]);
    expect(ways({ alternatives: { others: ['P 41'] } }, trial({ groups: 'hand' }))).toEqual([]);
    expect(ways({ alternatives: { others: ['P 41'] } })).toEqual(['a x 2 in all']);
    expect(ways({ alternatives: { others } }, trial({ groups: 'hand' }))).toEqual(['a x 2 in all']);
    expect(ways({ alternatives: { others } }, trial({ models: ['/gone.pdb'] }))).toContain('? x 2 in all');
  });

  it('does not repeat an earlier one', () => {
    const components = [{ models: [a!, b!] }];
    expect(ways({ components }, trial(), trial({ models: ['/b.pdb'], copies: 1 }))).toEqual([]);
    expect(ways({ contents: 200 }, trial(), trial({ copies: 3 }))).toEqual(['a x 1 in data']);
    const alternatives = { others: ['P 41'] };
    expect(ways({ alternatives }, trial(), trial({ groups: 'all' }))).toEqual([]);
    expect(ways({ components, alternatives }, trial(), trial({ models: ['/b.pdb'] }))).toEqual([
      'a x 2 in all',
      'b x ? in all',
    ]);
    expect(ways({ components }, trial(), trial({ models: ['/a.pdb', '/b.pdb'] }))).toEqual(['b x ? in data']);
    expect(ways({ components }, trial(), trial({ models: [] }))).toEqual([]);
  });

  it('is undefined before the first', () => {
    expect(remainingWays([], material({ contents: 200 }), rules)).toEqual([]);
  });
});

describe('the first search', () => {
  const hand = { hand: 'P 43', others: ['P 43'] };

  it('tries both hands of a space group that has two, unless the submitter sets it', () => {
    expect(firstGroups(material())).toBe('data');
    expect(firstGroups(material({ alternatives: hand }))).toBe('hand');
    const alone = { others: ['P 41 21 2'], pointGroupAlone: true };
    expect(firstGroups(material({ alternatives: alone }))).toBe('all');
    expect(firstGroups(material({ alternatives: alone, fixed: { copies: false, groups: true } }))).toBe('data');
    expect(ways({ alternatives: alone, components: [{ models: [a!, b!] }] }, trial({ groups: 'all' }))).toEqual([
      'b x ? in all',
    ]);
    expect(firstGroups(material({ alternatives: hand, fixed: { copies: false, groups: true } }))).toBe('data');
    expect(ways({ alternatives: hand, components: [{ models: [a!, b!] }] }, trial({ groups: 'hand' }))).toEqual([
      'b x ? in hand',
    ]);
  });

  it('uses one model of each of several components; for one component the choice is open', () => {
    expect(firstModels(material({ components: [{ models: [a!, b!] }, { models: [c!] }] }))).toEqual([a, c]);
    expect(firstModels(material())).toBeUndefined();
    expect(firstModels(material({ components: [] }))).toBeUndefined();
    expect(firstModels(material({ components: [{ models: [a!, b!] }] }))).toBeUndefined();
  });
});
