import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ErrorKnowledge, ProgramKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { ProgramLogFormat } from './index';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const refineFormat = (): ProgramLogFormat => {
  const errors = load(readFileSync('knowledge/errors.yaml', 'utf8')) as ErrorKnowledge;
  return new ProgramLogFormat(load(readFileSync('knowledge/programs/refine.yaml', 'utf8')) as ProgramKnowledge, errors);
};

/** Reachable heap and buffers in MiB, after an explicit garbage collection. */
const memory = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
};

// The speed is measured by `npm run bench -- log-analysis`. A reader with backtracking would time out here.
it.each([
  ['lines as refinements print them', '    r_work=0.4064 r_free=0.4880 stage 12 of 345\n', 64],
  ['no line feed at all', 'progress . ', 64],
  ['carriage returns', 'progress 12 %\r', 64],
  ['tiny lines that are not text', '\u00ff\u0000\u0001\n', 16],
])('reads %s in constant memory (%j, %d MiB)', (_, text, mebibytes) => {
  const chunk = Buffer.from(text.repeat(Math.ceil(MIB / text.length)), 'latin1').subarray(0, MIB);
  const reader = refineFormat().open();
  const start = memory();
  let most = 0;
  for (let i = 0; i < mebibytes; i += 1) {
    reader.push(chunk);
    if (i % 4 === 0) most = Math.max(most, memory() - start);
  }
  reader.push(Buffer.from('\nFinal R-work = 0.2012, R-free = 0.2455\n'));
  const reading = reader.end();
  expect(reading.metrics.find(({ name }) => name === 'r_free')?.value).toBe(0.2455);
  expect(most).toBeLessThan(32);
});
