import type { SessionStop } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, aNewSession, anAttempt, aRequest, aResult, dataFile } from '@fleet/testing';
import { progressOf } from '@fleet/session-report';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();

const data = aFile({
  path: '/data/d.mtz',
  facts: { ...dataFile().facts, spaceGroup: 'P43212', cell: [77.3, 77.3, 38, 90, 90, 90] },
});
const dictionary = aFile({ path: '/data/nut.cif', facts: { format: 'restraints', restraints: { codes: ['NUT'] } } });
const request = aRequest({
  title: 'Lysozyme',
  sample: 'HEWL-7',
  inputs: [data, dictionary],
  ligands: [{ code: 'NAG' }, { smiles: 'CCO', id: 'LIG' }],
});
const fit = { metric: 'r_free', value: 0.231, resolution: 1.75 } as const;
const failed: SessionStop = { reason: 'program_failed', detail: 'the free set\u0000 is empty', afterCycle: 1 };

describe('search columns of sessions', () => {
  it('contain what was submitted, and after each move its results', async () => {
    const { db, clock } = await databases.context();
    const { records } = new PostgresStore(db, clock);
    const made = aNewSession({ request });
    await records.create(made, [], 1000);
    const row = () => db.selectFrom('sessions').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow();
    await expect(row()).resolves.toMatchObject({
      sample: 'HEWL-7',
      ligands: ['NAG', 'LIG', 'NUT'],
      space_group: 'P 43 21 2',
      resolution: 1.8,
      r_free: null,
      programs: [],
      failure: null,
      searched: `lysozyme\nhewl-7\n${made.id}`,
      experiment: 'xray',
    });
    const { reduced_cell: cell } = await row();
    expect(cell?.map((value) => Number(value.toFixed(3)))).toEqual([38, 77.3, 77.3, 90, 90, 90]);
    const cycleRecord = aCycle({
      decision: aDecision({ program: 'phenix.refine' }),
      attempts: [anAttempt()],
      result: { ...aResult(), fit },
    });
    const progress = progressOf({ request, cycles: [cycleRecord] });
    const to = { ended: failed };
    await records.advance({ sessionId: made.id, fromVersion: 1, to, cycleRecord, progress, events: [], dueInMs: 1 });
    await expect(row()).resolves.toMatchObject({
      outcome: 'failed_science',
      resolution: 1.75,
      r_free: 0.231,
      map_cc: null,
      programs: ['phenix.refine'],
      failure: 'the free set is empty',
    });
  });

  it('follow a request that is replaced, and otherwise stay, in well-formed text', async () => {
    const { db, clock } = await databases.context();
    const { records } = new PostgresStore(db, clock);
    const title = String.raw`HEWL \ud800 \\ud800` + '\ud800 "\ud83d\ude00"';
    const made = aNewSession({ request: aRequest({ title, sample: 'HEWL-7', batch: 'b1', inputs: [data] }) });
    await records.create(made, [], 1000);
    const row = () => db.selectFrom('sessions').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow();
    const before = await row();
    expect(before.title).toBe(title.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
    const to = { ended: failed };
    await records.advance({ sessionId: made.id, fromVersion: 1, to, events: [], dueInMs: 1 });
    const unchanged = ['title', 'sample', 'batch', 'reduced_cell', 'searched', 'uses', 'request', 'guidance'] as const;
    const ended = await row();
    expect(unchanged.map((column) => ended[column])).toEqual(unchanged.map((column) => before[column]));
    const again = aRequest({ title: 'Thaumatin', inputs: [] });
    const next = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    await records.reopen({ sessionId: made.id, fromVersion: 2, to: next, request: again, events: [], dueInMs: 1 });
    await expect(row()).resolves.toMatchObject({
      ...{ title: 'Thaumatin', sample: null, batch: null, reduced_cell: null, request: again },
      searched: `thaumatin\n${made.id}`,
    });
  });

  it('contain no ligands of a monomer library, only requested ones', async () => {
    const { db, clock } = await databases.context();
    const codes = Array.from({ length: 1000 }, (_, number) => `M${String(1000 + number)}`);
    const library = aFile({ path: '/data/lib.cif', facts: { format: 'restraints', restraints: { codes } } });
    const made = aNewSession({ request: aRequest({ inputs: [data, library], ligands: [{ code: 'NAG' }] }) });
    await new PostgresStore(db, clock).records.create(made, [], 1000);
    await expect(db.selectFrom('sessions').select('ligands').executeTakeFirst()).resolves.toEqual({ ligands: ['NAG'] });
  });

  it("contain a map's correlation, and no cell", async () => {
    const { db, clock } = await databases.context();
    const { records } = new PostgresStore(db, clock);
    const inputs = [aFile({ path: '/data/m.mrc', facts: { format: 'map', cell: [100, 100, 100, 90, 90, 90] } })];
    const made = aNewSession({ request: aRequest({ inputs }) });
    await records.create(made, [], 1000);
    const cycleRecord = aCycle({
      decision: aDecision({ experimentType: 'cryoem' }),
      result: { ...aResult(), fit: { metric: 'map_cc', value: 0.81 } },
    });
    const progress = progressOf({ request: made.request, cycles: [cycleRecord] });
    const to = { ended: { reason: 'converged', detail: 'good', afterCycle: 1 } } as const;
    await records.advance({ sessionId: made.id, fromVersion: 1, to, cycleRecord, progress, events: [], dueInMs: 1 });
    await expect(db.selectFrom('sessions').selectAll().executeTakeFirst()).resolves.toMatchObject({
      experiment: 'cryoem',
      map_cc: 0.81,
      r_free: null,
      reduced_cell: null,
      failure: null,
    });
  });
});
