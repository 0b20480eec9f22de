import { factsOf, holds } from './condition-evaluation';
import type { Condition } from './conditions';
import { fillKnownTemplate, fillTemplate } from './templates';

const facts = { runs: 2, limit: 3, ready: true, word: 'xray', text: 'two' };

describe('a condition on facts', () => {
  it.each<[Condition, boolean]>([
    [{ fact: 'runs', is: 2 }, true],
    [{ fact: 'ready', is: false }, false],
    [{ fact: 'runs', at_least: 2 }, true],
    [{ fact: 'runs', above: 2 }, false],
    [{ fact: 'runs', at_most: 2 }, true],
    [{ fact: 'runs', below: 2 }, false],
    [{ fact: 'limit', above_fact: 'runs' }, true],
    [{ fact: 'runs', at_least_fact: 'limit' }, false],
    [{ fact: 'runs', at_most_fact: 'limit' }, true],
    [{ fact: 'word', one_of: ['xray', 'cryoem'] }, true],
    [{ fact: 'nothing', known: false }, true],
    [{ fact: 'nothing', is: false }, false],
    [{ fact: 'nothing', below: 5 }, false],
    [{ fact: 'nothing', below: 5, if_unknown: true }, true],
    [{ fact: 'runs', at_least_fact: 'nothing' }, false],
    [{ fact: 'text', above: 1 }, false],
    [{ all: [] }, true],
    [{ any: [] }, false],
    [{ not: { fact: 'runs', is: 2 } }, false],
  ])('%j is %p', (condition, expected) => {
    expect(holds(condition, facts)).toBe(expected);
  });
});

it('factsOf names both sides of every comparison', () => {
  const condition: Condition = {
    all: [{ not: { fact: 'a', above_fact: 'b' } }, { any: [{ fact: 'c', known: true }] }],
  };
  expect(factsOf(condition)).toEqual(['a', 'b', 'c']);
});

describe('templates', () => {
  it('round numbers and contain `unknown` for unknown facts', () => {
    expect(fillTemplate('{runs} of {limit:1}, {nothing}', facts)).toBe('2 of 3.0, unknown');
  });

  it('are undefined for a command if a fact is unknown', () => {
    expect(fillKnownTemplate('resname {word}', facts)).toBe('resname xray');
    expect(fillKnownTemplate('resname {nothing}', facts)).toBeUndefined();
  });
});
