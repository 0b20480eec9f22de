import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAdvice } from '@fleet/advice';
import { load } from 'js-yaml';
import { cpuMillisecondsOf, projectRules } from '@fleet/testing';
import { deliver, figure, quantile } from './figures';

/** Letters of each text: as many as a README may have. */
const LENGTH = 5_000;
const TEXTS = 60;
/** Readings of a text in one measurement: the clock of CPU time ticks in milliseconds. */
const CALLS = 40;
const fixtures = join(__dirname, '../../libs/domain/advice/src/fixtures');

const ruleBook = projectRules();

/** What people write: the texts whose readings are known, and sentences that ask for nothing. */
const written = (): readonly string[] => {
  const readings = load(readFileSync(join(fixtures, 'readings.yaml'), 'utf8')) as readonly { readonly text: string }[];
  const others = readFileSync(join(fixtures, 'no-stop.txt'), 'utf8').split('\n');
  return [...readings.map(({ text }) => text), ...others].filter((text) => text !== '');
};

/** Texts that begin at different places of what people write. */
const mixedTexts = (): readonly string[] => {
  const all = written();
  return Array.from({ length: TEXTS }, (_, index) => {
    const from = Math.floor((index * all.length) / TEXTS);
    return [...all.slice(from), ...all.slice(0, from)].join('\n').slice(0, LENGTH);
  });
};

/** Only requests with values. */
const denseText =
  'Use resolution 3.0 in autosol but refine to 2.5 Angstroms, do not run autobuild and add 2 waters. The crystal contains Se (10 sites) collected at 0.9794 A; stop after phaser unless it fails. '
    .repeat(40)
    .slice(0, LENGTH);

/** Milliseconds of CPU of this thread for one reading: other users of the machine do not count. */
const costOf = (text: string): number =>
  cpuMillisecondsOf(() => {
    for (let call = 0; call < CALLS; call += 1) readAdvice(text, ruleBook);
  }) / CALLS;

describe('advice of 5,000 letters', () => {
  it('is read in a few milliseconds', () => {
    const texts = mixedTexts();
    for (const text of [...texts, denseText]) costOf(text);
    deliver([
      figure(
        'reading 5,000 letters of advice, p95 of 60 texts (ms of CPU)',
        quantile(texts.map(costOf), 0.95),
        '<=',
        5,
      ),
      figure('the same, only requests with values (ms of CPU)', costOf(denseText), '<=', 5),
    ]);
  });
});
