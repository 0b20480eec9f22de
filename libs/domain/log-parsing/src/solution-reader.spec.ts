import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorKnowledge, ProgramKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { ProgramLogFormat } from './index';

const yaml = (name: string): unknown => load(readFileSync(`knowledge/${name}.yaml`, 'utf8'));
const format = new ProgramLogFormat(yaml('programs/phaser') as ProgramKnowledge, yaml('errors') as ErrorKnowledge);

const read = (text: string): Record<string, unknown> => {
  const reader = format.open();
  reader.push(Buffer.from(text));
  return Object.fromEntries(reader.end().metrics.map(({ name, value }) => [name, value]));
};
const logged = (name: string): Record<string, unknown> => read(readFileSync(join(__dirname, 'fixtures', name), 'utf8'));

it.each([
  [
    'both hands: the other one is listed below',
    'both_hands',
    { tfz: 10.7, llg: 118, rfz: 4.9, packing_clashes: 0, space_group: 'P 43 21 2', copies_placed: 1 },
  ],
  [
    'several placements of the second part, the history over two lines',
    'two_lobes',
    { tfz: 6.4, llg: 1745, rfz: 16.5, packing_clashes: 9, space_group: 'P 21 21 21', copies_placed: 2 },
  ],
  [
    'without the scores of each part',
    'two_lobes_short',
    { tfz: 6.4, llg: 1745, rfz: 16.5, packing_clashes: 9, space_group: 'P 21 21 21', copies_placed: 2 },
  ],
  [
    'a part of what was searched for',
    'phaser_partial',
    {
      tfz: 10.2,
      llg: 318,
      rfz: 4.2,
      packing_clashes: 2,
      space_group: 'P 21 21 21',
      copies_placed: 2,
      search_incomplete: true,
    },
  ],
])('%s', (_, name, expected) => {
  expect(logged(`${name}.log`)).toEqual(expected);
});

const set = (history: string, group: string): string =>
  `   SOLU SET  ${history}\n   SOLU SPAC ${group}\n   SOLU 6DIM ENSE m\n`;
const headed = (number: string, history: string, group: string): string =>
  `   Solution ${number}annotation (history):\n${set(history, group)}\n`;
const newModule = '*** Phaser Module: AUTOMATED MOLECULAR REPLACEMENT    2.8.4 ***\n';

it.each([
  ['the only one has no number', headed('', 'TFZ==9.1 LLG=90', 'P 2'), { tfz: 9.1, space_group: 'P 2' }],
  [
    'the list at the end counts before what was written on the way',
    set('TFZ=5.0 LLG=20', 'P 4') +
      newModule +
      headed('#1 ', 'TFZ==12.0 LLG=200', 'P 41') +
      headed('#2 ', 'TFZ=6', 'P 43'),
    { tfz: 12, llg: 200, space_group: 'P 41' },
  ],
  [
    'of two lists the later one counts',
    headed('#1 ', 'TFZ==7.0 LLG=50', 'P 4') + newModule + headed('#1 ', 'TFZ==12.0 LLG=200', 'P 41'),
    { tfz: 12, space_group: 'P 41' },
  ],
  [
    'without headings the first set counts',
    set('TFZ==12.0 PAK=0 LLG=200', 'P 41') + set('TFZ=5.2 PAK=7 LLG=88', 'P 43'),
    { tfz: 12, llg: 200, packing_clashes: 0, space_group: 'P 41', copies_placed: 1 },
  ],
  [
    'without headings the first set of the last module counts',
    newModule + set('TFZ=5.2 LLG=88', 'P 43') + newModule + set('TFZ==12.0 LLG=200', 'P 41') + set('TFZ=5', 'P 42'),
    { tfz: 12, llg: 200, space_group: 'P 41' },
  ],
  [
    'the group may stand above its set',
    'SOLU SPAC P 4\nFound 1 of 1 copy\nSOLU SPAC P 41\nSOLU SET RFZ=4 TFZ=9.0\nLLG: not available\nTFZ=3.0\n',
    { tfz: 9, space_group: 'P 41', copies_placed: 1, copies_asked_for: 1 },
  ],
  [
    'what was amalgamated is not a history of the solution',
    headed('#1 ', 'RF*0 TF*0 PAK=0 LLG=3047 TFZ==46.3 RF++ TFZ=* (TFZ=9.1 PAK=1 LLG=400) +TNCS', 'P 1'),
    { tfz: 46.3, llg: 3047, packing_clashes: 0 },
  ],
  ['the first copy in P 1 has no TFZ', headed('#1 ', 'RFZ=9.0 TFZ=* PAK=0 LLG=70', 'P 1'), { rfz: 9, llg: 70 }],
  ['an LLG may be negative', headed('#1 ', 'TFZ=4.1 LLG=-12', 'P 1'), { llg: -12 }],
  [
    'a summary of the best',
    '   Top LLG (packs) = 1499.13\n   Refined TF/TFZ equivalent = 46.4/49.7\n',
    { llg: 1499.13, tfz: 49.7 },
  ],
])('%s', (_, text, expected) => {
  expect(read(text)).toMatchObject(expected);
});

it.each([
  ['Found 1 of 2 copies; chains A', 1, 2],
  ['Components placed: 1 of 2', 1, 2],
  ['** Placed 2 of 3 copies', 2, 3],
  ['1 of 2 components placed', 1, 2],
  ['one of two placed', 1, 2],
  ['One of the two ensembles was placed', 1, 2],
  ['Only 3 of 4 copies could be placed', 3, 4],
])('the number of placed copies: %s', (line, placed, asked) => {
  expect(read(`${line}\n`)).toMatchObject({ copies_placed: placed, copies_asked_for: asked });
});

it.each(['Best of the models found', 'none of them placed', '3 of 4 reflections were used'])(
  'is not read from: %s',
  (line) => {
    expect(read(`${line}\n`)).toEqual({});
  },
);
