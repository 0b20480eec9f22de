import type { StoredLogSummary, LogSummaryView } from '@fleet/contracts/results';
import type { CycleRecord } from '@fleet/contracts/sessions';
import type { LogSummaries } from '@fleet/ports';
import { aCycle, aDecision, aNewSession, anId, aRequest, aResult, someSettings, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

const made: StoredLogSummary = {
  cycle: 1,
  writtenAt: '2026-11-24T02:00:00.000Z',
  parts: [{ part: 'outcome', title: 'Its outcome', text: 'It ran.' }],
  target: 'site',
  model: 'qwen3',
  hash: 'ab',
};

describe('/v1/sessions/ID/cycles/N/log-summary', () => {
  let stored: StoredLogSummary | undefined;
  const logSummaries: LogSummaries = {
    newest: (_session, cycle) =>
      Promise.resolve(cycle === 1 && stored !== undefined ? { number: 3, kept: stored } : undefined),
    next: () => Promise.resolve(4),
    keep: () => Promise.resolve(),
  };
  const gateway = useStarted('file', () => GatewayHarness.start({ logSummaries }));
  beforeEach(() => {
    stored = undefined;
  });

  const aStored = async (settings = {}): Promise<string> => {
    const id = anId();
    const decision = aDecision({ program: 'phenix.xtriage' });
    const first = aCycle({ decision, result: aResult({ metrics: { resolution: 2.1 } }) });
    const unfinished: CycleRecord = { cycle: 2, decision, attempts: [] };
    const resume = {
      status: 'running',
      stage: 'executing',
      cycle: 2,
      attempt: 1,
      cycles: [first, unfinished],
    } as const;
    const request = aRequest({ settings: someSettings(settings) });
    await gateway.store.records.create(aNewSession({ id, request, resume }), [], 1000);
    return id;
  };
  const at = (id: string, cycle = 1): string => `/v1/sessions/${id}/cycles/${String(cycle)}/log-summary`;

  it("answers the rules' three parts, each number with its line, and queries no model", async () => {
    const id = await aStored();
    const view = (await gateway.get(at(id))).json() as LogSummaryView;
    expect(view).toMatchObject({ id, cycle: 1, program: 'phenix.xtriage', state: 'ready', writtenBy: 'rules' });
    expect(view.parts.map(({ part }) => part)).toEqual(['outcome', 'numbers', 'findings']);
    expect(view.parts[1]?.text).toMatch(/2\.10 Å \(line \d+\)/);
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toBeUndefined();
  });

  it('stores a request for that cycle once, and answers with the rules meanwhile', async () => {
    const id = await aStored();
    const requested = await gateway.send('POST', at(id));
    expect([requested.status, requested.json()]).toMatchObject([202, { state: 'pending', writtenBy: 'rules' }]);
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toMatchObject({ number: 4 });
    expect(await gateway.store.textRequests.find({ session: id })).toBeUndefined();
  });

  it('does not query a model again for a summarized log, because it does not change', async () => {
    const id = await aStored();
    stored = made;
    const requested = (await gateway.send('POST', at(id))).json();
    expect(requested).toMatchObject({
      state: 'ready',
      writtenBy: 'model',
      model: 'qwen3',
      parts: [{ text: 'It ran.' }],
    });
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toBeUndefined();
  });

  it('queries no model when only the rules decide', async () => {
    const id = await aStored({ use_rules_only: true });
    expect((await gateway.send('POST', at(id))).json()).toMatchObject({ state: 'ready', writtenBy: 'rules' });
  });

  it('refuses a cycle that has not ended, and an unknown cycle', async () => {
    const id = await aStored();
    expect([(await gateway.get(at(id, 2))).status, (await gateway.get(at(id, 9))).status]).toEqual([409, 404]);
  });
});
