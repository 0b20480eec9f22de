import type { KeptLogSummary, LogSummaryView } from '@fleet/contracts/results';
import type { CycleRecord } from '@fleet/contracts/sessions';
import type { LogSummaries } from '@fleet/ports';
import { aCycle, aDecision, aNewSession, anId, aRequest, aResult, someSettings } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

const made: KeptLogSummary = {
  cycle: 1,
  writtenAt: '2026-11-24T02:00:00.000Z',
  parts: [{ part: 'outcome', title: 'Its outcome', text: 'It ran.' }],
  target: 'site',
  model: 'qwen3',
  hash: 'ab',
};

describe('/v1/sessions/ID/cycles/N/log-summary', () => {
  let gateway: GatewayHarness;
  let kept: KeptLogSummary | undefined;
  const logSummaries: LogSummaries = {
    newest: (_session, cycle) => Promise.resolve(cycle === 1 && kept !== undefined ? { number: 3, kept } : undefined),
    next: () => Promise.resolve(4),
    keep: () => Promise.resolve(),
  };
  beforeAll(async () => {
    gateway = await GatewayHarness.start({ logSummaries });
  });
  beforeEach(() => {
    kept = undefined;
  });
  afterAll(() => gateway.stop());

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

  it("answers the rules' three parts, each number with its line, and asks nobody", async () => {
    const id = await aStored();
    const view = (await gateway.get(at(id))).json() as LogSummaryView;
    expect(view).toMatchObject({ id, cycle: 1, program: 'phenix.xtriage', state: 'ready', writtenBy: 'rules' });
    expect(view.parts.map(({ part }) => part)).toEqual(['outcome', 'numbers', 'findings']);
    expect(view.parts[1]?.text).toMatch(/2\.10 Å \(line \d+\)/);
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toBeUndefined();
  });

  it('writes down a request of that cycle once, and has the rules meanwhile', async () => {
    const id = await aStored();
    const asked = await gateway.send('POST', at(id));
    expect([asked.status, asked.json()]).toMatchObject([202, { state: 'pending', writtenBy: 'rules' }]);
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toMatchObject({ number: 4 });
    expect(await gateway.store.textRequests.find({ session: id })).toBeUndefined();
  });

  it('asks nobody again about a log that a model has summed up: it does not change', async () => {
    const id = await aStored();
    kept = made;
    const asked = (await gateway.send('POST', at(id))).json();
    expect(asked).toMatchObject({ state: 'ready', writtenBy: 'model', model: 'qwen3', parts: [{ text: 'It ran.' }] });
    expect(await gateway.store.textRequests.find({ session: id, cycle: 1 })).toBeUndefined();
  });

  it('asks nobody where the rules decide alone', async () => {
    const id = await aStored({ use_rules_only: true });
    expect((await gateway.send('POST', at(id))).json()).toMatchObject({ state: 'ready', writtenBy: 'rules' });
  });

  it('refuses a cycle that has not ended, one and one that is not there', async () => {
    const id = await aStored();
    expect([(await gateway.get(at(id, 2))).status, (await gateway.get(at(id, 9))).status]).toEqual([409, 404]);
  });
});
