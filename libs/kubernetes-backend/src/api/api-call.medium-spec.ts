import { systemClock } from '@fleet/ports';
import { FakeCluster } from '@fleet/testing';
import { ApiCaller } from './api-call';
import { clusterAccess, type ClusterAccess } from './pooled-kube-config';
import { patientRetries } from './retry-policy';
import { TokenBucket } from './token-bucket';

describe('calls that wait for the rate', () => {
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

  it('are all made in the end, once each, however much longer than a timeout they are in line', async () => {
    const caller = new ApiCaller({
      access,
      bucket: new TokenBucket({ perSecond: 20, burst: 1, clock: systemClock }),
      clock: systemClock,
      retries: patientRetries,
      timeoutMs: 1_500,
      random: Math.random,
    });
    const call = { method: 'GET', path: '/apis/batch/v1/namespaces/fleet-jobs/jobs', what: 'list jobs' } as const;
    await Promise.all(Array.from({ length: 60 }, () => caller.json(call)));
    expect(cluster.count('LIST jobs')).toBe(60);
  });
});
