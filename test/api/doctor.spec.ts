import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CheckupView, Finding } from '@fleet/contracts/administration';
import { Doctor, processCheckup } from '@fleet/observability';
import type { Checkup } from '@fleet/ports';
import { MemorySiteLooks } from '@fleet/redis';
import { ManualClock, useStores } from '@fleet/testing';
import { dataCheckup, executorCheckup, programsCheckup } from '../../apps/gateway/src/routes/doctor/site-checkups';
import { PlainAuditLog } from './audit-log.fake';
import { GatewayHarness } from './gateway-harness';

const good: Finding = { check: 'database.version', level: 'ok', seen: 'PostgreSQL is version 16.4.' };

describe('the doctor', () => {
  it('reports the findings of all checkups, also when one of them fails', async () => {
    const checkups: readonly Checkup[] = [
      { area: 'redis', check: () => Promise.resolve([good]) },
      { area: 'work', check: () => Promise.reject(new Error('EIO')) },
    ];
    const gateway = await GatewayHarness.start({ checkups });
    const answer = await gateway.get('/v1/admin/doctor');
    await gateway.stop();
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { findings: [good, { check: 'work', level: 'error', seen: 'It cannot be looked at: EIO' }] },
    ]);
  });

  it('does not wait for a hanging checkup, and does not restart it before it has ended', async () => {
    let checks = 0;
    let answer: (found: readonly Finding[]) => void = () => undefined;
    const hanging: Checkup = {
      area: 'redis',
      check: () => {
        checks += 1;
        return new Promise((done) => {
          answer = done;
        });
      },
    };
    const doctor = new Doctor([hanging], new ManualClock());
    const both = await Promise.all([doctor.look(20), doctor.look(20)]);
    const seen = expect.stringMatching(/^No answer for \d+ s\.$/) as string;
    const expected: Partial<CheckupView> = {
      findings: [expect.objectContaining({ check: 'redis', level: 'error', seen }) as Finding],
    };
    expect([...both, await doctor.look(20)]).toMatchObject([expected, expected, expected]);
    expect(checks).toBe(1);
    answer([good]);
    await setImmediate();
    const next = doctor.look(60_000);
    expect(checks).toBe(2);
    answer([good]);
    expect((await next).findings).toEqual([good]);
  });
});

const newStore = useStores();

describe('the checkups of a gateway', () => {
  it('find unreadable data folders', async () => {
    const root = mkdtempSync(join(tmpdir(), 'fleet-doctor-'));
    const found = await dataCheckup([root, join(root, 'away')]).check();
    rmSync(root, { recursive: true });
    expect(found).toMatchObject([
      { level: 'ok' },
      { level: 'error', seen: expect.stringContaining('ENOENT') as string },
    ]);
  });

  it('find a service that runs as root', async () => {
    await expect(processCheckup(0).check()).resolves.toMatchObject([{ check: 'process.user', level: 'warning' }]);
    await expect(processCheckup(10001).check()).resolves.toMatchObject([{ level: 'ok' }]);
  });

  it('find missing programs, the provider of each program, and stand-ins', async () => {
    const { catalogues } = newStore();
    const checkup = programsCheckup(catalogues, 'local');
    await expect(checkup.check()).resolves.toMatchObject([{ check: 'programs.installed', level: 'error' }]);
    const program = { program: 'phenix.refine', version: 'PHENIX 2.0-5793', command: ['/opt/phenix/refine'] };
    const probedAt = '2026-11-23T08:00:00.000Z';
    const programs = [{ ...program, provider: 'phenix' } as const];
    await catalogues.publish({ backend: 'local', probedAt, programs });
    const seen = 'Programs: 1 of phenix (PHENIX 2.0-5793).';
    await expect(checkup.check()).resolves.toEqual([{ check: 'programs.installed', level: 'ok', seen }]);
    await catalogues.publish({
      backend: 'local',
      probedAt,
      programs: [...programs, { ...program, provider: 'simulated' }],
    });
    await expect(checkup.check()).resolves.toMatchObject([
      { level: 'ok' },
      { check: 'programs.stand_ins', level: 'warning', seen: '1 program is a stand-in.' },
    ]);
  });

  it('report what an executor has found and when, or that no executor has reported', async () => {
    const clock = new ManualClock();
    const looks = new MemorySiteLooks(() => clock.now());
    const checkup = executorCheckup(looks, clock);
    await expect(checkup.check()).resolves.toMatchObject([{ check: 'executor.look', level: 'warning' }]);
    await looks.publish({ at: new Date(clock.now()).toISOString(), by: 'executor-1', findings: [good] });
    clock.forward(20_000);
    await expect(checkup.check()).resolves.toEqual([
      { check: 'executor.look', level: 'ok', seen: 'The executor executor-1 checked 20 s ago.' },
      good,
    ]);
    clock.forward(600_000);
    await expect(checkup.check()).resolves.toMatchObject([{ check: 'executor.look', level: 'warning' }, good]);
  });
});

describe('a trial', () => {
  it('is requested once at a time, audited, and reported when it has ended', async () => {
    const looks = new MemorySiteLooks();
    const log = new PlainAuditLog();
    const gateway = await GatewayHarness.start({ looks, audit: () => log });
    try {
      expect((await gateway.get('/v1/admin/doctor/trial')).json()).toEqual({});
      const [first, second] = [
        await gateway.send('POST', '/v1/admin/doctor/trial'),
        await gateway.send('POST', '/v1/admin/doctor/trial'),
      ];
      expect([first.status, second.status]).toEqual([202, 202]);
      const { id } = first.json() as { id: string };
      expect(second.json()).toMatchObject({ id, state: 'waiting', findings: [] });
      expect(await looks.takeTrial('executor-1', 30_000)).toEqual({ id });
      await looks.endTrial({ id }, [good]);
      expect((await gateway.get('/v1/admin/doctor/trial')).json()).toMatchObject({
        trial: { id, state: 'done', executor: 'executor-1', findings: [good] },
      });
      expect((await log.list({}, 10)).entries).toEqual(
        expect.arrayContaining([expect.objectContaining({ object: 'trial' })]),
      );
    } finally {
      await gateway.stop();
    }
  });
});
