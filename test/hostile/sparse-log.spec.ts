import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProgramLogFormat } from '@fleet/log-parsing';
import { useFolder } from '@fleet/testing';
import { readLogFile, type LogBounds } from '../../apps/log-analysis-worker/src/analyse/log-file';

/** Hostile logs: the analysis ends soon, reads at most the limit, and reports the skipped part. */

const mebibyte = 1024 * 1024;
const session = useFolder();
const log = join(session, 'a1', 'program.log');

beforeEach(() => mkdirSync(join(session, 'a1')));

const format = new ProgramLogFormat(
  {
    name: 'phenix.x',
    metrics: [{ id: 'p', metric: 'cc', pattern: '^CC: (?<value>[\\d.]+)', type: 'number', why: 'a test' }],
  },
  { known: [], recoverable: [], endings: [] },
);

const read = (bounds: Partial<LogBounds> = {}) =>
  readLogFile(session, log, format.open(), {
    maxBytes: mebibyte,
    maxMs: 60_000,
    isUnwanted: () => Promise.resolve(false),
    ...bounds,
  });

it('of 1 TiB without data is read at its beginning and its end', async () => {
  writeFileSync(log, 'CC: 0.5\n');
  truncateSync(log, 2 ** 40);
  appendFileSync(log, '\nCC: 0.9\nSorry: the end\n');
  const { reading, cuts } = await read();
  expect(reading.bytes).toBeLessThanOrEqual(mebibyte + 1);
  expect(reading.metrics).toMatchObject([{ name: 'cc', value: 0.9 }]);
  expect(reading.tail.at(-1)).toBe('Sorry: the end');
  expect(cuts).toEqual([
    expect.stringMatching(/^The log has 1048576\.0 MiB, .*the first 0\.5 MiB and the last 0\.5 MiB/),
  ]);
});

it('that is full and larger than the limit is read up to the limit', async () => {
  writeFileSync(log, `CC: 0.5\n${'x'.repeat(99)}\n`.repeat(30_000));
  const { reading, cuts } = await read();
  expect(reading.bytes).toBeLessThanOrEqual(mebibyte + 1);
  expect(cuts).toHaveLength(1);
});

it('within the limit is read completely, with or without holes', async () => {
  writeFileSync(log, 'CC: 0.5\n');
  truncateSync(log, mebibyte - 100);
  appendFileSync(log, '\nCC: 0.7\n');
  const { reading, cuts } = await read();
  expect([reading.metrics[0]?.value, cuts]).toEqual([0.7, []]);
});

it('is not read further once its session was cancelled', async () => {
  writeFileSync(log, 'CC: 0.5\n'.repeat(300_000));
  let checks = 0;
  const isUnwanted = (): Promise<boolean> => Promise.resolve((checks += 1) > 1);
  await expect(read({ maxBytes: 1024 * mebibyte, isUnwanted })).rejects.toMatchObject({ code: 'analyse.unwanted' });
  expect(checks).toBe(2);
});

it('is not read beyond its time limit', async () => {
  writeFileSync(log, 'CC: 0.5\n'.repeat(300_000));
  const { cuts } = await read({ maxBytes: 1024 * mebibyte, maxMs: -1 });
  expect(cuts).toEqual([expect.stringMatching(/could not be read in/)]);
});

it.each([
  ['a pipe', () => execFileSync('mkfifo', [log]), 'it is not a regular file'],
  ['a link to a device without an end', () => symlinkSync('/dev/zero', log), 'it was replaced by a symbolic link'],
  ['a folder', () => mkdirSync(log), 'it is not a regular file'],
  [
    'behind a folder that leads elsewhere',
    () => {
      rmSync(join(session, 'a1'), { recursive: true });
      symlinkSync('/etc', join(session, 'a1'));
    },
    'part of its path is not a folder',
  ],
])('that is %s is not read, and the result reports it', async (_, make, why) => {
  make();
  const { reading, cuts } = await read();
  expect([reading.lines, cuts]).toEqual([0, [`The log of the program was not read: ${why}.`]]);
});
