import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { V1Job, V1Pod, V1Service } from '@kubernetes/client-node';
import { freePort } from '@fleet/testing';
import { chart } from '../chart/chart-command';
import { cluster, fleetGid } from '../cluster-e2e/cluster-ground';

const run = promisify(execFile);
const output = { maxBuffer: 64 * 1024 * 1024 };
const release = 'rolling';
const gateway = `${release}-phenix-fleet-gateway`;
const adminKey = `${release}-phenix-fleet-initial-admin`;
const dataMount = '/fleet/data';
const serviceUid = 10_000;
const waiting = ['--wait', '--timeout', '900s'];

/** Services as the chart names them, with as many pods as an installation would have that is to be upgraded under load. */
const replicas = { gateway: 2, decisionWorker: 2, executorWorker: 2, logAnalysisWorker: 1 };

/**
 * The chart, installed with Helm on the project's own cluster: services, Redis and programs in pods of real images. Clients reach its
 * gateways through the Service, each connection as the cluster deals it out.
 */
export class InstalledRelease {
  /** Of a port of this machine. */
  url = '';
  key = '';
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-rolling-')));
  private readonly namespace = `rolling-${randomBytes(3).toString('hex')}`;
  private doorway: ChildProcess | undefined;

  /** @param programs at once */
  constructor(private readonly programs: number) {
    for (const name of ['work', 'data']) mkdirSync(join(this.folder, name));
    chownSync(join(this.folder, 'work'), serviceUid, fleetGid);
    chmodSync(join(this.folder, 'work'), 0o2775);
    chmodSync(join(this.folder, 'data'), 0o755);
    chmodSync(this.folder, 0o755);
  }

  /** Puts a file where sessions may have their data. Its path in pods. */
  add(file: string): string {
    copyFileSync(file, join(this.folder, 'data', basename(file)));
    return `${dataMount}/${basename(file)}`;
  }

  async install(): Promise<void> {
    await this.kubectl('create', 'namespace', this.namespace);
    const restricted = 'pod-security.kubernetes.io/enforce=restricted';
    await this.kubectl('label', 'namespace', this.namespace, restricted);
    await this.helm('install', release, chart, ...this.values(), ...waiting);
    const { data } = await this.read<{ readonly data: { readonly key: string } }>('secret', adminKey);
    this.key = Buffer.from(data.key, 'base64').toString('utf8');
    await this.openDoorway();
  }

  /** To another version of the services. */
  async upgrade(tag: string): Promise<void> {
    await this.helm('upgrade', release, chart, ...this.values(), '--set-string', `image.tag=${tag}`, ...waiting);
  }

  /** To what it was before the last upgrade. */
  async rollBack(): Promise<void> {
    await this.helm('rollback', release, ...waiting);
  }

  /** Pods of services that are there, those that are about to go as well. */
  async services(): Promise<readonly V1Pod[]> {
    const selector =
      '--selector=app.kubernetes.io/component in (gateway,decision-worker,executor-worker,log-analysis-worker)';
    return (await this.read<{ readonly items: readonly V1Pod[] }>('pods', selector)).items;
  }

  /** Jobs of sessions' programs, and their pods. */
  async programsSeen(): Promise<{ readonly jobs: readonly V1Job[]; readonly pods: readonly V1Pod[] }> {
    const those = [`--namespace=${this.namespace}-jobs`, '--selector=phenix-fleet.io/session'];
    const [jobs, pods] = await Promise.all([
      this.read<{ readonly items: readonly V1Job[] }>('jobs', ...those),
      this.read<{ readonly items: readonly V1Pod[] }>('pods', ...those),
    ]);
    return { jobs: jobs.items, pods: pods.items };
  }

  /** What a pod writes, until it is gone. */
  logOf(pod: string): ChildProcess {
    const line = ['logs', '--follow', `--namespace=${this.namespace}`, pod];
    return spawn('kubectl', line, { stdio: ['ignore', 'pipe', 'ignore'] });
  }

  async end(): Promise<void> {
    this.doorway?.kill('SIGKILL');
    await this.helm('uninstall', release, '--ignore-not-found', ...waiting);
    const spaces = [this.namespace, `${this.namespace}-jobs`];
    await this.kubectl('delete', 'namespace', ...spaces, '--ignore-not-found', '--timeout=120s');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private values(): readonly string[] {
    const data = [{ name: 'data', mountPath: dataMount, source: { hostPath: { path: join(this.folder, 'data') } } }];
    return [
      ...['--values', join(chart, 'examples/dev-cluster.yaml')],
      ...['--set-string', `storage.work.source.hostPath.path=${join(this.folder, 'work')}`],
      ...['--set-json', `storage.data=${JSON.stringify(data)}`],
      ...['--set', `jobs.limits.maxRunning=${String(this.programs)}`],
      ...Object.entries(replicas).flatMap(([name, count]) => ['--set', `services.${name}.replicas=${String(count)}`]),
    ];
  }

  /** From a port of this machine into the cluster's network, to the Service's address. */
  private async openDoorway(): Promise<void> {
    const { spec } = await this.read<V1Service>('service', gateway);
    const { network } = JSON.parse(await cluster('status', '--json')) as { readonly network: string };
    const port = String(await freePort());
    const target = `${spec?.clusterIP ?? ''}:${String(spec?.ports?.[0]?.port ?? 0)}`;
    this.doorway = spawn('doorway', [`127.0.0.1:${port}`, network, target], { stdio: 'ignore' });
    this.url = `http://127.0.0.1:${port}`;
  }

  private async read<T>(...what: readonly string[]): Promise<T> {
    const here = what.some((one) => one.startsWith('--namespace')) ? [] : [`--namespace=${this.namespace}`];
    return JSON.parse(await this.kubectl('get', ...here, '--output=json', ...what)) as T;
  }

  private async kubectl(...args: readonly string[]): Promise<string> {
    return (await run('kubectl', args, output)).stdout;
  }

  private async helm(...args: readonly string[]): Promise<void> {
    await run('helm', [...args, '--namespace', this.namespace], output);
  }
}
