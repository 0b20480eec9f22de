import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRuleBook } from '@fleet/knowledge';
import { load } from 'js-yaml';
import { adviceWords, matchesOf } from './compile-words';
import { sentencesOf } from './sentences';
import { beginningsOf, WordStarts } from './word-starts';

const startOfWord = '(?<![a-z](?=[a-z]))';
const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const fixtures = join(__dirname, 'fixtures');

describe('what the matches of a pattern begin with', () => {
  it.each([
    ['\\b(?:x ?triage|map)\\b', ['x ', 'xt', 'ma']],
    ['\\b(?:re)?build', ['re', 'bu']],
    ['(?<!the )first(?:ly)?', ['fi']],
    ['(?<value>[01]|one) copies', ['0 ', '1 ', 'on']],
    ['ab{0,2}c', ['ac', 'ab']],
    ['(?:;|->)', [';', '->']],
    ['\\d{1,2}kev', digits.flatMap((one) => [`${one}k`, ...digits.map((two) => one + two)])],
  ])('%s', (source, begins) => {
    expect([...(beginningsOf(source) ?? [])].sort()).toEqual([...begins].sort());
  });

  it.each(['.b', '[^a]b', '\\S+', '\\s?a', '(?:a)?', 'å?[åä]b'])('is not known of %s', (source) => {
    expect(beginningsOf(source)).toBeUndefined();
  });
});

describe('patterns that may be found', () => {
  const candidates = (source: string, text: string): boolean => new WordStarts([source], startOfWord).in(text)[0] === 1;

  it('are those of which a word begins as they do', () => {
    expect(candidates('\\brefine\\b', 'then refine it')).toBe(true);
    expect(candidates('\\brefine\\b', 'then build it')).toBe(false);
    expect(candidates(`${startOfWord}then`, 'strengthen it')).toBe(false);
    expect(candidates(`${startOfWord}(?:->|→)`, 'phaser->refine')).toBe(true);
    expect(candidates('\\bi\\b', 'as i said')).toBe(true);
  });

  it('are all that do not begin at a word, or not all of whose ways do', () => {
    expect(candidates('sites', 'nothing')).toBe(true);
    expect(candidates('\\ba|sites', 'nothing')).toBe(true);
  });

  it('are at least those that are found, in all texts whose readings are known', async () => {
    const { advice } = await loadRuleBook(join(__dirname, '../../../../knowledge'));
    const words = adviceWords(advice);
    const readings = load(readFileSync(join(fixtures, 'readings.yaml'), 'utf8')) as readonly {
      readonly text: string;
    }[];
    const others = readFileSync(join(fixtures, 'no-stop.txt'), 'utf8');
    const sentences = sentencesOf([...readings.map(({ text }) => text), others].join('\n'));
    const patterns = [words.names, words.acts, words.skips, words.cues, words.settings].flat();
    let found = 0;
    for (const { plain } of sentences) {
      const may = words.starts.in(plain);
      const hits = patterns.filter(({ pattern }) => matchesOf(pattern, plain).length > 0);
      found += hits.length;
      expect(hits.filter(({ id }) => may[id] !== 1).map(({ pattern }) => pattern.source)).toEqual([]);
    }
    expect(sentences.length).toBeGreaterThan(200);
    expect(found).toBeGreaterThan(500);
  });
});
