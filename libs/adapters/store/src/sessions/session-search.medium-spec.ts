import type { SessionOrder, SessionRequest, SessionStop, UnitCell } from '@fleet/contracts/sessions';
import type { SessionFilter } from '@fleet/ports';
import { nearlyReducedCells } from '@fleet/symmetry';
import { aCycle, aDecision, aFile, aNewSession, anAttempt, aRequest, aResult } from '@fleet/testing';
import { progressOf } from '@fleet/session-report';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();

const mtz = { reflections: 1, lowResolution: 40, columns: [], observations: [], mapCoefficients: [], phases: [] };
const crystal = (spaceGroup: string, cell: UnitCell, highResolution: number) => [
  aFile({ path: '/data/d.mtz', facts: { format: 'mtz', spaceGroup, cell, mtz: { ...mtz, highResolution } } }),
];

interface Made extends Partial<SessionRequest> {
  readonly name: string;
  readonly program?: string;
  readonly fit?: readonly [metric: 'r_free' | 'map_cc', value: number];
  readonly stop?: SessionStop;
}

const stopped = (reason: SessionStop['reason'], detail: string): SessionStop => ({ reason, detail, afterCycle: 1 });

const sessions: readonly Made[] = [
  {
    name: 'lysozyme',
    sample: 'HEWL-7',
    ligands: [{ code: 'NAG' }],
    inputs: crystal('P 43 21 2', [78, 78, 37, 90, 90, 90], 1.4),
    program: 'phenix.refine',
    fit: ['r_free', 0.19],
    stop: stopped('converged', 'R-free is as low as at this resolution'),
  },
  {
    name: 'protease',
    proposal: 'mx2',
    inputs: crystal('C 1 2 1', [92.1, 46.2, 60.3, 90, 107.2, 90], 2.2),
    program: 'phenix.phaser',
    fit: ['r_free', 0.42],
    stop: stopped('program_failed', 'Phaser found No Solution'),
  },
  {
    name: 'ribosome',
    beamline: 'krios',
    inputs: [aFile({ path: '/data/m.mrc', facts: { format: 'map' } })],
    program: 'phenix.real_space_refine',
    fit: ['map_cc', 0.81],
  },
  { name: 'untouched', inputs: crystal('P 21 21 21', [40, 60, 80, 90, 90, 90], 1.8) },
];

describe('session search', () => {
  let store: PostgresStore;
  let names: ReadonlyMap<string, string>;
  beforeEach(async () => {
    const { db, clock } = await databases.context();
    store = new PostgresStore(db, clock);
    const made = new Map<string, string>();
    for (const [number, { name, program, fit, stop, ...request }] of sessions.entries()) {
      const createdAt = new Date(Date.UTC(2026, 10, 21, 8, number)).toISOString();
      const session = aNewSession({ createdAt, request: aRequest({ title: `a ${name}`, ...request }) });
      made.set(session.id, name);
      await store.records.create(session, [], 1000);
      if (program === undefined) continue;
      const experimentType = fit?.[0] === 'map_cc' ? 'cryoem' : 'xray';
      const result = { ...aResult(), ...(fit && { fit: { metric: fit[0], value: fit[1] } }) };
      const decision = aDecision({ program, experimentType });
      const cycleRecord = aCycle({ decision, attempts: [anAttempt()], result });
      const progress = progressOf({ request: session.request, cycles: [cycleRecord] });
      const to = stop === undefined ? ({ stage: 'deciding', cycle: 2, attempt: 1 } as const) : { ended: stop };
      const fence = { sessionId: session.id, fromVersion: 1 };
      await store.records.advance({ ...fence, to, cycleRecord, progress, events: [], dueInMs: 1000 });
    }
    names = made;
  });

  const listed = async (filter: SessionFilter, order?: SessionOrder, limit = 1): Promise<readonly string[]> => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.index.list(filter, limit, cursor, order);
      found.push(...page.sessions.map(({ id }) => names.get(id) ?? id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  };
  const tolerance = { edges: 0.01, angles: 1 };
  const near = (cell: UnitCell, centring = 'P'): SessionFilter => ({
    cells: { anyOf: nearlyReducedCells(cell, tolerance, centring), within: tolerance },
  });

  it.each<[string, SessionFilter, readonly string[]]>([
    ['a sample, in any case', { text: 'hewl' }, ['lysozyme']],
    ['a title, anywhere', { text: 'Ro' }, ['protease']],
    ['a failure', { failure: 'no solution' }, ['protease']],
    ['a text of a success, which is not a failure', { failure: 'resolution' }, []],
    ['a ligand', { ligand: 'NAG' }, ['lysozyme']],
    ['a space group', { spaceGroup: 'P 43 21 2' }, ['lysozyme']],
    ['a resolution', { resolution: { min: 1.5, max: 2.2 } }, ['untouched', 'protease']],
    ['an R-free', { rFree: { max: 0.25 } }, ['lysozyme']],
    ['a map correlation', { mapCc: { min: 0.8 } }, ['ribosome']],
    ['a program that was started', { program: 'phenix.refine' }, ['lysozyme']],
    ['a cell', near([78.5, 78.4, 37.1, 90, 90, 90]), ['lysozyme']],
    ['a cell in another setting', near([60.3, 46.2, 92.5, 90, 107.5, 90], 'A'), ['protease']],
    ['a cell that is too long', near([79.5, 78, 37, 90, 90, 90]), []],
    ['several things at once', { rFree: { min: 0.1 }, proposal: 'mx2', failure: 'phaser' }, ['protease']],
    ['several things that none has', { rFree: { max: 0.25 }, proposal: 'mx2' }, []],
    ['a reach', { within: [{ proposal: 'mx2' }, { beamline: 'krios' }] }, ['ribosome', 'protease']],
    ['no reach', { within: [] }, []],
  ])('finds %s', async (_, filter, expected) => {
    await expect(listed(filter)).resolves.toEqual(expected);
  });

  it.each<[SessionOrder, readonly string[]]>([
    ['-created', ['untouched', 'ribosome', 'protease', 'lysozyme']],
    ['created', ['lysozyme', 'protease', 'ribosome', 'untouched']],
    ['title', ['lysozyme', 'protease', 'ribosome', 'untouched']],
    ['-title', ['untouched', 'ribosome', 'protease', 'lysozyme']],
    ['rFree', ['lysozyme', 'protease', 'untouched', 'ribosome']],
    ['-rFree', ['protease', 'lysozyme', 'ribosome', 'untouched']],
    ['resolution', ['lysozyme', 'untouched', 'protease', 'ribosome']],
    ['proposal', ['untouched', 'ribosome', 'lysozyme', 'protease']],
    ['-beamline', ['ribosome', 'lysozyme', 'protease', 'untouched']],
    ['outcome', ['protease', 'lysozyme', 'untouched', 'ribosome']],
    ['ended', ['protease', 'lysozyme', 'untouched', 'ribosome']],
    ['spaceGroup', ['protease', 'untouched', 'lysozyme', 'ribosome']],
  ])('sorts by %s, page after page, those without a value last', async (order, expected) => {
    for (const limit of [1, 2, 3, 4, 5]) await expect(listed({}, order, limit)).resolves.toEqual(expected);
  });
});
