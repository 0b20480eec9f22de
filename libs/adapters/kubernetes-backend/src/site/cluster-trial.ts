import { setTimeout as sleep } from 'node:timers/promises';
import { rmSync } from 'node:fs';
import {
  judgeTrial,
  prepareTrialFolder,
  trialRecordIn,
  type Call,
  type TrialPlan,
  type TrialRecord,
} from '@fleet/attempt-runner';
import type { Finding } from '@fleet/contracts/administration';
import { allWell, finding, type Clock } from '@fleet/ports';
import { hasStatus } from '../api/api-failure';
import type { ClusterApi } from '../api/cluster-api';
import { judgeRun } from '../judge/judge-run';
import { programContainer } from '../job/pod-parts';
import type { KubernetesSettings } from '../settings/kubernetes-settings';
import { seenJob, seenPod, type SeenPod } from '../watch/seen-objects';
import { lookForRecord, type SeenRecord } from './trial-record';
import { podsOfTrial, trialJob, type PodOfTrial } from './trial-job';

export interface ClusterTrialOptions {
  readonly api: ClusterApi;
  readonly settings: KubernetesSettings;
  readonly workRoot: string;
  readonly clock: Clock;
  /** Endpoints outside the pods that programs must not reach. */
  readonly closedTo: readonly Call[];
  /** Time limit for a trial pod to start, in milliseconds. */
  readonly patienceMs: number;
  /** Milliseconds between two checks of it. */
  readonly pollMs: number;
}

/** Log lines searched for a record. */
const logLines = 40;
const logBytes = 256 * 1024;

/** The result of a pod: its record, from the volume or its log, or why there is none. */
type PodResult =
  | { readonly record: TrialRecord; readonly owner?: SeenRecord['owner'] }
  | { readonly reason: string; readonly remedy?: string };

interface OnePod {
  readonly pod: PodOfTrial;
  readonly job: string;
  readonly plan: TrialPlan;
}

/**
 * Starts pods with the settings of programs, and judges their records. Another executor can take over the Jobs of the
 * same trial.
 */
export class ClusterTrial {
  constructor(private readonly options: ClusterTrialOptions) {}

  /**
   * @param signal ends the wait; Jobs in progress are left to the executor that takes the trial over, and end by
   *   themselves
   */
  async run(id: string, signal: AbortSignal): Promise<readonly Finding[]> {
    const { settings, workRoot } = this.options;
    const folder = prepareTrialFolder(workRoot, id, settings.identity.fleetGid);
    const pods = podsOfTrial(settings).map((pod, index): OnePod => {
      const name = `${pod.nodes}-${String(index)}`;
      return { pod, job: `phx-trial-${id}-${name}`, plan: this.planOf(folder, name) };
    });
    const found = await Promise.all(pods.map((one) => this.one(id, one, pods, signal)));
    rmSync(folder, { recursive: true, force: true });
    return found.flat();
  }

  private planOf(folder: string, name: string): TrialPlan {
    const { settings, closedTo } = this.options;
    const wanted = settings.mustReach.map((what): Call => {
      const [host = '', port = ''] = what.split(':');
      return { what, host, port: Number(port) };
    });
    return {
      folder,
      name,
      reads: [...settings.volumes.data, ...settings.volumes.software].map(({ mountPath }) => mountPath),
      calls: [...closedTo, ...wanted],
      names: [...new Set(wanted.map(({ host }) => host).filter((host) => /[A-Za-z]/.test(host)))],
    };
  }

  private async one(id: string, one: OnePod, all: readonly OnePod[], signal: AbortSignal): Promise<readonly Finding[]> {
    const { clock, settings } = this.options;
    const { pod, job } = one;
    const as = `trial.${pod.nodes}`;
    const [began, start] = [clock.now(), performance.now()];
    const isMine = await this.create(id, one);
    const result = await this.outcomeOf(one, signal);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    await this.options.api.deleteJob(job, 'Background');
    const { identity } = pod;
    const judged =
      'reason' in result
        ? [notStarted(as, result, settings.namespace)]
        : [
            allWell(
              `${as}.start`,
              `A pod like those of ${pod.nodes} programs was started, and ended after ${seconds} s.`,
            ),
            ...judgeTrial({
              ...result,
              as,
              told: id,
              wanted: { uid: identity.uid, groups: [settings.identity.fleetGid, ...identity.supplementalGroups] },
              // A Job that another executor created began earlier.
              began: isMine ? began : 0,
              ended: clock.now(),
              wantsGpu: pod.nodes === 'gpu',
              mustReach: settings.mustReach,
            }),
          ];
    const alike = all.filter(({ pod: other }) => other.nodes === pod.nodes);
    return alike.length === 1 ? judged : judged.map((it) => ({ ...it, seen: `${nameOf(pod)}: ${it.seen}` }));
  }

  /** @returns false if an earlier executor has created it */
  private async create(id: string, { pod, job, plan }: OnePod): Promise<boolean> {
    const { api, settings, patienceMs } = this.options;
    try {
      await api.createJob(trialJob(job, pod, plan, { id, patienceSeconds: Math.ceil(patienceMs / 1000), settings }));
      return true;
    } catch (error) {
      if (hasStatus(error, 409)) return false;
      throw error;
    }
  }

  private async outcomeOf(one: OnePod, signal: AbortSignal): Promise<PodResult> {
    const { folder, name } = one.plan;
    const until = performance.now() + this.options.patienceMs;
    for (;;) {
      const seen = lookForRecord(folder, name);
      if (seen !== undefined) return seen;
      const state = await this.stateOf(one);
      if (state.over) return this.lastWordsOf(one, state);
      if (performance.now() > until) return { reason: await this.explained(state) };
      await sleep(this.options.pollMs, undefined, { signal });
    }
  }

  private async stateOf({ job: name }: OnePod): Promise<State> {
    const { api, settings, clock } = this.options;
    const job = seenJob(await api.readJob(name));
    const pods = (await api.listAll('pods', `batch.kubernetes.io/job-name=${name}`)).flatMap(
      (raw) => seenPod(raw) ?? [],
    );
    if (job === undefined) return { over: true, reason: 'its Job was deleted', pods };
    const runState = judgeRun({ job, pods, now: clock.now(), limits: settings });
    if (runState.state === 'running') return { over: false, reason: 'it does not end', pods };
    if (runState.state === 'waiting') return { over: false, reason: runState.reason, pods };
    return { over: true, reason: runState.outcome.message, remedy: runState.outcome.nextAction, pods };
  }

  /** The result of an ended pod: the volume may show its record late, or never; then its log contains it. */
  private async lastWordsOf({ plan }: OnePod, state: State): Promise<PodResult> {
    const until = performance.now() + this.options.settings.resultGraceSeconds * 1_000;
    const failed = state.pods.find(({ phase }) => phase === 'Failed');
    do {
      const seen = lookForRecord(plan.folder, plan.name);
      if (seen !== undefined) return seen;
      await sleep(this.options.pollMs);
    } while (failed === undefined && performance.now() < until);
    if (failed === undefined) return { reason: `${unseen} (${state.reason})`, remedy: sharedRemedy };
    const log = await this.options.api.logTail(failed.name, programContainer, logLines, logBytes);
    const record = log
      .split('\n')
      .map(recordIn)
      .find((found) => found !== undefined);
    if (record !== undefined) return { record };
    const lastLines = log.trim().slice(-500);
    const old = log.includes('Cannot find module') && log.includes('run-trial');
    return { reason: `${state.reason} ${lastLines}`.trim(), remedy: old ? oldRunner : (state.remedy ?? '') };
  }

  /** Why it waits, with the cluster's events about its pod. */
  private async explained({ reason, pods }: State): Promise<string> {
    const [pod] = pods;
    const notes = pod === undefined ? [] : await this.options.api.eventMessages('Pod', pod.name);
    return notes.length === 0 ? reason : `${reason}: ${notes.at(-1) ?? ''}`;
  }
}

interface State {
  readonly over: boolean;
  readonly reason: string;
  readonly remedy?: string | undefined;
  readonly pods: readonly SeenPod[];
}

const unseen = 'it succeeded, but the executor does not see its files on the work volume';
const sharedRemedy =
  'Mount the same volume under the same path in executors and Jobs (volumes.work, FLEET_WORK_ROOT), and compare subPath.';
const oldRunner = 'The image has the runner of an older release: rebuild it with the current runner.';

const recordIn = (line: string): TrialRecord | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    return trialRecordIn(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const notStarted = (
  as: string,
  { reason, remedy }: Extract<PodResult, { reason: string }>,
  namespace: string,
): Finding =>
  finding(`${as}.start`, 'error', `No test pod finished: ${reason.replace(/[.\s]+$/, '')}.`, {
    why: 'Programs are started in the same way and would wait or fail alike.',
    remedy:
      remedy ||
      `Check kubectl get events -n ${namespace}, and compare classes, volumes and images of the settings with the cluster.`,
  });

const nameOf = ({ source, identity }: PodOfTrial): string => `${source.name} as ${String(identity.uid)}`;
