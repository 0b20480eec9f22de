import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingDefinitions, type SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { buildDecisionGraph } from '@fleet/decision-graph';
import type { NewSession } from '@fleet/ports';
import { aFullCatalogue, anEvent, anId, projectRules, refinements, walkSession } from '@fleet/testing';
import { eventually, startLoop, type Loop } from '../loop/loop-harness';

/** A record as its release wrote it: no default is filled in, and this one lacks every setting. */
const storedRecords = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(__dirname, name)).map((file) => join(name, file)));
const recordIn = (file: string): Session => {
  const { session } = JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as { session: Session };
  return { ...session, request: { ...session.request, settings: {} as SessionSettings } };
};

/** Attempts while the program runs. */
const inProgress = (attempts: CycleRecord['attempts']): CycleRecord['attempts'] =>
  JSON.parse(
    JSON.stringify(attempts, (name, value: unknown) => (name === 'ending' ? undefined : value)),
  ) as CycleRecord['attempts'];

/** A session in each place of the loop, as it was when its release was replaced. */
const placesOf = (stored: Session): Readonly<Record<'deciding' | 'executing' | 'analysing', NewSession['resume']>> => {
  const last = stored.cycles.at(-1);
  if (last === undefined) throw new Error('the record holds no cycle');
  const { cycle, decision, attempts } = last;
  const before = stored.cycles.slice(0, -1);
  const position = { status: 'running', cycle, attempt: 1 } as const;
  return {
    deciding: { ...position, stage: 'deciding', cycles: before },
    executing: {
      ...position,
      stage: 'executing',
      cycles: [...before, { cycle, decision, attempts: inProgress(attempts) }],
    },
    analysing: { ...position, stage: 'analysing', cycles: [...before, { cycle, decision, attempts }] },
  };
};

describe('sessions of every release, put into Redis', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  const put = async (stored: Session, resume: NewSession['resume']): Promise<string> => {
    const { folder, request, createdAt } = stored;
    const id = anId();
    const events = [anEvent({ type: 'session_submitted' })];
    await loop.store.records.create({ id, folder, request, createdAt, ...(resume && { resume }) }, events, 1_000);
    return id;
  };

  const loaded = async (id: string): Promise<Session> => {
    const session = await loop.store.records.load(id);
    if (session === undefined) throw new Error(`${id} is not there`);
    return session;
  };

  it.each(storedRecords)('are carried on from any place to their end by workers of today: %s', async (file) => {
    const stored = recordIn(file);
    const ids = await Promise.all(Object.values(placesOf(stored)).map((resume) => put(stored, resume)));
    const work = { cycles: stored.cycle + 2, maxWorkMs: 5, stillRunning: 0, dueInMs: 1_500 };
    await loop.startAllHere(work);
    await eventually(
      () => Promise.all(ids.map(loaded)),
      (sessions) => sessions.every(({ status }) => status === 'completed'),
    );
    for (const { cycle, cycles } of await Promise.all(ids.map(loaded))) {
      expect(cycle).toBe(work.cycles);
      expect(cycles.slice(0, stored.cycle - 1)).toEqual(stored.cycles.slice(0, -1));
    }
  });

  it.each(storedRecords)('are decided on to their end by the rules of today, programs simulated: %s', async (file) => {
    const stored = recordIn(file);
    const { request, cycles } = await loaded(await put(stored, placesOf(stored).deciding));
    const defaults = Object.fromEntries(Object.entries(settingDefinitions).map(([name, one]) => [name, one.default]));
    expect(request.settings).toEqual(defaults);
    const ruleBook = projectRules();
    const { programs, session } = await walkSession({
      ...request,
      graph: buildDecisionGraph({ ruleBook }),
      ruleBook,
      from: cycles,
      catalogue: aFullCatalogue(ruleBook),
      runs: { refine: refinements(0.25, 0.21) },
    });
    expect([programs.length > 1, programs.at(-1)]).toEqual([true, 'STOP']);
    expect(session.cycles.slice(0, cycles.length)).toEqual(cycles);
  });
});
