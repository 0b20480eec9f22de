import { readdirSync, readFileSync } from 'node:fs';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { cpuMillisecondsOf } from '@fleet/testing';
import { load } from 'js-yaml';
import { compilePattern, unsafeBecause } from './index';
import { requiredLiteral } from './pattern-literal';

const programs = readdirSync('knowledge/programs').map(
  (name) => load(readFileSync(`knowledge/programs/${name}`, 'utf8')) as ProgramKnowledge,
);
const patterns = programs.flatMap(({ name, metrics }) => metrics.map((pattern) => ({ name, pattern })));

it.each([
  '(a+)+',
  '(?:a*)*b',
  '(\\d+\\s*){2,}',
  '(?:x|y)+',
  '((a)|b)*',
  'a.*b.*c.*d',
  '(a)\\1',
  '(?<q>a)\\k<q>',
  'a)b',
  '(?:\\s*[\\d.]+){6}',
  '^R-free: (?<value>\\d+\\.?\\d*)',
  'a+b*a+',
])('refuses a pattern that backtracks or does not compile: %s', (source) => {
  expect(unsafeBecause(source)).toBeDefined();
});

it.each([
  '^R-free: (?<value>\\d+(?:\\.\\d*)?)',
  '(?: a|b)?c+',
  '\\(a+\\)+',
  '[(+*]+x',
  '\\s+\\d+\\s+',
  'a.*b.*c',
  '(?:ab+)c',
  '(?:ab+)?c',
  '(?:ab){2}c+',
  '(?:a|b){2}c',
  '(?:a|b)?c',
  '(?:\\d{4}){2,}',
  '\\d+(?:a+|\\d+)',
  '[^=]*=[^=]*x',
])('accepts %s', (source) => {
  expect(unsafeBecause(source)).toBeUndefined();
});

it.each([
  ['(a+)+', 'a repeated group contains a repetition'],
  ['((a+)b){2}', 'a repeated group contains a repetition'],
  ['(?:a{2,})*', 'a repeated group contains a repetition'],
  ['(?:x|y)+', 'a repeated group contains alternatives'],
  ['(a)\\1', 'it refers back to a group'],
  ['a)b', 'its parentheses do not match'],
  ['.*a[^b]+c\\S*', 'it has more than 2 wide repetitions such as .*'],
  ['\\w+=\\D*;.{2,}', 'it has more than 2 wide repetitions such as .*'],
  ['\\d+x?\\d*', 'its \\d+ and \\d* can match the same characters'],
  ['a+x{0,3}a+', 'its a+ and a+ can match the same characters'],
  ['a*x{,3}[ab]{2,}', 'its a* and [ab]{2,} can match the same characters'],
  ['x+.*', 'its x+ and .* can match the same characters'],
])('explains why it refuses %s', (source, reason) => {
  expect(unsafeBecause(source)).toBe(reason);
});

it.each([
  ['^Final R-work = (?<work>\\d+), R-free = (?<free>\\d+)', 'Final R-work ='],
  ['TFZ==(?<value>\\d+)', 'TFZ=='],
  ['CC\\(1,2\\): x?', 'CC(1,2):'],
  ['a|b', undefined],
  ['(?:alpha|beta)', undefined],
  ['ab*', undefined],
  ['ab', 'ab'],
  ['a', undefined],
  ['ab: (\\d+) of', 'ab:'],
  ['(\\d+) abc (?:longer inside|x)', 'abc'],
  ['ab\\sxyz', 'xyz'],
  ['ab\\.xyz', 'ab.xyz'],
  ['abc.xyz', 'abc'],
  ['abcd(?:x)|e', undefined],
])('every match of %s contains %j', (source, literal) => {
  expect(requiredLiteral(source)).toBe(literal);
});

it.each(patterns)('$name $pattern.id compiles and is fast on hostile lines', ({ pattern }) => {
  const compiled = compilePattern(pattern);
  const literal = compiled.match.literal ?? '';
  const hostile = [' ', '0', 'a', '-', '|', `${literal}0`, `${literal} `].map((text) =>
    text.repeat(2048).slice(0, 2048),
  );
  const spent = cpuMillisecondsOf(() => {
    for (const line of hostile) compiled.match.regexp.exec(`${line}!`);
  });
  expect(spent).toBeLessThan(200);
});

it.each([
  [{ pattern: '(a+)+(?<value>x)' }, /may take very long/],
  [{ pattern: 'R = (?<number>.+)' }, /no group named value/],
  [{ pattern: '(?<value>' }, /is not a regular expression|may take very long/],
  [{ pattern: '(?<value>x)', after: '(b*)*' }, /after may take very long/],
  [{ pattern: '^\\s*(?<value>x)' }, /asks for blanks otherwise/],
  [{ pattern: '^ (?<value>x)' }, /asks for blanks otherwise/],
  [{ pattern: '^a  (?<value>x)' }, /asks for blanks otherwise/],
  [{ pattern: '(?<value>x) $' }, /asks for blanks otherwise/],
])('compilePattern names the problem of %j', (changes, message) => {
  const base = { id: 'x', metric: 'x', type: 'number', why: 'a test' } as const;
  expect(() => compilePattern({ ...base, ...changes })).toThrow(message);
});
