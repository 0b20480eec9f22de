import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFault, type Fault } from '@fleet/contracts/faults';
import { useFolder } from '@fleet/testing';
import { startedInspector } from './gemmi-file-inspector';
import { GemmiFileInspector, type ReaderLimits } from './index';

/** Readers that misbehave according to the file name. */
const rogue = join(__dirname, 'fixtures/rogue-readers');
const folder = useFolder('file');
const inspectors: GemmiFileInspector[] = [];

const inspectorOf = (limits: Partial<ReaderLimits>, readers = rogue): GemmiFileInspector => {
  const inspector = new GemmiFileInspector(
    { readers: 1, timeoutMs: 60_000, longestMs: 600_000, memoryMib: 64, ...limits },
    undefined,
    readers,
  );
  inspectors.push(inspector);
  return inspector;
};

const named = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, 'x');
  return path;
};

afterEach(() => Promise.all(inspectors.splice(0).map((one) => one.onApplicationShutdown())));

const faultOf = async (inspection: Promise<unknown>): Promise<Fault> => {
  try {
    await inspection;
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error('it was read');
};

const plain = (inspector: GemmiFileInspector, name = 'plain') => inspector.inspect(named(name), { cycle: 0 });

it("returns a reader's result, with all of its input", async () => {
  const origin = { cycle: 3, program: 'phenix.refine' };
  expect(await inspectorOf({}).inspect(named('plain'), origin)).toEqual({
    path: join(folder, 'plain'),
    size: 1,
    ...origin,
    facts: { format: 'text' },
  });
});

it("converts a reader's refusal to a Fault that names the file", async () => {
  expect(await faultOf(plain(inspectorOf({}), 'refuse'))).toMatchObject({
    code: 'file.corrupt',
    kind: 'caller',
    problems: [{ field: join(folder, 'refuse'), reason: 'why', allowed: 'what' }],
  });
});

it('ends a reader that does not finish, and reads the next file with a new one', async () => {
  const inspector = inspectorOf({ timeoutMs: 500 });
  const [fault, next] = await Promise.all([faultOf(plain(inspector, 'hang')), plain(inspector)]);
  expect(fault).toMatchObject({ code: 'file.inspection_timeout', kind: 'caller' });
  expect(fault.message).toContain('within 0.5 s');
  expect(next.facts.format).toBe('text');
});

it('a slow machine or disk is not a problem of the file', async () => {
  const fault = await faultOf(plain(inspectorOf({ longestMs: 1200 }), 'slow_60'));
  expect(fault).toMatchObject({ code: 'inspection.busy', kind: 'transient' });
  expect(fault.message).toContain('too slow to read');
});

it.each([
  ['memory', /more than 64 MiB of memory/],
  ['end', /the reader ended/],
  ['broken', /the reader failed \(ValueError: a mistake of the reader\)/],
  ['network', /the reader failed \(RuntimeError: socket\.__new__ is not allowed here\)/],
])('a file on which the reader crashes (%s) is a problem of that file', async (name, reason) => {
  const inspector = inspectorOf({});
  await plain(inspector);
  const fault = await faultOf(plain(inspector, name));
  expect(fault).toMatchObject({ code: 'file.inspection_failed', kind: 'caller' });
  expect(fault.message).toMatch(reason);
  expect((await plain(inspector)).facts.format).toBe('text');
});

it('rejects a file when too many are waiting', async () => {
  const inspector = inspectorOf({ maxWaiting: 2 });
  const all = await Promise.allSettled(['slow_0.5', 'a', 'b', 'c'].map((name) => plain(inspector, name)));
  // Which one comes last is not known.
  const rejected = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(rejected).toMatchObject([{ code: 'inspection.busy', kind: 'transient' }]);
});

it('ends with the service: waiting callers get a retryable error', async () => {
  const inspector = inspectorOf({});
  // Both hang: either may come to the reader first.
  const held = ['hang', 'hang'].map((name) => faultOf(plain(inspector, name)));
  // One of them is in progress.
  await plain(inspectorOf({}));
  await inspector.onApplicationShutdown();
  expect((await Promise.all(held)).map(({ code }) => code)).toEqual(['inspection.busy', 'inspection.busy']);
});

it('reports a Python without gemmi, and what to install', async () => {
  const inspector = new GemmiFileInspector({}, '/nowhere/python3');
  const fault = await faultOf(plain(inspector));
  expect(fault).toMatchObject({ code: 'inspection.unavailable' });
  expect(fault.message).toMatch(
    /need Python 3\.10 or newer with gemmi and numpy, and "\/nowhere\/python3".*pip install/,
  );
});

it('a service without one does not start', async () => {
  const limits = { readers: 1, maxWaiting: 1, timeoutMs: 1_000, longestMs: 6_000, memoryMib: 64 };
  await expect(startedInspector({ ...limits, python: '/nowhere/python3' })).rejects.toMatchObject({
    name: 'ConfigError',
    problems: [{ variable: 'FLEET_INSPECTION_PYTHON' }],
  });
});

describe('a file that is looked at again', () => {
  const notesOf = async (inspector: GemmiFileInspector, name: string, root?: string) =>
    (await inspector.inspect(join(folder, name), { cycle: 0 }, root)).facts.notes?.[0];

  it('is read once where it is pinned, as for the preview of a submission and the submission', async () => {
    const inspector = inspectorOf({});
    named('counted');
    expect(await notesOf(inspector, 'counted', folder)).toBe('Read 1 files');
    expect(await notesOf(inspector, 'counted', folder)).toBe('Read 1 files');
    expect(await notesOf(inspector, 'counted')).toBe('Read 2 files');
  });

  it('is read again where its content has changed, at the same length and time, or its name', async () => {
    const inspector = inspectorOf({});
    const path = named('counted');
    expect(await notesOf(inspector, 'counted', folder)).toBe('Read 1 files');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'y');
    utimesSync(path, atime, mtime);
    expect(await notesOf(inspector, 'counted', folder)).toBe('Read 2 files');
    renameSync(path, join(folder, 'counted_other'));
    expect(await notesOf(inspector, 'counted_other', folder)).toBe('Read 3 files');
  });
});
