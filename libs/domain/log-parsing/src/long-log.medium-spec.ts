import { readFileSync } from 'node:fs';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { ProgramLogFormat } from './index';

const MIB = 1024 * 1024;

const refineFormat = (): ProgramLogFormat => {
  return new ProgramLogFormat(load(readFileSync('knowledge/programs/refine.yaml', 'utf8')) as ProgramKnowledge);
};

/** MiB of heap and buffers in use, after a collection where the runtime offers one. */
const memory = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
};

/** Seconds of CPU of this thread: the goal is per core, and others use the machine too. */
const cpuSeconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};

it.each([
  ['lines as refinements print them', '    r_work=0.4064 r_free=0.4880 stage 12 of 345\n', 1024, 20],
  ['no line feed at all', 'progress . ', 256, 20],
  ['carriage returns', 'progress 12 %\r', 256, 20],
  ['tiny lines that are no text', '\u00ff\u0000\u0001\n', 64, 3],
])('reads %s in flat memory (%j, %d MiB, at %d MB/s or more)', (_, text, mebibytes, slowest) => {
  const chunk = Buffer.from(text.repeat(Math.ceil(MIB / text.length)), 'latin1').subarray(0, MIB);
  const reader = refineFormat().open();
  const start = memory();
  const begin = cpuSeconds();
  let most = 0;
  for (let i = 0; i < mebibytes; i += 1) {
    reader.push(chunk);
    if (i % 16 === 0) most = Math.max(most, memory() - start);
  }
  reader.push(Buffer.from('\nFinal R-work = 0.2012, R-free = 0.2455\n'));
  const reading = reader.end();
  const rate = reading.bytes / 1e6 / (cpuSeconds() - begin);
  expect(reading.metrics.find(({ name }) => name === 'r_free')?.value).toBe(0.2455);
  expect(most).toBeLessThan(200);
  expect(rate).toBeGreaterThan(slowest);
});
