import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProgramLogFormat } from '@fleet/log-parsing';
import { cpuMilliseconds, projectRules } from '@fleet/testing';
import { deliver, figure, median } from './figures';

const MIB = 1024 * 1024;
const ROUNDS = 7;
const WARM_UP = 2;
/** Bytes that are read of every log in one round, over and over. */
const BYTES_PER_LOG = 4 * MIB;
/** As the worker reads them. */
const CHUNK = 524_288;
const LONG_LOG = 1024 * MIB;

interface Sample {
  readonly program: string;
  readonly bytes: Buffer;
}

/** Whose log it is stands in the name of its file: `workflow_xray/04_refine_1.log`, `xtriage_twin.log`. */
const programOf = (file: string, names: readonly string[]): string | undefined =>
  names.find((name) => (file.split('/').at(-1) ?? '').replace(/^\d+_/, '').startsWith(name));

const realLogs = (folder: string, names: readonly string[]): readonly Sample[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.log') && !file.includes('errors/'))
    .sort()
    .flatMap((file) => {
      const program = programOf(file, names);
      return program === undefined ? [] : [{ program, bytes: readFileSync(join(folder, file)) }];
    });

/** Where no real logs are: the lines of a refinement, of which few are results. */
const generatedLogs = (): readonly Sample[] => {
  const lines = Array.from({ length: 2000 }, (_, index) =>
    index % 50 === 0
      ? `  ${String(index)}    0.3966 0.4942  0.009  1.265  stage of the refinement`
      : `  atom ${String(index)}  x= 12.${String(index)}  y= 3.14  occupancy 1.00   some text of a program, number ${String(index)}`,
  );
  return [{ program: 'refine', bytes: Buffer.from(`${lines.join('\n')}\nFinal R-work = 0.2266, R-free = 0.2637\n`) }];
};

const book = projectRules();

const formatOf = (program: string): ProgramLogFormat =>
  new ProgramLogFormat(book.programs[`phenix.${program}`] ?? { name: program, metrics: [] }, book.errors);

const readWhole = (format: ProgramLogFormat, bytes: Buffer): void => {
  const reader = format.open();
  for (let at = 0; at < bytes.length; at += CHUNK) reader.push(bytes.subarray(at, at + CHUNK));
  reader.end();
};

/** MB per second of CPU, over all samples alike. */
const speed = (samples: readonly (Sample & { readonly format: ProgramLogFormat })[]): number => {
  let bytes = 0;
  const start = cpuMilliseconds();
  for (const sample of samples) {
    for (let read = 0; read < BYTES_PER_LOG; read += sample.bytes.length) {
      readWhole(sample.format, sample.bytes);
      bytes += sample.bytes.length;
    }
  }
  return bytes / 1e3 / (cpuMilliseconds() - start);
};

const inUse = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
};

/** The largest growth of memory in MiB while 1 GiB of this text is read. */
const growth = (text: string): number => {
  const chunk = Buffer.from(text.repeat(Math.ceil(CHUNK / text.length)), 'latin1').subarray(0, CHUNK);
  const reader = formatOf('refine').open();
  const before = inUse();
  let most = 0;
  for (let read = 0; read < LONG_LOG; read += CHUNK) {
    reader.push(chunk);
    most = Math.max(most, inUse() - before);
  }
  if (reader.end().bytes !== LONG_LOG) throw new Error('the whole log was to be read');
  return most;
};

describe('reading logs', () => {
  it('is fast, and needs no more memory for a log of any length', () => {
    const folder = process.env['PHENIX_FLEET_TEST_LOGS'] ?? '';
    const names = Object.keys(book.programs).map((name) => name.replace('phenix.', ''));
    const samples = (folder === '' ? generatedLogs() : realLogs(folder, names)).map((sample) => ({
      ...sample,
      format: formatOf(sample.program),
    }));
    const speeds: number[] = [];
    for (let round = 1 - WARM_UP; round <= ROUNDS; round += 1) {
      const measured = speed(samples);
      if (round > 0) speeds.push(measured);
    }
    const what = folder === '' ? 'a generated log' : `${String(samples.length)} real logs`;
    deliver([
      figure(`log analysis of ${what} (MB/s per core)`, median(speeds), '>=', 20),
      figure(
        '1 GiB of log: largest growth of memory (MiB)',
        growth('    r_work=0.4064 r_free=0.4880 stage 12\n'),
        '<=',
        128,
      ),
      figure('one line of 1 GiB: largest growth of memory (MiB)', growth('progress . '), '<=', 128),
    ]);
  });
});
