import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@fleet/contracts/administration';
import type { KubernetesBackend, KubernetesSettings } from '@fleet/kubernetes-backend';
import { eventually } from '@fleet/testing';
import { ClusterRuns } from './cluster-runs';

const never = new AbortController().signal;
/** No program runs as root; who is root plays one of another user. */
const uid = process.getuid?.() || 10_001;
const gid = process.getgid?.() ?? 0;
/** The files of a played pod are this process's: it plays one of this user. */
const identity = {
  fleetGid: gid,
  default: { uid, gid, supplementalGroups: [] },
  proposals: {},
  ofFolder: '',
};
const cpuAlone: Partial<KubernetesSettings> = {
  classes: { cpu: { nodeSelector: {}, tolerations: [], resources: {}, maxRunning: 0 } },
  identity,
};
const redis = { what: 'Redis', host: '10.0.0.7', port: 6379 };

const wrong = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ check, level, seen }) => `${level} ${check}: ${seen}`);

describe('the site of a cluster', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(() => runs.dispose());

  const aBackend = (changes: Partial<KubernetesSettings> = {}, trialPatienceMs = 120_000): KubernetesBackend =>
    runs.aBackend({ ...cpuAlone, ...changes }, { trialPatienceMs, closedTo: [redis] });

  interface Played {
    readonly record?: object;
    /** It cannot write its record: it says it, and fails. */
    readonly fails?: boolean;
  }

  /** Plays the pods of trials. */
  const play = (played: Played | 'never'): void => {
    runs.cluster.objects.onEvent(({ kind, type, object }) => {
      if (kind !== 'jobs' || type !== 'ADDED' || played === 'never') return;
      const { template } = object.spec as { template: { spec: { containers: [{ args: string[] }] } } };
      const { args } = template.spec.containers[0];
      const after = (name: string): string => args[args.indexOf(name) + 1] ?? '';
      const folder = after('--folder');
      const record = {
        schemaVersion: 1,
        startedAt: Date.now(),
        writtenAt: Date.now(),
        host: 'pod',
        uid,
        gid,
        groups: [gid],
        told: readFileSync(join(folder, 'told'), 'utf8'),
        work: [{ what: 'write', result: 'ok' }],
        syncMs: 1,
        serverAheadMs: 0,
        unreadable: [],
        gpus: [],
        calls: [{ ...redis, result: 'closed', obeys: false }],
        names: [],
        ...played.record,
      };
      setImmediate(() => {
        if (played.fails === true) {
          runs.cluster.log = `some words\n${JSON.stringify(record)}\n`;
          runs.cluster.addPod(object.metadata.name, { phase: 'Running' });
          runs.cluster.finish(object.metadata.name, 1);
          return;
        }
        writeFileSync(join(folder, `${after('--name')}.json`), JSON.stringify(record));
        chownSync(join(folder, `${after('--name')}.json`), uid, gid);
        runs.cluster.finish(object.metadata.name);
      });
    });
  };

  it('is checked: version, rights, nodes', async () => {
    runs.cluster.site.mayDo = ({ verb, resource }) => verb !== '*' && !['secrets', 'pods/exec'].includes(resource);
    const { site } = aBackend();
    await expect(site.look()).resolves.toMatchObject([
      { check: 'cluster.accounts', level: 'warning' },
      { check: 'cluster.version', level: 'ok', seen: 'The version of the API server is v1.34.1.' },
      { check: 'cluster.latency', level: 'ok' },
      { check: 'cluster.rights', level: 'ok' },
      { check: 'cluster.rights_beyond', level: 'warning' },
      { check: 'cluster.nodes.cpu', level: 'warning', seen: expect.stringContaining('there are none') as string },
    ]);
  });

  it('has a Role without delete: reported; nodes are not listed without permission', async () => {
    const { mayDo } = runs.cluster.site;
    runs.cluster.site.mayDo = (right) => mayDo(right) && right.verb !== 'delete';
    runs.cluster.site.version = 'v1.29.2';
    const findings = await aBackend().site.look();
    expect(wrong(findings)).toEqual([
      expect.stringContaining('warning cluster.accounts: The programs of all proposals share the account'),
      'error cluster.version: The version of the API server is v1.29.2.',
      "error cluster.rights: The executor's account may not delete jobs in fleet-jobs.",
    ]);
    expect(runs.cluster.requests.filter(({ path }) => path === '/api/v1/nodes')).toEqual([]);
  });

  it('is tested by a pod from the program template, which leaves nothing behind', async () => {
    play({});
    const findings = await aBackend().site.trial('t1', never);
    expect(wrong(findings)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'trial.cpu.start',
        'trial.cpu.user',
        'trial.cpu.work.shared',
        'trial.cpu.network.closed',
      ]),
    );
    expect(runs.cluster.objects.list('jobs', '')).toEqual([]);
    expect(readdirSync(join(runs.root, '.fleet', 'trials'))).toEqual([]);
  });

  it('has pods that see forbidden things: each is reported', async () => {
    play({ record: { groups: [], gid: 4711, calls: [{ ...redis, result: 'connected', obeys: true }] } });
    expect(wrong(await aBackend().site.trial('t1', never))).toEqual([
      expect.stringContaining('error trial.cpu.user'),
      expect.stringContaining('error trial.cpu.network.closed: It reaches Redis (10.0.0.7:6379), which accepts'),
    ]);
  });

  it('has a work volume that is read-only in pods: their log message is reported', async () => {
    play({ fails: true, record: { work: [{ what: 'write', result: 'EROFS' }] } });
    expect(wrong(await aBackend().site.trial('t1', never))).toEqual([
      expect.stringContaining('error trial.cpu.work.write: Failed'),
      expect.stringContaining('error trial.cpu.work.shared: What it wrote there the executor does not see.'),
    ]);
  });

  it("has no node for a class: the scheduler's reason is reported in time", async () => {
    runs.cluster.objects.onEvent(({ kind, type, object }) => {
      if (kind !== 'jobs' || type !== 'ADDED') return;
      const message = '0/3 nodes are available: 3 node(s) had untolerated taint {beamline: i04}';
      const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
      runs.cluster.addPod(object.metadata.name, { phase: 'Pending', conditions }, { node: '' });
    });
    const findings = await aBackend({}, 0).site.trial('t1', never);
    expect(wrong(findings)).toEqual([expect.stringContaining('untolerated taint {beamline: i04}')]);
    expect(findings).toMatchObject([{ check: 'trial.cpu.start', level: 'error' }]);
    expect(runs.cluster.objects.list('jobs', '')).toEqual([]);
  });

  it('has a separate volume for executors: files of pods are missing', async () => {
    runs.cluster.objects.onEvent(({ kind, type, object }) => {
      if (kind !== 'jobs' || type !== 'ADDED') return;
      setImmediate(() => runs.cluster.finish(object.metadata.name));
    });
    expect(wrong(await aBackend({ resultGraceSeconds: 0 }).site.trial('t1', never))).toEqual([
      expect.stringContaining('does not see its files on the work volume'),
    ]);
  });

  it('takes over the Jobs of a dead executor, and starts none twice', async () => {
    play('never');
    const dying = new AbortController();
    const cut = aBackend().site.trial('t1', dying.signal);
    const began = expect(cut).rejects.toThrow();
    await eventually('its Job', () => runs.cluster.count('POST jobs') === 1);
    dying.abort();
    await began;
    const [job] = runs.cluster.objects.list('jobs', '');
    expect(job?.metadata.name).toBe('phx-trial-t1-cpu-0');
    const folder = join(runs.root, '.fleet', 'trials', 't1');
    expect(existsSync(folder)).toBe(true);
    const record = {
      schemaVersion: 1,
      startedAt: 1,
      writtenAt: 2,
      host: 'pod',
      uid,
      gid,
      groups: [gid],
      told: 't1',
      work: [],
    };
    writeFileSync(
      join(folder, 'cpu-0.json'),
      JSON.stringify({ ...record, unreadable: [], gpus: [], calls: [], names: [] }),
    );
    chownSync(join(folder, 'cpu-0.json'), uid, gid);
    const findings = await aBackend().site.trial('t1', never);
    expect(wrong(findings)).toEqual([]);
    expect(runs.cluster.objects.list('jobs', '')).toEqual([]);
  });
});
