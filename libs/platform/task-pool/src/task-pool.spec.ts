import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { TaskFailure, TaskPool, threadsOf, type TaskPoolOptions } from './index';
import type { ThreadLimits } from './pool-thread';

interface Task {
  readonly act: string;
  readonly value?: unknown;
}
const script = { file: join(__dirname, 'fixtures/thread.mjs'), execArgv: [] };
const echo = (value: unknown): Task => ({ act: 'echo', value });
const pools: TaskPool<Task, unknown>[] = [];

const poolOf = (
  change: Partial<TaskPoolOptions & ThreadLimits & { readonly workerData: unknown }>,
): TaskPool<Task, unknown> => {
  const all = { workers: 1, maxWaiting: 100, timeoutMs: 60_000, memoryMib: 64, ...change };
  const pool = new TaskPool<Task, unknown>(threadsOf(script, all, change.workerData), all);
  pools.push(pool);
  return pool;
};

afterEach(() => {
  jest.restoreAllMocks();
  return Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const failureOf = async (answer: Promise<unknown>): Promise<TaskFailure> => {
  const error = await answer.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (error instanceof TaskFailure) return error;
  throw error;
};
const reasonOf = async (answer: Promise<unknown>) => (await failureOf(answer)).reason;

const answeredAgain = async (pool: TaskPool<Task, unknown>): Promise<unknown> => {
  for (;;) {
    const answer = await pool.run(echo(2)).catch((error: unknown) => error);
    if (!(answer instanceof TaskFailure && answer.reason === 'stuck')) return answer;
    await pause(20);
  }
};

it('answers with the data that its threads received', async () => {
  expect(await poolOf({ workerData: { value: 7 } }).run(echo('a'))).toEqual({ value: 'a', data: 7 });
});

it('runs tasks in order, as many in parallel as it has threads', async () => {
  const pool = poolOf({ workers: 2 });
  const ended: unknown[] = [];
  const tasks: Task[] = [{ act: 'slow', value: 0.3 }, { act: 'hang' }, ...['a', 'b', 'c'].map(echo)];
  const answers = tasks.map((task) => pool.run(task).then(() => ended.push(task.value)));
  const hung = reasonOf(answers[1] ?? Promise.resolve());
  await Promise.all([answers[0], ...answers.slice(2)]);
  expect(ended).toEqual([0.3, 'a', 'b', 'c']);
  await pool.close();
  expect(await hung).toBe('closed');
});

it('passes on an error of a task with message and stack, and keeps the thread', async () => {
  const pool = poolOf({});
  const { reason, cause } = await failureOf(pool.run({ act: 'error' }));
  expect(reason).toBe('failed');
  expect(cause).toMatchObject({ message: 'a mistake', stack: 'at there' });
  expect(await pool.run(echo(1))).toMatchObject({ value: 1 });
});

it.each([
  ['memory', 'memory'],
  ['ended', 'end'],
  ['ended', 'throw'],
])(
  'loses only a thread and its task (%s: %s), and runs the next with a new one',
  async (reason, act) => {
    const pool = poolOf({});
    const [lost, next] = await Promise.all([reasonOf(pool.run({ act })), pool.run(echo('next'))]);
    expect(lost).toBe(reason);
    expect(next).toMatchObject({ value: 'next' });
  },
  60_000,
);

it('rejects a task when too many are waiting, and answers the others', async () => {
  const pool = poolOf({ maxWaiting: 2 });
  const held = [1, 2, 3].map((value) => pool.run(echo(value)));
  expect(await reasonOf(pool.run(echo(4)))).toBe('full');
  expect(await Promise.all(held)).toHaveLength(3);
});

it('counts the time of a task only from when a thread has it', async () => {
  const pool = poolOf({ timeoutMs: 1_000 });
  const tasks = [1, 2, 3].map(() => pool.run({ act: 'slow', value: 0.5 }));
  expect(await Promise.all(tasks)).toHaveLength(3);
});

it('distinguishes a task that used all its time from one on a slow machine', async () => {
  const pool = poolOf({ timeoutMs: 2_000 });
  // However little of a processor the machine gives it.
  let user = 0;
  const usage = jest
    .spyOn(Worker.prototype, 'cpuUsage')
    .mockImplementation(() => Promise.resolve({ user: (user += 60_000_000), system: 0 }));
  const lost = reasonOf(pool.run({ act: 'hang' }));
  const next = pool.run(echo('next'));
  expect(await lost).toBe('time');
  usage.mockRestore();
  expect(await next).toMatchObject({ value: 'next' });
  expect(await reasonOf(pool.run({ act: 'slow', value: 60 }))).toBe('held');
  expect(await pool.run(echo(1))).toMatchObject({ value: 1 });
});

it('ends only the wait for a thread that takes too long', async () => {
  const pool = poolOf({ longestWaitMs: 2_000 });
  await pool.run(echo(1));
  const long = pool.run({ act: 'slow', value: 3 });
  expect(await reasonOf(pool.run(echo(2)))).toBe('waited');
  expect(await long).toBeDefined();
  expect(await pool.run(echo(3))).toMatchObject({ value: 3 });
});

it.each([
  ['fail', 'ended', 'nothing to load'],
  ['silent', 'waited', 'the thread was not ready within 1 s'],
] as const)('reports why a thread cannot start (%s), to each waiting caller', async (start, reason, message) => {
  const pool = poolOf({ workerData: { start }, startMs: 1_000 });
  const failures = await Promise.all([1, 2].map((value) => failureOf(pool.run(echo(value)))));
  expect(failures.map((failure) => failure.reason)).toEqual([reason, reason]);
  expect(failures[0]?.cause).toMatchObject({ message });
});

it('ends at once: waiting and running tasks are rejected, no thread is left, and no task is accepted', async () => {
  const pool = poolOf({});
  const held = [{ act: 'hang' }, echo(1)].map((task) => reasonOf(pool.run(task)));
  await pool.close();
  expect(await Promise.all(held)).toEqual(['closed', 'closed']);
  expect(await reasonOf(pool.run(echo(2)))).toBe('closed');
});

it('accepts nothing while all of its threads wait for a disk, and continues when the disk responds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const pool = poolOf({ timeoutMs: 1_000, leaveMs: 100 });
  await pool.run(echo(0));
  const lost = pool.run({ act: 'disk', value: fifo });
  // Whether it works or still waits for its thread when the other one counts as stuck, no task behind it is answered.
  const before = reasonOf(pool.run({ act: 'hang' }));
  const waiting = reasonOf(pool.run(echo(0)));
  expect([await reasonOf(lost), await waiting]).toEqual(['held', 'stuck']);
  expect(['time', 'held', 'stuck']).toContain(await before);
  expect(await reasonOf(pool.run(echo(1)))).toBe('stuck');
  closeSync(openSync(fifo, 'w'));
  expect(await answeredAgain(pool)).toMatchObject({ value: 2 });
  rmSync(folder, { recursive: true });
});

it('lets the process end while its workers are idle', () => {
  const code = `
    const { TaskPool, threadsOf } = require(${JSON.stringify(join(__dirname, 'index.ts'))});
    const pool = new TaskPool(threadsOf(${JSON.stringify(script)}, { timeoutMs: 60000, memoryMib: 64 }), { workers: 2, maxWaiting: 1 });
    pool.run({ act: 'echo', value: 'done' }).then(({ value }) => console.log(value));`;
  const loader = join(__dirname, '../../../../test/support/typescript.mjs');
  const { stdout, status } = spawnSync(process.execPath, ['--import', loader, '-e', code], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  expect({ stdout, status }).toEqual({ stdout: 'done\n', status: 0 });
});
