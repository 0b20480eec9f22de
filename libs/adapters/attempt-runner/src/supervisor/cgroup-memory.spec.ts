import { countOomKills, oomKillsFile, parseOomKills } from './cgroup-memory';

describe('out-of-memory kills', () => {
  it.each([
    ['v2', 'low 0\nhigh 0\nmax 41\noom 2\noom_kill 2\noom_group_kill 1\n', 2],
    ['v2 without any', 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n', 0],
    ['v1', 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n', 3],
    ['v1 of an old kernel', 'oom_kill_disable 0\nunder_oom 0\n', undefined],
    ['nothing', '', undefined],
  ])('are counted by %s', (_, text, count) => {
    expect(parseOomKills(text)).toBe(count);
  });

  it('are 0 if the system reports none, and can be counted on any computer', () => {
    expect(countOomKills()).toBeGreaterThanOrEqual(0);
  });
});

/** Lines as seen in pods of containerd 1.6 and 2.0, on a laptop, and on a hybrid host. */
describe('the file that counts them', () => {
  const v2Mount = '1450 1449 0:26 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate';
  const v2Host = '35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate';
  const v1Pod = [
    '881 870 0:31 /kubepods/burstable/podA/c1 /sys/fs/cgroup/cpu ro,nosuid - cgroup cgroup rw,cpu',
    '882 870 0:32 /kubepods/burstable/podA/c1 /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory',
  ].join('\n');
  const v1Cgroup = '5:cpu,cpuacct:/kubepods/burstable/podA/c1\n4:memory:/kubepods/burstable/podA/c1\n0::/\n';

  it.each([
    ['a pod of v2 with a cgroup namespace', '0::/\n', v2Mount, '/sys/fs/cgroup/memory.events'],
    [
      'a process of v2 on a host',
      '0::/user.slice/user-1000.slice\n',
      v2Host,
      '/sys/fs/cgroup/user.slice/user-1000.slice/memory.events',
    ],
    ['a process above the namespace', '0::/../other\n', v2Mount, '/sys/fs/cgroup/memory.events'],
    ['a pod of v1', v1Cgroup, v1Pod, '/sys/fs/cgroup/memory/memory.oom_control'],
    [
      'a pod of v1 with a cgroup namespace',
      '4:memory:/\n',
      '882 870 0:32 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory',
      '/sys/fs/cgroup/memory/memory.oom_control',
    ],
    [
      'controllers that are mounted together',
      '4:cpu,memory:/a b\n',
      String.raw`882 870 0:32 / /sys/fs/my\040cgroup ro - cgroup cgroup rw,cpu,memory`,
      '/sys/fs/my cgroup/a b/memory.oom_control',
    ],
    ['a hybrid, the memory in v1', v1Cgroup, `${v2Host}\n${v1Pod}`, '/sys/fs/cgroup/memory/memory.oom_control'],
    ['a container that sees no cgroups', '0::/\n', '22 27 0:21 / /proc rw - proc proc rw', undefined],
    ['no cgroups at all', '', v2Host, undefined],
  ])('of %s', (_, cgroup, mountInfo, file) => {
    expect(oomKillsFile(cgroup, mountInfo)).toBe(file);
  });
});
