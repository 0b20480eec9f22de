import { assessmentParts, type AssessmentView, type StoredAssessment } from '@fleet/contracts/results';
import type { Assessments } from '@fleet/ports';
import { aCycle, aDecision, aNewSession, anId, aRequest, aResult, someSettings, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

const writtenAt = '2026-11-24T02:00:00.000Z';
const made: StoredAssessment = {
  status: 'running',
  version: 1,
  writtenAt,
  parts: [{ part: 'next_steps', title: 'Next steps', text: 'Rest.' }],
  target: 'site',
  model: 'qwen3',
  hash: 'ab',
};

describe('/v1/sessions/ID/assessment', () => {
  let stored: StoredAssessment | undefined;
  const assessments: Assessments = {
    newest: () => Promise.resolve(stored && { number: 3, kept: stored }),
    // A program wrote 004.json.
    next: () => Promise.resolve(5),
    keep: () => Promise.resolve(),
  };
  const gateway = useStarted('file', () => GatewayHarness.start({ assessments }));
  beforeEach(() => {
    stored = undefined;
  });

  const aStored = async (settings = {}): Promise<string> => {
    const id = anId();
    const result = aResult({ metrics: { resolution: 2.1 } });
    const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result })];
    const resume = { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles } as const;
    const request = aRequest({ settings: someSettings(settings) });
    await gateway.store.records.create(aNewSession({ id, request, resume }), [], 1000);
    return id;
  };
  const read = async (id: string): Promise<AssessmentView> =>
    (await gateway.get(`/v1/sessions/${id}/assessment`)).json() as AssessmentView;
  const ask = (id: string) => gateway.send('POST', `/v1/sessions/${id}/assessment`);

  it("answers the rules' five parts for a running session, and queries no model", async () => {
    const id = await aStored();
    const view = await read(id);
    expect(view).toMatchObject({ id, state: 'ready', status: 'running', version: 1, writtenBy: 'rules' });
    expect(view.parts.map(({ part }) => part)).toEqual(assessmentParts);
    expect(view.parts[0]?.text).toContain('Resolution 2.10 Å');
    expect(await gateway.store.textRequests.find({ session: id })).toBeUndefined();
  });

  it('stores a request once, and answers with the rules meanwhile', async () => {
    const id = await aStored();
    stored = { ...made, version: 0 };
    for (const answer of [await ask(id), await ask(id)]) {
      expect(answer.status).toBe(202);
      expect(answer.json()).toMatchObject({
        state: 'pending',
        writtenBy: 'rules',
        requestedAt: expect.any(String) as string,
      });
    }
    expect(await gateway.store.textRequests.find({ session: id })).toMatchObject({ session: id, number: 5 });
    expect(await read(id)).toMatchObject({ state: 'pending', writtenBy: 'rules' });
    expect((await gateway.store.records.load(id))?.version).toBe(1);
  });

  it("answers a model's assessment, and does not query a second model for the same state", async () => {
    const id = await aStored();
    stored = made;
    const view = { id, state: 'ready', writtenBy: 'model', writtenAt, target: 'site', parts: made.parts };
    expect(await read(id)).toMatchObject(view);
    expect((await ask(id)).json()).toMatchObject(view);
    expect(await gateway.store.textRequests.find({ session: id })).toBeUndefined();
  });

  it('gives the reason when no model wrote one, with the assessment of the rules', async () => {
    const id = await aStored();
    stored = { status: 'running', version: 1, writtenAt, failed: 'model_invalid', why: '3 answers could not be used' };
    const view = await read(id);
    expect(view).toMatchObject({ state: 'failed', writtenBy: 'rules', failed: 'model_invalid', why: stored.why });
    expect(view.parts).toHaveLength(5);
  });

  it('retries after a failure when ten minutes have passed or the session has changed', async () => {
    const id = await aStored();
    const failedAt = (ago: number): StoredAssessment => ({
      status: 'running',
      version: 1,
      writtenAt: new Date(Date.now() - ago).toISOString(),
      failed: 'model_invalid',
      why: '3 answers could not be used',
    });
    stored = failedAt(60_000);
    const again = new Date(Date.parse(stored.writtenAt) + 600_000).toISOString();
    const why = `3 answers could not be used; it can be requested again from ${again}, or when the session has changed`;
    expect((await ask(id)).json()).toMatchObject({ state: 'failed', writtenBy: 'rules', why });
    expect(await gateway.store.textRequests.find({ session: id })).toBeUndefined();
    stored = { ...stored, version: 0 };
    expect((await ask(id)).json()).toMatchObject({ state: 'pending' });
    const other = await aStored();
    stored = failedAt(600_000);
    expect((await ask(other)).json()).toMatchObject({ state: 'pending' });
    stored = failedAt(0);
    expect((await ask(other)).json()).toMatchObject({ state: 'pending' });
  });

  it('queries no model for a session that excludes models', async () => {
    const alone = await aStored({ use_rules_only: true });
    expect((await ask(alone)).json()).toMatchObject({ state: 'ready', writtenBy: 'rules' });
    expect(await gateway.store.textRequests.find({ session: alone })).toBeUndefined();
  });

  it('answers 404 for an unknown session', async () => {
    for (const answer of [await gateway.get(`/v1/sessions/${anId()}/assessment`), await ask(anId())])
      expect([answer.status, answer.json()]).toEqual([404, expect.objectContaining({ code: 'session.not_found' })]);
  });
});
