import type { ProblemDetails, SessionView } from '@fleet/contracts/sessions';
import { aNewSession, anEvent, aRequest, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

describe('a session by another name than its id', () => {
  const first = '01jdaaaa00000000000000000a';
  const second = '01jdbbbb00000000000000000b';
  const third = '7zcccc0000000000000000000c';
  const gateway = useStarted('file', () => GatewayHarness.start());
  beforeAll(async () => {
    const titles = { [first]: 'nutlin / 1', [second]: 'lysozyme', [third]: 'lysozyme' };
    for (const [id, title] of Object.entries(titles)) {
      const request = aRequest({ title });
      const folder = `${gateway.work}/mx1/${id}`;
      await gateway.store.records.create(
        aNewSession({ id, folder, request }),
        [anEvent({ type: 'session_submitted' })],
        1000,
      );
    }
  });
  const idAt = async (path: string): Promise<unknown> => {
    const { status, json } = await gateway.get(`/v1/sessions/${path}`);
    return status === 200 ? (json() as SessionView).id : [status, (json() as ProblemDetails).code];
  };

  it.each([
    ['its whole id', first, first],
    ['the beginning of its id', '01jda', first],
    ['the same in capitals', '01JDA', first],
    ['its title', encodeURIComponent('nutlin / 1'), first],
  ])('is found by %s', async (_, name, id) => {
    expect(await idAt(name)).toBe(id);
    expect(await idAt(`${name}/status`)).toBe(id);
    expect(await idAt(`${name}/results`)).toBe(id);
    const events = await gateway.get(`/v1/sessions/${name}/events`, { accept: 'application/json' });
    expect(events.json()).toMatchObject({ events: [{ type: 'session_submitted' }] });
  });

  it.each(['01j', '01jdc', 'nutlin', 'Lysozyme', '%20', '*', '..%2F..', 'x'.repeat(300)])(
    'is not found by %.30s',
    async (name) => {
      expect(await idAt(name)).toEqual([404, 'session.not_found']);
    },
  );

  it.each([
    ['01jd', [second, first]],
    ['lysozyme', [third, second]],
  ])('lists the candidates when several match %s, and changes none', async (name, ids) => {
    const answer = await gateway.send('POST', `/v1/sessions/${name}/cancel`);
    const problem = answer.json() as ProblemDetails;
    expect([answer.status, problem.code]).toEqual([409, 'session.ambiguous']);
    expect(problem.detail).toContain(`2 sessions match "${name}"`);
    expect(problem.problems?.map(({ allowed }) => allowed)).toEqual(ids);
    expect(problem.problems?.[0]?.reason).toBe('"lysozyme", running, submitted 2026-11-21T08:00:00Z, proposal mx1');
    for (const id of ids) expect(await gateway.store.records.loadHead(id)).toMatchObject({ status: 'running' });
  });

  it('is changed by its title if the title is unique', async () => {
    const title = encodeURIComponent('nutlin / 1');
    expect((await gateway.send('POST', `/v1/sessions/${title}/cancel`)).json()).toMatchObject({ id: first });
    expect(await gateway.store.records.loadHead(first)).toMatchObject({ status: 'cancelling' });
  });
});
