import { join } from 'node:path';
import {
  directivesInForce,
  statusOfStopReason,
  type Session,
  type SessionEvent,
  type StopReason,
} from '@fleet/contracts/sessions';
import { aCycle, aFile, aNewSession, anEvent, anId, aRequest, aResult, useStarted } from '@fleet/testing';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('session tools', () => {
  const gateway = useStarted('file', () =>
    GatewayHarness.start({
      knowledge: {
        summary: (session) => `${session.status} after ${String(session.cycles.length)} cycles\n`,
        bestFiles: (session) =>
          session.cycles
            .flatMap(({ result }) => result?.outputs ?? [])
            .slice(-1)
            .map((file) => ({ category: 'model', file, score: 1, stage: 'refined' })),
      },
    }),
  );

  const cycle = (number: number, outcome: 'success' | 'failed' = 'success') =>
    aCycle({
      cycle: number,
      result: {
        ...aResult({
          outcome,
          metrics: { r_free: 0.3 - number / 100 },
          outputs: [aFile({ path: `/work/c${String(number)}.pdb`, cycle: number, program: 'phenix.refine' })],
        }),
        fit: { metric: 'r_free', value: number },
      },
    });

  /** A session that ended for this reason, with three cycles in its record. */
  const ended = async (reason: StopReason = 'max_cycles', at = 3): Promise<string> => {
    const id = anId();
    const stop = { reason, detail: 'that was it', afterCycle: 3 };
    const resume = {
      status: statusOfStopReason[reason],
      stage: 'deciding',
      cycle: at,
      attempt: 1,
      cycles: [cycle(1), cycle(2), cycle(3, 'failed')],
      stop,
    } as const;
    const inputs = [aFile({ path: '/data/d.mtz', facts: { format: 'mtz' } })];
    const request = aRequest({ advice: 'first', inputs });
    const folder = join(gateway.work, 'mx1', id);
    await gateway.store.records.create(
      aNewSession({ id, folder, request, resume }),
      [anEvent({ type: 'session_ended' })],
      1,
    );
    return id;
  };
  const post = (id: string, tool: string, body?: unknown, headers: Record<string, string> = {}): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/sessions/${id}/${tool}`, { headers, ...(body !== undefined && { body }) });
  const lastEvents = async (id: string): Promise<readonly SessionEvent[]> => gateway.store.events.after(id, '0', 100);
  const codes = (answer: JsonAnswer): unknown => {
    const { code, problems = [] } = answer.json() as { code: string; problems?: { field: string; code: string }[] };
    return [answer.status, code, ...problems.map((problem) => `${problem.field} ${problem.code}`)];
  };

  describe('remove-last-cycles', () => {
    it('removes cycles from the record, and updates every view of the session', async () => {
      const id = await ended();
      const answer = await post(id, 'remove-last-cycles', { count: 2 });
      expect(answer.status).toBe(200);
      const session = answer.json() as Session;
      expect(session).toMatchObject({ status: 'cancelled', stop: { reason: 'cycles_removed', afterCycle: 1 } });
      expect(session.cycles.map((record) => record.cycle)).toEqual([1]);
      const results = (await gateway.get(`/v1/sessions/${id}/results`)).json();
      expect(results).toMatchObject({
        bestFiles: [{ path: '/work/c1.pdb' }],
        metrics: [{ name: 'r_free', cycle: 1 }],
        files: [{ cycle: 1 }],
      });
      expect(await gateway.written(id)).toMatchObject({ version: 2, cycles: [{ cycle: 1 }] });
    });

    it('keeps removed cycles in the events', async () => {
      const id = await ended();
      await post(id, 'remove-last-cycles', { count: 1 });
      const [, removed, end] = await lastEvents(id);
      expect(removed).toMatchObject({
        type: 'cycles_removed',
        data: {
          cycles: [{ cycle: 3, program: 'phenix.refine', outcome: 'failed' }],
          before: { reason: 'max_cycles' },
        },
      });
      expect(end?.type).toBe('session_ended');
    });

    it('can remove all cycles, one after the other', async () => {
      const id = await ended();
      for (const left of [2, 1, 0]) {
        const session = (await post(id, 'remove-last-cycles', { count: 1 })).json() as Session;
        expect(session.cycles).toHaveLength(left);
        const row = (await gateway.store.index.list({}, 100)).sessions.find((one) => one.id === id);
        expect(row?.fit?.value).toBe(left === 0 ? undefined : left);
      }
      expect(codes(await post(id, 'remove-last-cycles', { count: 1 }))).toEqual([
        400,
        'request.invalid',
        'count field.value',
      ]);
    });

    it.each([
      [undefined, 'body field.type'],
      [{}, 'count field.missing'],
      [{ count: 0 }, 'count field.value'],
      [{ count: 4 }, 'count field.value'],
      [{ count: 1.5 }, 'count field.type'],
      [{ count: '1' }, 'count field.type'],
      [{ count: 1, cuont: 1 }, 'cuont field.unknown'],
    ])('refuses %j and changes nothing', async (body, ...problems) => {
      const id = await ended();
      expect(codes(await post(id, 'remove-last-cycles', body))).toEqual([400, 'request.invalid', ...problems]);
      expect(await gateway.store.records.loadHead(id)).toMatchObject({ version: 1 });
    });

    it('removes cycles once: a repeated request has an outdated ETag', async () => {
      const id = await ended();
      const tag = String((await gateway.get(`/v1/sessions/${id}`)).headers.etag);
      const first = await post(id, 'remove-last-cycles', { count: 1 }, { 'if-match': tag });
      expect(first.status).toBe(200);
      const second = await post(id, 'remove-last-cycles', { count: 1 }, { 'if-match': tag });
      expect(codes(second)).toEqual([412, 'session.changed']);
      expect((await gateway.store.records.load(id))?.cycles).toHaveLength(2);
    });
  });

  describe('resume', () => {
    it('continues with the next cycle, and wakes the decision worker', async () => {
      const id = await ended();
      gateway.woken.length = 0;
      const answer = await post(id, 'resume');
      expect(answer.json()).toMatchObject({ status: 'running', stage: 'deciding', cycle: 4, attempt: 1, version: 2 });
      expect(answer.json()).not.toHaveProperty('stop');
      expect(gateway.woken).toMatchObject([{ id, version: 2 }]);
      expect(await gateway.written(id)).toMatchObject({ status: 'running', version: 2 });
    });

    it('continues with the current cycle if it has no decision', async () => {
      const id = await ended('no_program', 4);
      expect((await post(id, 'resume', {})).json()).toMatchObject({ cycle: 4 });
    });

    it('never reuses the number of a removed cycle', async () => {
      const id = await ended();
      await post(id, 'remove-last-cycles', { count: 2 });
      const session = (await post(id, 'resume')).json() as Session;
      expect(session.cycle).toBe(4);
      expect(session.cycles.map((record) => record.cycle)).toEqual([1]);
    });

    it('records new advice and settings, and keeps the others', async () => {
      const id = await ended();
      const answer = await post(id, 'resume', { advice: 'second', settings: { max_cycles: 50 } });
      const session = answer.json() as Session;
      expect(session.request).toMatchObject({
        advice: 'first',
        settings: { max_cycles: 50, max_refine_cycles: 3 },
        inputs: [{ path: '/data/d.mtz' }],
        submittedAs: { settings: { max_cycles: 20 }, files: ['/data/d.mtz'] },
      });
      expect(session.guidance).toMatchObject({ revision: 2, sources: [{ from: 'text', text: 'second' }] });
      const [, resumed, read] = await lastEvents(id);
      expect(read).toMatchObject({ type: 'advice_read', data: { revision: 2 } });
      expect(resumed).toMatchObject({
        type: 'session_resumed',
        message: 'Resumed at cycle 4 with other advice, max_cycles',
        data: {
          changes: { advice: { before: 'first', after: 'second' }, max_cycles: { before: 20, after: 50 } },
          stop: { reason: 'max_cycles' },
        },
      });
    });

    it.each([
      [{ advice: 'also run polder' }, { revision: 2, changedAfter: 3 }],
      [{ directives: { stop_conditions: { after_cycle: 9 } } }, { revision: 2, changedAfter: 3 }],
      [{ directives: {}, settings: { max_cycles: 50 } }, undefined],
    ])('with %j records the changes for the next decisions', async (body, guidance) => {
      const id = await ended();
      await post(id, 'resume', body);
      const storedGuidance = (await gateway.store.records.load(id))?.guidance;
      if (guidance === undefined) expect(storedGuidance).toBeUndefined();
      else expect(storedGuidance).toMatchObject(guidance);
    });

    it('replaces all directives, and removes them with an empty object', async () => {
      const id = await ended();
      const directives = { stop_conditions: { after_cycle: 9 } };
      const session = (await post(id, 'resume', { directives })).json() as Session;
      expect(session.request).not.toHaveProperty('directives');
      expect(directivesInForce(session)).toEqual(directives);
      expect((await lastEvents(id)).at(-2)).toMatchObject({
        message: 'Resumed at cycle 4 with other directives',
        data: { changes: { directives: { before: {}, after: directives } } },
      });
      const endAgain = async (fromVersion: number): Promise<void> => {
        const to = { ended: { reason: 'max_cycles', detail: 'again', afterCycle: 3 } } as const;
        await gateway.store.records.advance({ sessionId: id, fromVersion, to, events: [], dueInMs: 1 });
      };
      await endAgain(2);
      const resumed = (await post(id, 'resume', { settings: { max_cycles: 50 } })).json() as Session;
      expect(directivesInForce(resumed)).toEqual(directives);
      await endAgain(4);
      const none = (await post(id, 'resume', { directives: {} })).json() as Session;
      expect(directivesInForce(none)).toEqual({});
      expect(none.guidance).toMatchObject({ revision: 3 });
    });

    it.each([
      [
        { directives: { stop_conditions: { after_cycle: 'x' } } },
        'directives.stop_conditions.after_cycle directive.invalid',
      ],
      [{ settings: { max_cycels: 3 } }, 'settings.max_cycels setting.unknown'],
      [{ settings: { max_cycles: 0 } }, 'settings.max_cycles setting.range'],
      [{ settings: { experiment_type: 'cryoem' } }, 'settings.experiment_type experiment.contradiction'],
      [{ advice: 3 }, 'advice field.type'],
      [{ files: [] }, 'files files.none'],
      [[], 'body field.type'],
    ])('refuses %j and changes nothing', async (body, problem) => {
      const id = await ended();
      expect(codes(await post(id, 'resume', body))).toEqual([400, 'request.invalid', problem]);
      expect(await gateway.store.records.loadHead(id)).toMatchObject({ version: 1, status: 'failed' });
    });

    it('resumes once for concurrent requests', async () => {
      const id = await ended();
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(id, 'resume')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await lastEvents(id)).filter(({ type }) => type === 'session_resumed')).toHaveLength(1);
    });

    it('continues an event stream that contains an earlier end', async () => {
      const id = await ended();
      await post(id, 'resume');
      const url = await gateway.listen();
      const response = await fetch(`${url}/v1/sessions/${id}/events`, { headers: { accept: 'text/event-stream' } });
      const reading = response.text();
      const ending = { reason: 'converged', detail: 'now it is', afterCycle: 3 } as const;
      const events = [anEvent({ type: 'session_ended', message: 'now it is' })];
      await gateway.store.records.advance({ sessionId: id, fromVersion: 2, to: { ended: ending }, events, dueInMs: 1 });
      const text = await reading;
      expect(text.match(/^data: .*"type":"\w+"/gm)?.map((line) => /"type":"(\w+)"/.exec(line)?.[1])).toEqual([
        'session_ended',
        'session_resumed',
        'session_ended',
      ]);
      expect(text).toContain('event: end');
    });
  });

  it.each(['resume', 'remove-last-cycles'])(
    '%s leaves alone what runs, and knows nothing of what is not there',
    async (tool) => {
      const id = anId();
      await gateway.store.records.create(aNewSession({ id, folder: join(gateway.work, id) }), [], 1000);
      expect(codes(await post(id, tool, tool === 'resume' ? {} : { count: 1 }))).toEqual([409, 'session.not_ended']);
      expect(codes(await post(anId(), tool, {}))).toEqual([404, 'session.not_found']);
    },
  );
});
