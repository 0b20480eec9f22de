import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault, type Fault } from '@fleet/contracts';
import { sourceThreadArguments } from '@fleet/testing';
import { ownScript, PooledFileInspector, type PoolLimits } from './index';

const rogue = { file: join(__dirname, 'fixtures/rogue-thread.mjs'), execArgv: [] };
const pools: PooledFileInspector[] = [];

const poolOf = (limits: Partial<PoolLimits>, script: { file: string; execArgv: readonly string[] } = rogue) => {
  const pool = new PooledFileInspector(
    { threads: 1, timeoutMs: 60_000, memoryMib: 64, maxWaiting: 100, ...limits },
    script,
  );
  pools.push(pool);
  return pool;
};

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.onApplicationShutdown()));
});

const faultOf = async (inspection: Promise<unknown>): Promise<Fault> => {
  try {
    await inspection;
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error('it was read');
};

it('hands back what the thread found, with all that it was asked with', async () => {
  const origin = { cycle: 3, program: 'phenix.refine' };
  expect(await poolOf({}).inspect('/x/plain', origin)).toEqual({
    path: '/x/plain',
    size: 1,
    ...origin,
    facts: { format: 'text' },
  });
});

it('reads files as the inspector in this process does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'));
  const path = join(folder, 's.fa');
  writeFileSync(path, '>A\nMKT\n');
  const pool = poolOf({}, { ...ownScript, execArgv: sourceThreadArguments });
  expect((await pool.inspect(path, { cycle: 0 })).facts.format).toBe('sequence');
  expect(await faultOf(pool.inspect(join(folder, 'nothing'), { cycle: 0 }))).toMatchObject({
    code: 'file.missing',
    kind: 'caller',
    problems: [{ field: join(folder, 'nothing') }],
  });
  rmSync(folder, { recursive: true });
}, 60_000);

it('gives a Fault of the thread as it was', async () => {
  expect(await faultOf(poolOf({}).inspect('/x/fault', { cycle: 0 }))).toMatchObject({
    code: 'file.corrupt',
    kind: 'caller',
    message: '/x/fault: why',
    problems: [{ field: '/x/fault', reason: 'why', allowed: 'what' }],
  });
});

it.each(['hang', 'pattern'])(
  'ends a thread that does not answer (%s), and takes the next file with a new one',
  async (name) => {
    const pool = poolOf({ timeoutMs: 1_500 });
    const [fault, next] = await Promise.all([
      faultOf(pool.inspect(`/x/${name}`, { cycle: 0 })),
      pool.inspect('/x/plain', { cycle: 0 }),
    ]);
    expect(fault).toMatchObject({
      code: 'file.inspection_timeout',
      kind: 'caller',
      problems: [{ field: `/x/${name}` }],
    });
    expect(fault.message).toContain('within 1.5 s');
    expect(next.path).toBe('/x/plain');
  },
);

it('that the machine or its disk is too slow is no problem of the file', async () => {
  const fault = await faultOf(poolOf({ timeoutMs: 500 }).inspect('/x/slow:60', { cycle: 0 }));
  expect(fault).toMatchObject({ code: 'inspection.busy', kind: 'transient' });
  expect(fault.message).toContain('too slow to read "/x/slow:60" within 0.5 s');
});

it.each([
  ['memory', /more than 64 MiB of memory/],
  ['end', /the reader ended/],
  ['throw', /the reader ended/],
  ['broken', /the reader failed \(a mistake of the reader\)/],
])(
  'a file on which the reader breaks (%s) is a problem of that file',
  async (name, reason) => {
    const pool = poolOf({});
    const fault = await faultOf(pool.inspect(`/x/${name}`, { cycle: 0 }));
    expect(fault).toMatchObject({
      code: 'file.inspection_failed',
      kind: 'caller',
      problems: [{ field: `/x/${name}` }],
    });
    expect(fault.message).toMatch(reason);
    expect((await pool.inspect('/x/plain', { cycle: 0 })).path).toBe('/x/plain');
  },
  60_000,
);

/** The names of files in the order in which they were done. */
const doneInOrder = async (threads: number, names: readonly string[]): Promise<readonly string[]> => {
  const pool = poolOf({ threads });
  const ended: string[] = [];
  await Promise.all(
    names.map(async (name) => {
      const { path } = await pool.inspect(`/x/${name}`, { cycle: 0 });
      ended.push(path.slice(3));
    }),
  );
  return ended;
};

it('works on no more files at once than it has threads', async () => {
  expect((await doneInOrder(2, ['slow:0.3', 'slow:0.31', 'a']))[0]).toMatch(/^slow/);
});

it('takes the others in their order', async () => {
  expect(await doneInOrder(1, ['slow:0.3', 'a', 'b', 'c'])).toEqual(['slow:0.3', 'a', 'b', 'c']);
});

it('sends away who comes when too many wait', async () => {
  const pool = poolOf({ maxWaiting: 2 });
  const held = ['slow:0.5', 'a', 'b'].map((name) => pool.inspect(`/x/${name}`, { cycle: 0 }));
  expect(await faultOf(pool.inspect('/x/c', { cycle: 0 }))).toMatchObject({
    code: 'inspection.busy',
    kind: 'transient',
  });
  expect(await Promise.all(held)).toHaveLength(3);
});

it('ends at once with the service: who waits is told to come again, and no thread is left', async () => {
  const pool = poolOf({});
  const held = ['hang', 'plain'].map((name) => faultOf(pool.inspect(`/x/${name}`, { cycle: 0 })));
  await pool.onApplicationShutdown();
  expect((await Promise.all(held)).map(({ code }) => code)).toEqual(['inspection.busy', 'inspection.busy']);
  expect(await faultOf(pool.inspect('/x/plain', { cycle: 0 }))).toMatchObject({ code: 'inspection.busy' });
});

it('finds its own script beside it', () => {
  expect(existsSync(ownScript.file)).toBe(true);
});
