import { assessmentParts, type AssessmentView } from '@fleet/contracts';
import { aCycle, aDecision, anId, aNewSession, aResult } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

describe('GET /v1/sessions/ID/assessment', () => {
  let gateway: GatewayHarness;
  beforeAll(async () => {
    gateway = await GatewayHarness.start();
  });
  afterAll(() => gateway.stop());

  it("answers the rules' five parts of a session that runs", async () => {
    const id = anId();
    const result = aResult({ metrics: { resolution: 2.1 } });
    const cycles = [aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result })];
    const resume = { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles } as const;
    await gateway.store.records.create(aNewSession({ id, resume }), [], 1000);
    const answer = await gateway.get(`/v1/sessions/${id}/assessment`);
    expect(answer.status).toBe(200);
    const view = answer.json() as AssessmentView;
    expect(view).toMatchObject({ id, status: 'running', version: 1, writtenBy: 'rules' });
    expect(view.parts.map(({ part }) => part)).toEqual(assessmentParts);
    expect(view.parts[0]?.text).toContain('Resolution 2.10 Å');
  });

  it('knows no session that is not there', async () => {
    const answer = await gateway.get(`/v1/sessions/${anId()}/assessment`);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'session.not_found' });
  });
});
