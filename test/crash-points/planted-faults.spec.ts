import type { ExecutionBackend, StepSchedule } from '@fleet/ports';
import type { MemoryStore, ScriptedBackend } from '@fleet/testing';
import { submit, until, work, isRunning } from './acts';
import { anInstallation, dies, everythingWrong } from './every-point';
import type { Path } from './play';
import type { Planted } from './world';

const path: Path = {
  name: 'a session until its program runs',
  deaths: 0,
  failures: 0,
  acts: [submit({ settings: { max_cycles: 1 } }), work(until(isRunning))],
  after: [work()],
};

/** Launches again what it has launched already. */
const forgetful = (programs: ScriptedBackend): ExecutionBackend =>
  Object.assign(Object.create(programs) as ScriptedBackend, {
    ensure: (spec: Parameters<ExecutionBackend['ensure']>[0]) => {
      programs.forget(spec.name);
      return programs.ensure(spec);
    },
  });

/** Has no outbox and no deadlines. */
const careless = (schedule: StepSchedule): StepSchedule =>
  Object.assign(Object.create(schedule) as StepSchedule, {
    unacknowledged: () => Promise.resolve([]),
    overdue: () => Promise.resolve([]),
  });

const withoutSweeps = (store: MemoryStore): MemoryStore =>
  Object.assign(Object.create(store) as MemoryStore, { schedule: careless(store.schedule) });

const planted: readonly (readonly [string, Planted, RegExp])[] = [
  ['programs are launched twice', { backend: forgetful }, /backend\.ensure\): \+ launched/],
  ['nobody looks after lost wake-ups', { store: withoutSweeps }, /./],
];

describe('the enumeration finds what is wrong where', () => {
  const installed = anInstallation();

  it.each(planted)('%s', async (_, fault, expected) => {
    const { wrong } = await everythingWrong({ ...path, planted: fault }, dies, installed());
    expect(wrong.join('\n')).toMatch(expected);
  });

  it('and nothing where nothing is', async () => {
    expect((await everythingWrong(path, dies, installed())).wrong).toEqual([]);
  });
});
