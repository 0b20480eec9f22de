import { systemClock } from '@fleet/ports';
import { FakeCluster } from '@fleet/testing';
import { ApiCaller, type ApiCallerOptions } from './api-call';
import { faultOf } from './api-failure';
import { clusterAccess, type ClusterAccess } from './pooled-kube-config';
import { patientRetries } from './retry-policy';
import { TokenBucket } from './token-bucket';

describe('calls', () => {
  let cluster: FakeCluster;
  let access: ClusterAccess;
  beforeEach(async () => {
    cluster = await FakeCluster.start();
    access = clusterAccess(cluster.kubeconfig);
  });
  afterEach(async () => {
    await access.close();
    await cluster.stop();
  });

  const list = { method: 'GET', path: '/apis/batch/v1/namespaces/fleet-jobs/jobs', what: 'list jobs' } as const;
  const aCaller = (changes: Partial<ApiCallerOptions> = {}): ApiCaller =>
    new ApiCaller({
      access,
      bucket: new TokenBucket({ perSecond: 1_000, burst: 1_000, clock: systemClock }),
      clock: systemClock,
      retries: patientRetries,
      timeoutMs: 60_000,
      random: () => 0.5,
      ...changes,
    });

  it('are all made once each, however long they wait for the rate limit', async () => {
    const caller = aCaller({
      bucket: new TokenBucket({ perSecond: 4, burst: 1, clock: systemClock }),
      timeoutMs: 3_000,
    });
    await Promise.all(Array.from({ length: 15 }, () => caller.json(list)));
    expect(cluster.count('LIST jobs')).toBe(15);
  });

  it('are counted by verb and code, including retries', async () => {
    const counted: unknown[] = [];
    const caller = aCaller({ metrics: { count: (_name, labels) => counted.push(labels) } });
    await caller.json(list);
    await expect(caller.json({ ...list, path: `${list.path}/nothing` })).rejects.toMatchObject({ status: 404 });
    await expect(
      aCaller({
        access: { ...access, server: 'http://127.0.0.1:9' },
        retries: { ...patientRetries, budgetMs: 0 },
        metrics: { count: (_name, labels) => counted.push(labels) },
      }).json({ ...list, method: 'DELETE' }),
    ).rejects.toThrow();
    expect(counted).toEqual([
      { verb: 'get', code: '200' },
      { verb: 'get', code: '404' },
      { verb: 'delete', code: 'none' },
    ]);
  });

  it('are retried when a token is temporarily unreadable', async () => {
    let failures = 0;
    const authorise: ClusterAccess['authorise'] = (url) => {
      failures += 1;
      const missing = Object.assign(new Error('ENOENT: no such file, open token'), { code: 'ENOENT' });
      return failures <= 2 ? Promise.reject(missing) : access.authorise(url);
    };
    await aCaller({ access: { ...access, authorise } }).json(list);
    expect(cluster.count('LIST jobs')).toBe(1);
  });

  it('report missing credentials', async () => {
    const authorise = (): Promise<never> => Promise.reject(new Error('exec: the helper made no token'));
    const retries = { ...patientRetries, budgetMs: 300 };
    const failure: unknown = await aCaller({ access: { ...access, authorise }, retries })
      .json(list)
      .catch((error: unknown) => error);
    expect(faultOf(failure)).toMatchObject({
      code: 'cluster.unreachable',
      kind: 'transient',
      message: expect.stringContaining('the helper made no token') as string,
    });
  });

  it('time out although the clock is set back meanwhile', async () => {
    cluster.trouble = () => ({ status: 503 });
    let now = Date.now();
    const clock = { now: () => (now -= 3_600_000) };
    const began = performance.now();
    await expect(aCaller({ clock, retries: { ...patientRetries, budgetMs: 500 } }).json(list)).rejects.toThrow('503');
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});
