import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '@fleet/contracts/audit';
import type { SessionRetention } from '@fleet/contracts/retention';
import { tellExpiries } from '@fleet/retention';
import { SessionFolder, UploadFolder } from '@fleet/session-folder';
import { aWebhook, startPostgres, useStarted } from '@fleet/testing';
import { runPhx } from '../cli/scripted-terminal';
import { day, RetentionGround, stop } from './retention-ground';

describe('session retention', () => {
  const postgres = useStarted('file', () => startPostgres());
  const ground = useStarted('test', () => RetentionGround.start(postgres));

  const retentionOf = async (id: string): Promise<SessionRetention> =>
    (await ground.gateway.get(`/v1/sessions/${id}/retention`)).json() as SessionRetention;
  const entries = async (action: string): Promise<readonly AuditEntry[]> =>
    (await ground.audit.list({ action }, 100)).entries;

  it('shows how long a session is kept and by which rule, and a pin prevents the deletion', async () => {
    const { id } = await ground.made();
    const retention = {
      rule: 'cancelled: folder 10 days, record 20 days',
      folderUntil: '2026-11-11T00:00:00.000Z',
      recordUntil: '2026-11-21T00:00:00.000Z',
    };
    await expect(retentionOf(id)).resolves.toEqual(retention);
    const pinned = await ground.post(`/v1/sessions/${id}/pin`, { reason: 'a paper', by: 'ada' });
    expect(pinned).toMatchObject({
      status: 200,
      body: { ...retention, hold: 'pinned', pin: { by: 'ada', reason: 'a paper' } },
    });
    ground.clock.forward(30 * day);
    const report = { rules: [], held: 1, failed: [] };
    expect((await ground.post('/v1/admin/purges', {})).body).toEqual({ ...report, nextCursor: 'record.' });
    expect(await entries('session.change')).toMatchObject([{ object: `session ${id}`, after: { pinned: true } }]);
    expect((await ground.post(`/v1/sessions/${id}/unpin`, {})).body).toEqual(retention);
    expect((await ground.post(`/v1/sessions/${id}/pin`, {})).status).toBe(400);
  });

  it('deletes a due folder, and reports the deletion for every request of its files', async () => {
    const { id, folder } = await ground.made();
    ground.clock.forward(10 * day - 1);
    expect((await ground.post('/v1/admin/purges', {})).body['rules']).toEqual([]);
    ground.clock.forward(1);
    const due = await ground.post('/v1/admin/purges', { dryRun: true });
    const [rule] = due.body['rules'] as readonly { bytes: number }[];
    expect(rule).toMatchObject({ rule: 'cancelled: folder 10 days, record 20 days', folders: 1, records: 0 });
    expect(existsSync(folder)).toBe(true);
    expect((await ground.post('/v1/admin/purges', {})).body).toEqual(due.body);
    expect(existsSync(folder)).toBe(false);
    expect((await retentionOf(id)).purged).toEqual({
      at: '2026-11-11T00:00:00.000Z',
      rule: 'cancelled: folder 10 days, record 20 days',
      bytes: rule?.bytes,
    });
    for (const url of ['files/1/out.pdb', 'files.zip', 'cycles/1/log']) {
      const answer = await ground.gateway.get(`/v1/sessions/${id}/${url}`);
      expect([url, answer.status, answer.text]).toEqual([
        url,
        410,
        expect.stringContaining('were deleted on 2026-11-11 (cancelled: folder 10 days, record 20 days)') as unknown,
      ]);
    }
    for (const [act, body] of [
      ['resume', {}],
      ['fork', { cycle: 1 }],
      ['pin', { reason: 'late' }],
    ] as const)
      expect([act, (await ground.post(`/v1/sessions/${id}/${act}`, body)).status]).toEqual([act, 410]);
    expect((await ground.gateway.get(`/v1/sessions/${id}`)).status).toBe(200);
    const [done] = await entries('purge');
    expect(done).toMatchObject({ outcome: 'done', object: `session ${id}`, after: { bytes: rule?.bytes } });
  });

  it('deletes the record when it is due, and recovery restores neither', async () => {
    const [late, early] = [await ground.made(), await ground.made({ priority: 'backfill' })];
    ground.clock.forward(day);
    const recover = async () => (await ground.post('/v1/recoveries', {})).body;
    expect((await ground.post('/v1/admin/purges', {})).body['rules']).toMatchObject([{ folders: 1, records: 1 }]);
    expect(existsSync(early.folder)).toBe(false);
    expect((await ground.gateway.get(`/v1/sessions/${early.id}`)).status).toBe(404);
    expect(await recover()).toMatchObject({ recovered: [], existing: [late.id], skipped: [] });
    const again = await ground.made({ priority: 'backfill' });
    ground.clock.forward(9 * day);
    await ground.post('/v1/admin/purges', {});
    expect([existsSync(late.folder), existsSync(again.folder)]).toEqual([false, false]);
    expect(await recover()).toMatchObject({ recovered: [], existing: [], skipped: [] });
    ground.clock.forward(10 * day);
    await ground.post('/v1/admin/purges', { after: 'record.' });
    expect((await ground.gateway.get(`/v1/sessions/${late.id}`)).status).toBe(404);
  });

  it('skips a folder of a deleted session that is restored from a backup', async () => {
    const { id, folder } = await ground.made({ priority: 'backfill' });
    const session = (await ground.open.store.records.load(id))!;
    ground.clock.forward(day);
    await ground.post('/v1/admin/purges', {});
    await new SessionFolder(ground.gateway.work).writeSession(session);
    const { body } = await ground.post('/v1/recoveries', {});
    expect(body).toMatchObject({ recovered: [], skipped: [{ folder, code: 'session.deleted' }] });
  });

  it('announces deletions by e-mail and webhooks once, a week before, except for pinned sessions', async () => {
    const about = { what: 'proposal', name: 'mx1' } as const;
    const webhook = aWebhook({ id: 'a'.repeat(16), about, kinds: ['session.files_expire'] });
    await ground.open.store.webhooks.create(webhook);
    const [near, pinned] = [await ground.made(), await ground.made()];
    await ground.open.store.retention.pin(pinned.id, { by: 'ada', reason: 'a paper' });
    const { deps } = ground;
    const waiting = async (): Promise<number> => (await ground.open.store.deliveries.state(webhook.id)).waiting;
    ground.clock.forward(3 * day - 1);
    await tellExpiries(deps);
    await expect(waiting()).resolves.toBe(0);
    ground.clock.forward(1);
    await Promise.all([tellExpiries(deps), tellExpiries(deps)]);
    await tellExpiries(deps);
    await expect(waiting()).resolves.toBe(1);
    await ground.open.store.retention.unpin(pinned.id);
    await tellExpiries(deps);
    await expect(waiting()).resolves.toBe(2);
    ground.clock.forward(8 * day);
    await ground.made();
    await tellExpiries(deps);
    await expect(waiting()).resolves.toBe(2);
    expect((await ground.open.store.retention.find(near.id))?.isExpiryTold).toBe(true);
  });

  it('deletes all data of a proposal on request, except running sessions', async () => {
    const mine = [await ground.made({ proposal: 'mx7' }), await ground.made({ proposal: 'mx7', submitter: 'ada' })];
    const other = await ground.made({ proposal: 'mx8', submitter: 'ada' });
    const running = await ground.made({ proposal: 'mx7' }, { running: true });
    const uploads = join(ground.gateway.data, 'mx7');
    mkdirSync(uploads);
    writeFileSync(join(uploads, 'data.mtz'), 'uploaded');
    await ground.post(`/v1/sessions/${mine[0]!.id}/pin`, { reason: 'a paper' });
    const body = { proposal: 'mx7', reason: 'asked by the user office', by: 'eve' };
    expect((await ground.post('/v1/admin/deletions', body)).body['refused']).toHaveLength(4);
    ground.clock.forward(day);
    const dry = (await ground.post('/v1/admin/deletions', { ...body, dryRun: true })).body;
    expect(dry).toMatchObject({ sessions: 2, refused: [{ id: running.id }, { id: 'mx7' }] });
    expect(mine.map(({ folder }) => existsSync(folder))).toEqual([true, true]);
    expect((await ground.post('/v1/admin/deletions', body)).body).toEqual(dry);
    expect([...mine, other, running].map(({ folder }) => existsSync(folder))).toEqual([false, false, true, true]);
    expect(existsSync(join(uploads, 'data.mtz'))).toBe(true);
    const head = (await ground.open.store.records.loadHead(running.id))!;
    const ended = { ended: stop };
    await ground.open.store.records.advance({ sessionId: head.id, fromVersion: 1, to: ended, events: [], dueInMs: 1 });
    ground.clock.forward(day);
    expect((await ground.post('/v1/admin/deletions', body)).body).toMatchObject({
      sessions: 1,
      uploads: 1,
      refused: [],
    });
    expect(existsSync(join(uploads, 'data.mtz'))).toBe(false);
    const [last] = await entries('admin.change');
    expect(last).toMatchObject({
      object: 'proposal mx7',
      before: { reason: body.reason, by: 'eve' },
      after: { sessions: 1 },
    });
    expect((await ground.post('/v1/admin/deletions', { submitter: 'ada', reason: 'left' })).body).toMatchObject({
      sessions: 1,
    });
    expect(existsSync(other.folder)).toBe(false);
    expect((await ground.post('/v1/admin/deletions', { reason: 'of nobody' })).status).toBe(400);
    rmSync(uploads, { recursive: true });
    await expect(new UploadFolder(ground.gateway.data).removeOf('mx7', false)).resolves.toBe(0);
  });

  it('keeps a deleted record in the statistics until the deletion of its proposal is requested', async () => {
    const { id } = await ground.made({ proposal: 'mx7', priority: 'backfill' });
    await ground.made({ proposal: 'mx8', priority: 'backfill' });
    ground.clock.forward(day);
    await ground.post('/v1/admin/purges', {});
    expect((await ground.gateway.get(`/v1/sessions/${id}`)).status).toBe(404);
    const counted = async (): Promise<unknown> =>
      (await ground.open.store.statistics.groups('proposal', {})).map(({ key, sessions }) => [key, sessions]);
    const both = [
      ['mx7', 1],
      ['mx8', 1],
    ];
    expect(await counted()).toEqual(both);
    const body = { proposal: 'mx7', reason: 'asked by the user office' };
    await ground.post('/v1/admin/deletions', { ...body, dryRun: true });
    expect(await counted()).toEqual(both);
    await ground.post('/v1/admin/deletions', body);
    expect(await counted()).toEqual([['mx8', 1]]);
  });

  it('is shown and controlled by phx', async () => {
    const { id } = await ground.made();
    const server = await ground.gateway.listen();
    const phx = (...args: readonly string[]) => runPhx(['--server', server, ...args]);
    const retentionText = 'Its files are kept until 2026-11-11 (rule cancelled: folder 10 days, record 20 days).';
    expect((await phx('show', id)).out).toContain(`kept:       ${retentionText}\n`);
    expect((await phx('pin', id, '--reason', 'a paper')).out).toMatch(/: Pinned .*on 2026-11-01: a paper\. It is not/);
    expect((await phx('unpin', id)).out).toBe(`${id}: ${retentionText} The session is deleted after 2026-11-21.\n`);
    expect((await phx('admin', 'purge')).out).toBe('Nothing was due.\n');
    ground.clock.forward(10 * day);
    const dry = await phx('admin', 'purge', '--dry-run');
    expect([dry.code, dry.out]).toEqual([
      0,
      expect.stringMatching(
        /^RULE +FOLDERS +WOULD FREE +RECORDS\ncancelled: folder 10 days, record 20 days +1 +\S+ kB +0\n$/,
      ) as unknown,
    ]);
    expect((await phx('admin', 'purge')).out).toContain('FREED');
    expect((await phx('show', id)).out).toMatch(/kept: +Its files were deleted on 2026-11-11 \(cancelled.* kB freed\)/);
    const unsure = await phx('admin', 'delete', '--proposal', 'mx1', '--reason', 'asked');
    expect([unsure.code, unsure.err]).toEqual([2, expect.stringContaining('confirm with --yes') as unknown]);
    const deleted = await phx('admin', 'delete', '--proposal', 'mx1', '--reason', 'asked', '--yes');
    expect([deleted.code, deleted.out]).toEqual([0, 'deleted: 1 session (0 B), 0 batches, 0 uploads\n']);
  });
});
