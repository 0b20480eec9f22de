import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { clusterAccess, type ClusterAccess } from './pooled-kube-config';

const url = 'https://127.0.0.1:6443/apis';

describe('renewed credentials, such as those of a service account', () => {
  const folder = useFolder();
  let access: ClusterAccess;
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  beforeEach(() => {
    const auth = { name: 'tokenFile', config: { tokenFile: file('token', 'first') } };
    const cluster = { server: 'https://127.0.0.1:6443', 'certificate-authority': file('ca.crt', 'first authority') };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { 'auth-provider': auth } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    access = clusterAccess(file('kubeconfig', JSON.stringify(kubeconfig)));
    jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'performance'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await access.close();
  });

  it('are re-read each minute: the token', async () => {
    // The library caches what it read in an earlier test for as long.
    jest.setSystemTime(Date.now() + 61_000);
    expect((await access.authorise(url)).headers.Authorization).toBe('Bearer first');
    file('token', 'second');
    expect((await access.authorise(url)).headers.Authorization).toBe('Bearer first');
    jest.setSystemTime(Date.now() + 61_000);
    expect((await access.authorise(url)).headers.Authorization).toBe('Bearer second');
  });

  it('are re-read at each call: the certificate authority, and later calls use new sockets', async () => {
    const before = await access.authorise(url);
    expect((await access.authorise(url)).dispatcher).toBe(before.dispatcher);
    file('ca.crt', 'second authority');
    expect((await access.authorise(url)).dispatcher).not.toBe(before.dispatcher);
  });
});
