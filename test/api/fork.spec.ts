import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  analysedCycles,
  type ApiProblem,
  type CycleRecord,
  type ResultsView,
  type Session,
  type SessionView,
} from '@fleet/contracts/sessions';
import { sharedRoot } from '@fleet/access';
import { SessionFolder } from '@fleet/session-folder';
import { aCycle, aDecision, aFile, aNewSession, anAttempt, anEvent, anId, aResult, useStarted } from '@fleet/testing';
import { pinOf } from '@fleet/untrusted-files';
import { KeyedGateway } from './keyed-gateway';
import type { JsonAnswer } from './gateway-harness';

describe('a fork of a session', () => {
  let ada: Record<string, string>;
  let eve: Record<string, string>;
  const gateway = useStarted('file', () =>
    KeyedGateway.withKeys(
      {},
      { folders: ({ work, data }) => new SessionFolder(work, { dataRoots: [sharedRoot(data)] }) },
    ),
  );
  beforeAll(async () => {
    ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    eve = await gateway.key('eve', 'user', { proposals: ['mx2'] });
  });

  const cycleOf = async (
    folder: string,
    cycle: number,
    from: string,
    outcome: 'success' | 'failed',
  ): Promise<CycleRecord> => {
    const path = join(folder, `c00${String(cycle)}-refine/a1/model ${String(cycle)}.pdb`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `model ${String(cycle)}`);
    writeFileSync(join(dirname(path), 'program.log'), `log ${String(cycle)}`);
    const file = await open(path);
    const pin = await pinOf(file);
    await file.close();
    return aCycle({
      cycle,
      decision: aDecision({ argv: ['phenix.refine', from], inputs: [{ slot: 'model', path: from }] }),
      attempts: [anAttempt({ provider: 'simulated' })],
      result: aResult({ outcome, outputs: [aFile({ path, size: pin.size, cycle, program: 'phenix.refine', pin })] }),
    });
  };

  /** One of ada's that runs its fourth program, and whose third one failed. */
  const running = async (): Promise<Session> => {
    const body = { proposal: 'mx1', title: 'lysozyme', advice: 'refine twice', settings: { max_cycles: 9 } };
    const answer = await gateway.submit({ ...body, files: [gateway.file('x1.sca')], priority: 'backfill' }, ada);
    const { request, guidance, createdAt } = answer.json() as Session;
    const id = anId();
    const folder = join(gateway.work, 'mx1', id);
    const data = request.inputs[0]?.path ?? '';
    const model = (cycle: number): string => join(folder, `c00${String(cycle)}-refine/a1/model ${String(cycle)}.pdb`);
    const cycles = [
      await cycleOf(folder, 1, data, 'success'),
      await cycleOf(folder, 2, model(1), 'success'),
      await cycleOf(folder, 3, model(2), 'failed'),
      aCycle({ cycle: 4, attempts: [], decision: aDecision({ argv: ['phenix.refine', model(2)] }) }),
    ];
    const { result, ...fourth } = cycles[3] ?? aCycle();
    expect(result).toBeDefined();
    const position = { status: 'running', stage: 'executing', cycle: 4, attempt: 1 } as const;
    const resume = { ...position, cycles: [...cycles.slice(0, 3), fourth] };
    const made = aNewSession({ id, folder, request: { ...request, batch: 'b1' }, createdAt, resume });
    await gateway.store.records.create({ ...made, ...(guidance && { guidance }) }, [anEvent()], 1000);
    const session = await gateway.store.records.load(id);
    if (session === undefined) throw new Error(`${id} was not made`);
    return session;
  };
  const fork = (id: string, body: unknown, headers = ada): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/sessions/${id}/fork`, { body, headers });
  const started = async (id: string, body: object, headers = ada): Promise<SessionView> => {
    const answer = await fork(id, body, headers);
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
    return answer.json() as SessionView;
  };
  const refusal = (answer: JsonAnswer): readonly unknown[] => {
    const { code, problems = [] } = answer.json() as { code: string; problems?: readonly ApiProblem[] };
    return [answer.status, code, ...problems.map(({ field, allowed }) => `${field}: ${String(allowed)}`)];
  };

  it("continues after the cycle with the parent's files, and leaves the parent unchanged", async () => {
    const parent = await running();
    const made = await started(parent.id, { cycle: 2 });
    expect(made).toMatchObject({ status: 'running', stage: 'deciding', cycle: 3, attempt: 1, simulated: true });
    expect(made.id).not.toBe(parent.id);
    const { requestDigest, ...from } = made.request.forkedFrom ?? { requestDigest: '' };
    expect([from, requestDigest]).toEqual([
      { session: parent.id, afterCycle: 2 },
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(made.request).toMatchObject({
      title: 'lysozyme',
      proposal: 'mx1',
      submitter: 'ada',
      priority: 'backfill',
      advice: 'refine twice',
      settings: { max_cycles: 9 },
      inputs: parent.request.inputs,
    });
    expect(made.request).not.toHaveProperty('batch');
    expect(made.guidance).toEqual(parent.guidance);
    expect(analysedCycles(made).map(({ cycle }) => cycle)).toEqual([1, 2]);
    const [, second] = made.cycles;
    expect(second?.decision.inputs[0]?.path).toBe(join(made.folder, 'c001-refine/a1/model 1.pdb'));
    expect(second?.decision.argv[1]).toBe(second?.decision.inputs[0]?.path);
    expect(await gateway.store.records.load(parent.id)).toEqual(parent);
    expect(gateway.woken.at(-1)).toMatchObject({ id: made.id, cycle: 3 });
    const { forkedFrom } = made.request;
    expect(await gateway.written(made.id)).toMatchObject({ cycle: 3, request: { forkedFrom } });
  });

  it('has its own files, logs and links, independent of the parent', async () => {
    const parent = await running();
    const { id, folder } = await started(parent.id, { cycle: 2 });
    rmSync(parent.folder, { recursive: true });
    const results = (await gateway.get(`/v1/sessions/${id}/results`, ada)).json() as ResultsView;
    expect(results.files.map(({ cycle, href }) => [cycle, href])).toEqual([
      [1, `/v1/sessions/${id}/files/1/model%201.pdb`],
      [2, `/v1/sessions/${id}/files/2/model%202.pdb`],
    ]);
    for (const { cycle, href } of results.files)
      expect((await gateway.get(href, ada)).text).toBe(`model ${String(cycle)}`);
    expect((await gateway.get(`/v1/sessions/${id}/cycles/2/log`, ada)).text).toBe('log 2');
    expect((await gateway.get(`/v1/sessions/${id}/files.zip?which=all`, ada)).text).toContain('model 2.pdb');
    expect(existsSync(join(folder, 'c003-refine'))).toBe(false);
    await gateway.written(id);
    const read = await gateway.folder.readSession(folder);
    expect([read.session.cycles.length, read.missingFiles]).toEqual([2, []]);
  });

  it('shows its parent and the changes, and treats the guidance as new', async () => {
    const parent = await running();
    const more = { title: 'lysozyme, other way', priority: 'standard', settings: { max_cycles: 5 } };
    const made = await started(parent.id, { cycle: 3, advice: 'skip validation', ...more });
    expect(made).toMatchObject({
      cycle: 4,
      request: { title: 'lysozyme, other way', priority: 'standard', settings: { max_cycles: 5 } },
      guidance: { revision: 2, changedAfter: 3, sources: [{ from: 'text', text: 'skip validation' }] },
    });
    const [forked, read, ...others] = await gateway.store.events.after(made.id, '0', 10);
    expect(forked).toMatchObject({
      type: 'session_forked',
      cycle: 0,
      message: `Forked from ${parent.id} (lysozyme) after cycle 3 with other advice, max_cycles`,
      data: { session: parent.id, afterCycle: 3, changes: { max_cycles: { before: 9, after: 5 } } },
    });
    expect([read?.type, others]).toEqual(['advice_read', []]);
  });

  it('is created once for an idempotency key, which belongs to one request', async () => {
    const parent = await running();
    const keyHeaders = { ...ada, 'idempotency-key': `k-${parent.id}` };
    const first = await started(parent.id, { cycle: 2 }, keyHeaders);
    const again = await fork(parent.id, { cycle: 2 }, keyHeaders);
    expect([again.status, again.headers['idempotency-replayed'], (again.json() as Session).id]).toEqual([
      201,
      'true',
      first.id,
    ]);
    for (const other of [{ cycle: 1 }, { cycle: 2, advice: 'stop' }])
      expect(refusal(await fork(parent.id, other, keyHeaders)).slice(0, 2)).toEqual([409, 'idempotency.conflict']);
    const submission = { files: [gateway.file('x1.sca')], proposal: 'mx1', title: 'lysozyme' };
    expect(refusal(await gateway.submit(submission, keyHeaders)).slice(0, 2)).toEqual([409, 'idempotency.conflict']);
    expect((await started(parent.id, { cycle: 2 })).id).not.toBe(first.id);
  });

  it('has all of its files after concurrent requests with one key', async () => {
    for (let round = 0; round < 8; round++) {
      const parent = await running();
      const keyHeaders = { ...ada, 'idempotency-key': `k-${parent.id}` };
      const all = await Promise.all([1, 2, 3].map(() => started(parent.id, { cycle: 3 }, keyHeaders)));
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
      const record = await gateway.store.records.load(all[0]?.id ?? '');
      const paths = (record?.cycles ?? []).flatMap(({ result }) => result?.outputs ?? []).map(({ path }) => path);
      expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['model 1', 'model 2', 'model 3']);
      // No temporary name remains.
      for (const path of paths)
        expect(readdirSync(dirname(path)).toSorted()).toEqual([basename(path), 'program.log'].toSorted());
    }
  });

  it.each([[4], [5], [77]])('is refused after cycle %i, which is not finished, with those that are', async (cycle) => {
    const { id } = await running();
    expect(refusal(await fork(id, { cycle }))).toEqual([409, 'cycle.not_finished', 'cycle: 1, 2, 3']);
  });

  it.each([
    [{}, 'cycle: '],
    [{ cycle: 0 }, 'cycle: '],
    [{ cycle: '2' }, 'cycle: '],
    [{ cycle: 2, settings: { max_cycles: 0 } }, 'settings.max_cycles: '],
    [{ cycle: 2, settings: { experiment_type: 'cryoem' } }, 'settings.experiment_type: '],
    [{ cycle: 2, priority: 'live' }, 'priority: '],
    [{ cycle: 2, files: ['/etc/passwd'] }, 'files: '],
    [{ cycle: 2, proposal: 'mx2' }, 'proposal: '],
  ])('is refused with %j', async (body, problem) => {
    const { id } = await running();
    const [status, code, ...problems] = refusal(await fork(id, body));
    expect([status, code, problems.length]).toEqual([400, 'request.invalid', 1]);
    expect(problems[0]).toContain(problem);
  });

  it('answers 404 without access to the parent, and refuses keys without read permission', async () => {
    const { id } = await running();
    expect(refusal(await fork(id, { cycle: 2 }, eve))).toEqual([404, 'session.not_found']);
    const blind = await gateway.key('ada', 'user', { proposals: ['mx1'], scopes: ['submit'] });
    expect(refusal(await fork(id, { cycle: 2 }, blind))).toEqual([403, 'access.denied']);
    const looking = await gateway.key('ada', 'user', { proposals: ['mx1'], scopes: ['read'] });
    expect(refusal(await fork(id, { cycle: 2 }, looking))).toEqual([403, 'access.denied']);
  });

  it('is refused if a file has changed, and leaves no files', async () => {
    const parent = await running();
    const before = await gateway.get('/v1/counts', ada);
    const path = parent.cycles[1]?.result?.outputs[0]?.path ?? '';
    rmSync(path);
    symlinkSync('/etc/passwd', path);
    const answer = await fork(parent.id, { cycle: 2 }, { ...ada, 'idempotency-key': 'k-changed' });
    expect(refusal(answer)).toEqual([409, 'fork.file_changed']);
    expect(answer.text).toContain('symbolic link');
    expect((await gateway.get('/v1/counts', ada)).text).toBe(before.text);
    expect((await started(parent.id, { cycle: 1 })).cycle).toBe(2);
  });

  it('of a fork has the fork as its parent, and is a duplicate only of its twin', async () => {
    const parent = await running();
    const first = await started(parent.id, { cycle: 2 });
    const second = await started(first.id, { cycle: 1 });
    expect(second.request.forkedFrom).toMatchObject({ session: first.id, afterCycle: 1 });
    expect(second.cycles[0]?.result?.outputs[0]?.path).toBe(join(second.folder, 'c001-refine/a1/model 1.pdb'));
    const body = {
      proposal: 'mx1',
      advice: 'refine twice',
      settings: { max_cycles: 9 },
      files: [gateway.file('x1.sca')],
    };
    const { similar = [] } = (await gateway.submit(body, ada)).json() as SessionView;
    const same = new Map(similar.map((one) => [one.sessionId, one.same]));
    expect(same.get(first.id)).not.toBe('everything');
  });
});
