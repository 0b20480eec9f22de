import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, attemptName, runningSuffix, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding, CycleRecord } from '@fleet/contracts/sessions';
import {
  KubernetesBackend,
  loadKubernetesSettings,
  type KubernetesBackendOptions,
  type KubernetesSettings,
} from '@fleet/kubernetes-backend';
import { systemClock, type RunState } from '@fleet/ports';
import { aCycle, anAttempt, anId } from '@fleet/testing';
import { afterEnding, type AfterEnding } from '../../apps/executor-worker/src/execute/after-ending';
import { fleetGid, type ClusterGround } from './cluster-ground';

const version = (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string })
  .version;
const runnerImage = `localhost/phenix-fleet/runner:${version}`;

/** Whom the proposal's programs run as. */
export const proposalUid = 21_001;

export type SpecChange = Partial<Omit<RunSpec, 'limits'>> & { readonly limits?: Partial<RunSpec['limits']> };

/** Real programs in real pods: the backend as the executor has it, over shell commands in the project's runner image. */
export class RealRuns {
  private readonly backends: KubernetesBackend[] = [];
  private serial = 0;

  constructor(readonly ground: ClusterGround) {}

  /**
   * A new executor's backend: it knows nothing but the files and the cluster. `more`: other settings than usual, also
   * shorter times than the schema allows.
   */
  aBackend(more: Partial<KubernetesSettings> = {}, options: Partial<KubernetesBackendOptions> = {}): KubernetesBackend {
    const backend = new KubernetesBackend({
      settings: { ...this.settingsNow(), ...more },
      workRoot: this.ground.work,
      programs: [],
      clock: systemClock,
      onWarning: () => undefined,
      kubeconfig: this.ground.kubeconfig,
      ...options,
    });
    this.backends.push(backend);
    return backend;
  }

  /** Default options of a backend. */
  settingsNow(): KubernetesSettings {
    this.serial += 1;
    const file = join(this.ground.folder, `settings-${String(this.serial)}.yaml`);
    writeFileSync(file, JSON.stringify(this.settings()));
    return loadKubernetesSettings(file);
  }

  /** One attempt of a shell command. */
  aSpec(script: string, change: SpecChange = {}): RunSpec {
    const sessionId = anId();
    const sessionFolder = join(this.ground.work, 'mx1', sessionId);
    mkdirSync(sessionFolder, { recursive: true });
    for (const folder of [join(this.ground.work, 'mx1'), sessionFolder]) {
      chownSync(folder, 0, fleetGid);
      chmodSync(folder, 0o2770);
    }
    return {
      name: attemptName(sessionId, 1, 1),
      sessionFolder,
      attemptFolder: 'c001-refine/a1',
      program: 'phenix.refine',
      argv: ['/bin/sh', '-c', script],
      source: 'shell',
      owner: { sessionId, cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
      resources: { class: 'cpu', cpus: 0.01, mayFallBack: false },
      ...change,
      limits: { wallClock: 300, memoryMiB: 64, outputBytes: 1024 * 1024, ...change.limits },
    };
  }

  /** Starts a run and waits until its program is at work. */
  async started(backend: KubernetesBackend, spec: RunSpec): Promise<void> {
    await backend.ensure(spec);
    await this.ground.until(`${spec.name} runs`, () =>
      Promise.resolve(this.logOf(spec).includes('ready') || undefined),
    );
  }

  async endOf(backend: KubernetesBackend, spec: RunSpec, timeoutMs = 180_000): Promise<AttemptEnding> {
    const look = async (): Promise<AttemptEnding | undefined> => endingOf(await backend.ensure(spec));
    return this.ground.until(`${spec.name} has ended`, look, timeoutMs);
  }

  /** What the program has printed, whether it still runs or not. */
  logOf({ sessionFolder, attemptFolder }: RunSpec): string {
    const published = join(sessionFolder, attemptFolder);
    const log = [published, `${published}${runningSuffix}`]
      .map((folder) => join(folder, attemptFiles.log))
      .find((file) => existsSync(file));
    return log === undefined ? '' : readFileSync(log, 'utf8');
  }

  async end(): Promise<void> {
    for (const backend of this.backends) await backend.close();
  }

  private settings(): object {
    return {
      namespace: this.ground.namespace,
      installation: this.ground.namespace,
      sources: [{ name: 'shell', image: runnerImage, runner: 'baked', openPhenixDir: '/opt' }],
      runnerImage,
      volumes: {
        work: { mountPath: this.ground.work, claim: 'work' },
        data: [{ mountPath: this.ground.data, claim: 'data' }],
      },
      classes: { cpu: {}, gpu: { resources: { 'nvidia.com/gpu': '1' } } },
      memoryClassesMiB: [64, 128],
      gpuWaitSeconds: 3,
      imagePullLimitSeconds: 120,
      identity: {
        fleetGid,
        default: { uid: 10_001, gid: 10_001 },
        proposals: { mx1: { uid: proposalUid, gid: proposalUid } },
      },
      api: { requestsPerSecond: 50, burst: 100, relistSeconds: 5 },
      resultGraceSeconds: 5,
    };
  }
}

const endingOf = (state: RunState): AttemptEnding | undefined => (state.state === 'ended' ? state.ending : undefined);

/** The Job of a run. */
export const jobOf = ({ name }: RunSpec): string => `phx-${name.toLowerCase()}`;

/** What the executor does about an ending of the first attempt, with 128 MiB as the next class of memory. */
export const nextStep = (ending: AttemptEnding): AfterEnding => {
  const record: CycleRecord = aCycle({ attempts: [anAttempt({ attempt: 1, ending })] });
  return afterEnding(record, ending, { maxAttempts: 3, maxDisruptions: 5, largerMemory: () => 128 });
};
