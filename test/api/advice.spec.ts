import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { AdviceReading, Guidance } from '@fleet/contracts/guidance';
import { directivesInForce, type Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('free-text advice', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  let count = 0;
  const submitted = async (more: object = {}, headers: Record<string, string> = {}): Promise<Session> => {
    count += 1;
    const answer = await gateway.submit({ files: [gateway.file(`advice/${String(count)}.sca`)], ...more }, headers);
    expect(answer.status).toBe(201);
    return answer.json() as Session;
  };
  const change = (id: string, body: unknown, ifMatch?: string): Promise<JsonAnswer> =>
    gateway.send('PUT', `/v1/sessions/${id}/advice`, {
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const typesOf = async (id: string): Promise<readonly string[]> =>
    (await gateway.store.events.after(id, '0', 100)).map(({ type }) => type);
  const end = async (id: string): Promise<void> => {
    const { version } = (await gateway.store.records.load(id))!;
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 0 } } as const;
    const result = await gateway.store.records.advance({
      sessionId: id,
      fromVersion: version,
      to,
      events: [],
      dueInMs: 1,
    });
    expect(result.applied).toBe(true);
  };

  describe('of a submission', () => {
    it('is parsed before the first decision, and shown in the answer, the record and the first events', async () => {
      const session = await submitted({ advice: 'Refine twice and stop.', advice_file: 'guidance.txt' });
      expect(session.guidance).toMatchObject({
        revision: 1,
        reader: 'rules',
        sources: [{ from: 'file', file: 'guidance.txt', text: 'Refine twice and stop.' }],
        reading: { text: 'Refine twice and stop.', directives: { stop_conditions: { max_refine_cycles: 2 } } },
      });
      expect(session.guidance?.hash).toMatch(/^[0-9a-f]{64}$/);
      expect((await gateway.store.records.load(session.id))?.guidance).toEqual(session.guidance);
      const [first, second] = await gateway.store.events.after(session.id, '0', 10);
      const says = session.guidance!.reading.understood.map((one) => one.says);
      expect(first).toMatchObject({ type: 'session_submitted', data: { understood: says } });
      expect(second).toMatchObject({
        type: 'advice_read',
        message: `Advice: ${says.join(' ')}`,
        data: { revision: 1 },
      });
      expect(await gateway.written(session.id)).toMatchObject({ guidance: session.guidance });
    });

    it('is absent when the text contains no request', async () => {
      const session = await submitted();
      expect(session).not.toHaveProperty('guidance');
      expect(await typesOf(session.id)).toEqual(['session_submitted']);
      const answer = await gateway.get(`/v1/sessions/${session.id}/advice`);
      expect([answer.status, answer.headers.etag]).toEqual([200, '"1"']);
      expect(answer.json()).toMatchObject({ revision: 1, sources: [], reading: { directives: {} } });
    });

    it('ranks below structured directives, and reports each value that was replaced', async () => {
      const directives = {
        program_settings: { default: { resolution: 2.5 } },
        workflow_preferences: { prefer_programs: ['phenix.autosol'] },
      };
      const session = await submitted({
        advice: 'Use resolution 3.0. Skip autosol. Refine at most 4 times.',
        directives,
      });
      expect(directivesInForce(session)).toMatchObject({
        program_settings: { default: { resolution: 2.5 } },
        workflow_preferences: { prefer_programs: ['phenix.autosol'], skip_programs: [] },
        stop_conditions: { max_refine_cycles: 4 },
      });
      expect(session.guidance?.overruled).toEqual([
        'phenix.autosol is not left out, although the advice says so: the directives ask for it.',
        'program_settings.default.resolution is 2.5, as the directives say, and not 3, as the advice says.',
      ]);
    });

    it('yields no directives from a hostile text', async () => {
      const texts = load(readFileSync(join(__dirname, '../../libs/domain/advice/src/fixtures/hostile.yaml'), 'utf8'));
      expect((texts as readonly string[]).length).toBeGreaterThanOrEqual(60);
      for (const text of texts as readonly string[]) {
        if (text.includes('\0')) continue;
        const session = await submitted({ advice: text });
        const directiveNames = Object.keys(directivesInForce(session)).filter((part) => part !== 'constraints');
        expect([text, directiveNames]).toEqual([text, []]);
        expect([text, session.guidance?.endsAfter]).toEqual([text, undefined]);
      }
    });
  });

  it('can be parsed without a session', async () => {
    const read = (body: unknown): Promise<JsonAnswer> => gateway.send('POST', '/v1/advice/preview', { body });
    const reading = (await read({ advice: 'just run xtriage' })).json() as AdviceReading;
    expect(reading.directives).toMatchObject({ stop_conditions: { after_program: 'phenix.xtriage' } });
    expect(reading.understood[0]).toMatchObject({ words: expect.stringContaining('xtriage') as string });
    const map = (await read({ advice: 'refine once and stop', experiment: 'cryoem' })).json() as AdviceReading;
    expect(map.directives).toMatchObject({ stop_conditions: { max_refine_cycles: 1 } });
    for (const body of [{}, { advice: 7 }, { advice: 'x'.repeat(20_001) }, { advice: 'x', experiment: 'neutrons' }])
      expect((await read(body)).status).toBe(400);
  });

  describe('of a running session', () => {
    it('applies from the next decision, and does not advance the session', async () => {
      const session = await submitted({ advice: 'refine twice' });
      gateway.woken.length = 0;
      const answer = await change(session.id, { advice: 'refine 5 times at most' }, '"1"');
      expect([answer.status, answer.headers.etag]).toEqual([200, '"2"']);
      const after = answer.json() as Session;
      expect(after).toMatchObject({ version: 1, status: 'running', request: { advice: 'refine twice' } });
      expect(after.guidance).toMatchObject({ revision: 2, changedAfter: 0 });
      expect(directivesInForce(after).stop_conditions).toEqual({ max_refine_cycles: 5 });
      expect(gateway.woken).toEqual([]);
      expect(await typesOf(session.id)).toEqual(['session_submitted', 'advice_read', 'advice_read']);
      expect(await gateway.written(session.id)).toMatchObject({ guidance: { revision: 2 } });
      const before = String((await gateway.get(`/v1/sessions/${session.id}`)).headers.etag);
      await change(session.id, { directives: { stop_conditions: { after_cycle: 3 } } }, '"2"');
      const seen = await gateway.send('GET', `/v1/sessions/${session.id}`, { headers: { 'if-none-match': before } });
      expect(seen.status).toBe(200);
      expect(directivesInForce(seen.json() as Session).stop_conditions).toEqual({
        max_refine_cycles: 5,
        after_cycle: 3,
      });
    });

    it('keeps the reading of an unchanged text, and changes nothing when nothing is new', async () => {
      const session = await submitted({ advice: 'refine twice' });
      const same = (await change(session.id, { advice: '  refine   twice ' }, '"1"')).json() as Session;
      expect(same.guidance).toEqual(session.guidance);
      const directives = { constraints: ['no loops'] };
      const other = (await change(session.id, { advice: 'refine twice', directives }, '"1"')).json() as Session;
      expect(other.guidance).toMatchObject({ revision: 2, directivesSince: 2, reading: session.guidance!.reading });
    });

    it('ends after the current cycle when the text is only "stop"', async () => {
      const session = await submitted({ advice: 'refine 5 times at most' });
      const after = (await change(session.id, { advice: 'stop' }, '"1"')).json() as Session;
      expect(after.guidance).toMatchObject({ endsAfter: 1 });
      expect(after.guidance).not.toHaveProperty('changedAfter');
      expect(directivesInForce(after)).toEqual({ stop_conditions: { after_cycle: 1 } });
      await end(session.id);
      const late = await change(session.id, { advice: 'Please stop now' }, '"2"');
      expect(late.json()).toMatchObject({ status: 409, code: 'session.ended' });
      const resumed = await gateway.send('POST', `/v1/sessions/${session.id}/resume`);
      expect(directivesInForce(resumed.json() as Session)).toEqual({});
      expect((resumed.json() as Session).guidance).toMatchObject({ revision: 3 });
    });

    it('changes once, and only with the current ETag', async () => {
      const { id } = await submitted({ advice: 'refine twice' });
      expect((await change(id, { advice: 'skip autosol' })).json()).toMatchObject({
        status: 428,
        code: 'advice.no_precondition',
        problems: [{ field: 'If-Match', allowed: '"1"' }],
      });
      const all = await Promise.all(
        Array.from({ length: 5 }, (_, number) => change(id, { advice: `refine ${String(number + 3)} times` }, '"1"')),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
      expect(all.find(({ status }) => status === 412)?.json()).toMatchObject({
        code: 'advice.changed',
        problems: [{ field: 'If-Match', allowed: '"2"' }],
      });
      expect((await gateway.get(`/v1/sessions/${id}/advice`)).json()).toMatchObject({
        revision: 2,
      } satisfies Partial<Guidance>);
    });

    it('is refused with every problem listed, or while the session is being cancelled', async () => {
      const { id } = await submitted();
      const codesOf = async (body: unknown): Promise<unknown> => {
        const { status, problems } = (await change(id, body, '"1"')).json() as {
          status: number;
          problems: { field: string; code: string }[];
        };
        return [status, ...problems.map(({ field, code }) => `${field} ${code}`)];
      };
      expect(await codesOf({})).toEqual([400, 'advice field.missing']);
      expect(await codesOf({ advice: 7, directives: { stop_conditions: { after_cycle: 0 } }, more: 1 })).toEqual([
        400,
        'advice field.type',
        'more field.unknown',
        'directives.stop_conditions.after_cycle directive.invalid',
      ]);
      await gateway.send('POST', `/v1/sessions/${id}/cancel`);
      const late = await change(id, { advice: 'refine twice' }, '"1"');
      expect(late.json()).toMatchObject({ status: 409, code: 'session.cancelling' });
    });
  });

  it('reopens an ended session, and leaves the submission unchanged', async () => {
    const key = { 'idempotency-key': 'opened-again' };
    const body = { files: [gateway.file('advice/again.sca')], advice: 'refine twice' };
    const session = (await gateway.submit(body, key)).json() as Session;
    await end(session.id);
    const answer = await change(session.id, { advice: 'refine once more' }, '"1"');
    expect(answer.headers.etag).toBe('"2"');
    expect(answer.json()).toMatchObject({
      status: 'running',
      stage: 'deciding',
      guidance: { revision: 2, changedAfter: 0 },
    });
    expect((await typesOf(session.id)).slice(-2)).toEqual(['session_resumed', 'advice_read']);
    await end(session.id);
    const more = { settings: { max_cycles: 50 }, files: [gateway.file('advice/more.sca')], advice: 'refine 3 times' };
    expect((await gateway.send('POST', `/v1/sessions/${session.id}/resume`, { body: more })).status).toBe(200);
    const replay = await gateway.submit(body, key);
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect((await gateway.submit({ ...body, advice: 'refine 3 times' }, key)).status).toBe(409);
  });
});
