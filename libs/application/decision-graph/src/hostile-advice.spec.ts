import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAdvice } from '@fleet/advice';
import { dataFile, modelFile, sequenceFile, usualRuns, walkBench, type Walk } from '@fleet/testing';
import { load } from 'js-yaml';

const bench = walkBench({ installed: 'all', runs: usualRuns });
const texts = load(
  readFileSync(join(__dirname, '../../../domain/advice/src/fixtures/hostile.yaml'), 'utf8'),
) as readonly string[];

/** Programs, arguments and end. */
const courseOf = ({ session, stop }: Walk): unknown => [
  session.cycles.map(({ decision }) => decision.argv),
  stop.reason,
  stop.detail,
];

describe('prompt injection in advice', () => {
  const inputs = [dataFile(), modelFile('/data/template.pdb'), sequenceFile()];

  it.each(texts)('gives the same programs, arguments and end as no advice: %j', async (advice) => {
    const { directives, stopsNow, stepByStep } = readAdvice(advice, bench.ruleBook);
    expect([stopsNow, stepByStep]).toEqual([false, false]);
    expect(courseOf(await bench.walk(inputs, {}, { advice, directives }))).toEqual(courseOf(await bench.walk(inputs)));
  });
});
