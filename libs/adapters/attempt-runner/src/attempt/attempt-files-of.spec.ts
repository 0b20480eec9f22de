import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { useFolder } from '@fleet/testing';
import { claimRun } from './attempt-claims';
import { prepareAttempt, readResult, readRun, readSpec, writeResult } from './attempt-files-of';
import { specHash, type ResultRecord } from './attempt-records';

const spec: RunSpec = {
  name: 's1-c001-a1',
  sessionFolder: '/work/mx1/s1',
  attemptFolder: 'c001-refine/a1',
  program: 'phenix.refine',
  argv: ['/opt/phenix.refine', 'two\nlines', 'λ'],
  owner: { sessionId: 's1', cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
  resources: { class: 'cpu', cpus: 4, mayFallBack: false },
  limits: { wallClock: 60, memoryMiB: 100, outputBytes: 1000 },
};
const startedAt = '2026-01-01T00:00:00.000Z';
const resultOf = (message: string): ResultRecord => ({
  schemaVersion: 1,
  name: spec.name,
  startedAt,
  ending: { kind: 'exited', exitCode: 0, message, infrastructure: false, endedAt: startedAt, durationMs: 1 },
});

/** What a power cut may leave of a file on a disk that acknowledges writes too early. */
const cuts: readonly (readonly [string, (text: string) => string])[] = [
  ['empty', () => ''],
  ['half of it', (text) => text.slice(0, text.length / 2)],
  ['zeros', (text) => '\0'.repeat(text.length)],
  ['something else', () => '{"schemaVersion":1}'],
];

describe('the records of an attempt after a power cut', () => {
  const folder = useFolder();
  beforeEach(() => mkdirSync(join(folder, attemptFiles.folder)));
  const cut = (file: string, change: (text: string) => string): void => {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  const prepare = (what: RunSpec): boolean => prepareAttempt(folder, what, specHash(what));
  const own = (): readonly string[] => readdirSync(join(folder, attemptFiles.folder));

  it.each(cuts)('rewrites the spec over %s', (_, change) => {
    expect(prepare(spec)).toBe(true);
    cut(attemptFiles.spec, change);
    expect(prepare(spec)).toBe(true);
    expect(readSpec(folder)?.spec).toEqual(spec);
    expect(prepare({ ...spec, argv: ['other'] })).toBe(false);
  });

  it.each(cuts)('rewrites a result over %s', (_, change) => {
    writeResult(folder, resultOf('first'));
    cut(attemptFiles.result, change);
    expect(readResult(folder)).toBeUndefined();
    writeFileSync(join(folder, attemptFiles.result), '');
    expect(writeResult(folder, resultOf('second')).ending.message).toBe('second');
    expect(readResult(folder)?.ending.message).toBe('second');
    expect(writeResult(folder, resultOf('third')).ending.message).toBe('second');
  });

  it.each(cuts)('treats a claim that is %s as a claim by an unknown supervisor', (_, change) => {
    prepare(spec);
    const claim = { name: spec.name, specHash: readSpec(folder)!.hash, startedAt };
    expect(claimRun(folder, claim)).toBeDefined();
    cut(attemptFiles.run, change);
    const read = readRun(folder);
    expect(read).toMatchObject({ claimedBy: 'supervisor', specHash: claim.specHash, supervisor: { pid: 0 } });
    expect(Date.parse(read!.startedAt)).toBeGreaterThan(Date.parse(startedAt));
    expect(claimRun(folder, claim)).toBeUndefined();
    expect(existsSync(join(folder, attemptFiles.run))).toBe(true);
  });

  it('keeps the damaged file beside the new one', () => {
    writeResult(folder, resultOf('first'));
    for (const [, change] of cuts) {
      cut(attemptFiles.result, change);
      readResult(folder);
      writeResult(folder, resultOf('again'));
    }
    expect(own().filter((name) => name.endsWith('.damaged'))).toHaveLength(cuts.length);
  });

  it('keeps a new record that appears while the damaged one is moved aside', () => {
    const path = join(folder, attemptFiles.result);
    writeFileSync(path, '');
    const { renameSync } = fs;
    const renames = jest.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      // Another process was faster: the damaged file is missing, and its result exists.
      rmSync(from);
      writeResult(folder, resultOf('of somebody else'));
      renameSync(from, to);
    });
    expect(readResult(folder)?.ending.message).toBe('of somebody else');
    expect(renames).toHaveBeenCalled();
    renames.mockRestore();
    expect(readResult(folder)?.ending.message).toBe('of somebody else');
  });
});
