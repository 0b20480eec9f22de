import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CheckupView, Finding } from '@fleet/contracts';
import type { Checkup } from '@fleet/ports';
import { MemoryStore } from '@fleet/session-store';
import { ManualClock } from '@fleet/testing';
import { Doctor } from '../../apps/gateway/src/doctor/doctor.service';
import { dataCheckup, processCheckup, programsCheckup } from '../../apps/gateway/src/doctor/site-checkups';
import { GatewayHarness } from './gateway-harness';

const good: Finding = { check: 'redis.sync', level: 'ok', seen: 'appendfsync is everysec.' };

describe('the doctor', () => {
  it('tells what all checkups find, also when one of them fails', async () => {
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

  it('waits for none that does not answer, and begins none anew before it has', async () => {
    let asked = 0;
    let answer: (found: readonly Finding[]) => void = () => undefined;
    const hanging: Checkup = {
      area: 'redis',
      check: () => {
        asked += 1;
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
    expect(asked).toBe(1);
    answer([good]);
    await setImmediate();
    const next = doctor.look(60_000);
    expect(asked).toBe(2);
    answer([good]);
    expect((await next).findings).toEqual([good]);
  });
});

describe('the checkups of a gateway', () => {
  it('find data folders that cannot be read', async () => {
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

  it('find that there are no programs, whose they are, and which are stand-ins', async () => {
    const { catalogues } = new MemoryStore();
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
});
