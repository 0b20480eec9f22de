import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { projectRules } from '@fleet/testing';
import { adviceWords, matchesOf, type WordPattern } from './compile-words';
import { sentencesOf } from './sentences';
import { beginningsOf, WordStarts } from './word-starts';

const startOfWord = '(?<![a-z](?=[a-z]))';
const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const fixtures = join(__dirname, 'fixtures');

describe("the beginnings of a pattern's matches", () => {
  it.each([
    ['\\b(?:x ?triage|map)\\b', ['x t', 'xtr', 'map']],
    ['\\b(?:re)?build', ['reb', 'bui']],
    ['(?<!the )first(?:ly)?', ['fir']],
    ['(?<value>[01]|one) copies', ['0 c', '1 c', 'one']],
    ['ab{0,2}c', ['ac', 'abc', 'abb']],
    ['(?:;|->)', [';', '->']],
    ['\\d{1,2}kev', digits.flatMap((one) => [`${one}ke`, ...digits.map((two) => `${one}${two}k`)])],
  ])('%s', (source, begins) => {
    expect([...(beginningsOf(source) ?? [])].sort()).toEqual([...begins].sort());
  });

  it.each(['.b', '[^a]b', '\\S+', '\\s?a', '(?:a)?', 'å?[åä]b'])('are unknown for %s', (source) => {
    expect(beginningsOf(source)).toBeUndefined();
  });
});

describe('candidate patterns', () => {
  const candidates = (source: string, text: string): boolean => new WordStarts([source], startOfWord).in(text)[0] === 1;

  it('are those with the same beginning as a word', () => {
    expect(candidates('\\brefine\\b', 'then refine it')).toBe(true);
    expect(candidates('\\brefine\\b', 'then build it')).toBe(false);
    expect(candidates(`${startOfWord}then`, 'strengthen it')).toBe(false);
    expect(candidates(`${startOfWord}(?:->|→)`, 'phaser->refine')).toBe(true);
    expect(candidates('\\bi\\b', 'as i said')).toBe(true);
    expect(candidates('^(?:please )?(?:stop|halt)$', 'halt!')).toBe(true);
    expect(candidates('^(?:please )?(?:stop|halt)$', 'carry on')).toBe(false);
  });

  it('include all that do not begin at a word, or not in every alternative', () => {
    expect(candidates('sites', 'nothing')).toBe(true);
    expect(candidates('\\ba|sites', 'nothing')).toBe(true);
  });

  it('include all that match, for all texts with known readings', () => {
    const { advice } = projectRules();
    const words = adviceWords(advice);
    const readings = load(readFileSync(join(fixtures, 'readings.yaml'), 'utf8')) as readonly {
      readonly text: string;
    }[];
    const others = readFileSync(join(fixtures, 'no-stop.txt'), 'utf8');
    const sentences = sentencesOf([...readings.map(({ text }) => text), others].join('\n'), words);
    const patterns = Object.values({ ...words, ...words.rounds })
      .flat()
      .filter((one): one is WordPattern => typeof one === 'object' && 'id' in one && 'pattern' in one);
    let found = 0;
    for (const { plain, may } of sentences) {
      const hits = patterns.filter(({ pattern }) => matchesOf(pattern, plain).length > 0);
      found += hits.length;
      expect(hits.filter(({ id }) => may[id] !== 1).map(({ pattern }) => pattern.source)).toEqual([]);
    }
    // Text that contains only words is matched with the candidates of the whole sentence: a shorter word could begin differently there.
    const shortest = advice.stop_now.flatMap((source) =>
      [...(beginningsOf(source) ?? [''])].map(({ length }) => length),
    );
    expect(Math.min(...shortest)).toBe(3);
    expect(sentences.length).toBeGreaterThan(200);
    expect(found).toBeGreaterThan(500);
  });
});
