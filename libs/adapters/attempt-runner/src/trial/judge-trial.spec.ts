import type { Finding } from '@fleet/contracts/administration';
import { judgeTrial, type TrialSight } from './judge-trial';
import type { TrialRecord } from './trial-record';

const redis = { what: 'Redis', host: '10.0.0.7', port: 6379 };

const aRecord = (changes: Partial<TrialRecord> = {}): TrialRecord => ({
  schemaVersion: 1,
  startedAt: 1_000_000,
  writtenAt: 1_004_000,
  host: 'pod',
  uid: 21_001,
  gid: 21_001,
  groups: [21_001, 10_000],
  told: 'id',
  work: [
    { what: 'write', result: 'ok' },
    { what: 'hard_links', result: 'ok' },
    { what: 'rename', result: 'ok' },
    { what: 'exclusive', result: 'ok' },
  ],
  syncMs: 3,
  serverAheadMs: 20,
  unreadable: [],
  gpus: [],
  calls: [{ ...redis, result: 'closed', obeys: false }],
  names: [],
  ...changes,
});

const judged = (record: Partial<TrialRecord> = {}, changes: Partial<TrialSight> = {}): readonly Finding[] =>
  judgeTrial({
    record: aRecord(record),
    as: 'trial.cpu',
    told: 'id',
    wanted: { uid: 21_001, groups: [10_000] },
    owner: { uid: 21_001, gid: 10_000 },
    began: 999_000,
    ended: 1_005_000,
    wantsGpu: false,
    mustReach: [],
    ...changes,
  });

/** Findings that are not healthy. */
const wrong = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ check, level, seen }) => `${level} ${check}: ${seen}`);

describe('the record of a trial pod', () => {
  it('is healthy if all checks pass', () => {
    expect(wrong(judged())).toEqual([]);
    expect(judged().length).toBeGreaterThan(10);
  });

  it.each<readonly [string, Partial<TrialRecord>, Partial<TrialSight>, string]>([
    [
      'another user',
      { uid: 1000 },
      { owner: { uid: 1000, gid: 10_000 } },
      'error trial.cpu.user: It runs as uid 1000, gid 21001',
    ],
    ['no group of the fleet', { groups: [21_001] }, {}, 'and group 10000 is what the settings require'],
    [
      'a work volume that is read-only',
      { work: [{ what: 'write', result: 'EROFS' }] },
      {},
      'error trial.cpu.work.write: Failed: Its folder of the work volume can be written to (EROFS).',
    ],
    ['no hard links', { work: [{ what: 'hard_links', result: 'EPERM' }] }, {}, 'error trial.cpu.work.hard_links'],
    [
      'another volume than the executor',
      { told: 'ENOENT' },
      {},
      'error trial.cpu.work.shared: What the executor left there it does not see (ENOENT).',
    ],
    ['slow syncs', { syncMs: 900 }, {}, 'warning trial.cpu.work.sync: A sync of a file takes 900.0 ms.'],
    ['another clock than the file server', { serverAheadMs: -400_000 }, {}, 'error trial.cpu.work.clock'],
    [
      'data that cannot be read',
      { unreadable: [{ folder: '/data', result: 'EACCES' }] },
      {},
      'error trial.cpu.data: It cannot read /data: EACCES.',
    ],
    ['a GPU that nobody asked for', { gpus: ['A100'] }, {}, 'warning trial.cpu.gpus: It sees 1 GPU: A100.'],
    ['no GPU where there should be one', {}, { wantsGpu: true }, 'error trial.cpu.gpus: It sees no GPU.'],
    [
      'Redis, with a password',
      { calls: [{ ...redis, result: 'connected', obeys: false }] },
      {},
      'warning trial.cpu.network.closed: It reaches Redis (10.0.0.7:6379).',
    ],
    [
      'Redis, that obeys everybody',
      { calls: [{ ...redis, result: 'connected', obeys: true }] },
      {},
      'error trial.cpu.network.closed: It reaches Redis (10.0.0.7:6379), which accepts commands without a password.',
    ],
    [
      'a name server that does not answer',
      { names: [{ name: 'licence.example.org' }] },
      {},
      'error trial.cpu.network.names: It cannot resolve licence.example.org (DNS).',
    ],
    [
      'no way to what it has to reach',
      { calls: [{ what: 'licence:27000', host: 'licence', port: 27_000, result: 'closed', obeys: false }] },
      { mustReach: ['licence:27000'] },
      'error trial.cpu.network.open: It does not reach licence:27000: closed.',
    ],
    [
      'files that belong to somebody else',
      {},
      { owner: { uid: 65_534, gid: 65_534 } },
      'warning trial.cpu.work.owner: What it writes belongs to 65534:65534, and it is 21001.',
    ],
  ])('describes %s: what it is, why it matters and what to do', (_, record, sight, expected) => {
    const found = judged(record, sight).filter(({ level }) => level !== 'ok');
    expect(wrong(found).join('\n')).toContain(expected);
    expect(found.every(({ why = '', remedy = '' }) => why !== '' && remedy !== '')).toBe(true);
  });

  it('compares clocks beyond the transfer time', () => {
    const clock = (record: Partial<TrialRecord>, began?: number): string | undefined =>
      wrong(judged(record, began === undefined ? {} : { began })).find((text) => text.includes('trial.cpu.clock'));
    expect(clock({ startedAt: 989_000 })).toContain(
      'warning trial.cpu.clock: The clock of its node and that of the executor differ by 10.0 s or more.',
    );
    expect(clock({ writtenAt: 1_105_000 })).toContain('error trial.cpu.clock');
    expect(clock({ startedAt: 998_000 })).toBeUndefined();
    // Another executor started it, so the start time is unknown.
    expect(clock({ startedAt: 989_000 }, 0)).toBeUndefined();
  });

  it('needs no visible file if the record arrived another way', () => {
    const findings = judgeTrial({
      record: aRecord(),
      as: 'trial.cpu',
      told: 'id',
      wanted: { uid: 21_001, groups: [] },
      began: 0,
      ended: 2_000_000,
      wantsGpu: false,
      mustReach: [],
    });
    expect(wrong(findings)).toEqual(['error trial.cpu.work.shared: What it wrote there the executor does not see.']);
  });
});
