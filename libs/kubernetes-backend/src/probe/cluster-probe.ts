import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProbeRecord, type ProbeRecord } from '@fleet/attempt-runner';
import { Fault, type InstalledProgram } from '@fleet/contracts';
import type { Clock } from '@fleet/ports';
import { hasStatus } from '../api/api-failure';
import type { ClusterApi } from '../api/cluster-api';
import { shareFolder } from '../job/job-folders';
import { judgeRun } from '../judge/judge-run';
import { isFinished } from '../runs/cluster-runs';
import type { KubernetesSettings, SourceSettings } from '../settings/kubernetes-settings';
import { seenJob, seenPod, type SeenJob, type SeenPod } from '../watch/seen-objects';
import { probeHash, probeJob, type ProbePlan } from './probe-job';

export interface ClusterProbeOptions {
  readonly api: ClusterApi;
  readonly settings: KubernetesSettings;
  readonly workRoot: string;
  readonly programs: readonly string[];
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
}

/** A record is used this long, then its source is looked at again; milliseconds. */
const freshMs = 24 * 3_600_000;
const pollMs = 1_000;
/** Beside what pulling the image may take; milliseconds. */
const patienceMs = 600_000;

/** A record is visible this long after its Job's end; milliseconds. */
const recordPatienceMs = 5_000;

/** Where probes write to, relative to the work root. */
const recordsFolder = join('.fleet', 'programs');

/** Asks each source in a pod of its own which programs it has; the answer is a file that all executors use for a day. */
export class ClusterProbe {
  constructor(private readonly options: ClusterProbeOptions) {}

  /**
   * What can run, each program once, from the first source that has it. A source that cannot be asked costs a warning
   * and its programs, or keeps those of its last answer.
   * @throws Fault `programs.probe_failed` (transient) when no source could be asked
   */
  async probe(): Promise<readonly InstalledProgram[]> {
    const { sources } = this.options.settings;
    const answers = await Promise.allSettled(sources.map((source) => this.recordOf(source)));
    const found = new Map<string, InstalledProgram>();
    for (const [index, answer] of answers.entries()) {
      const source = sources[index]?.name ?? '';
      if (answer.status === 'rejected') {
        const reason: unknown = answer.reason;
        this.options.onWarning(`source ${source}: ${reason instanceof Error ? reason.message : String(reason)}`);
        continue;
      }
      for (const program of answer.value.programs) {
        if (!found.has(program.program)) found.set(program.program, { ...program, source });
      }
    }
    const failed = answers.filter((answer) => answer.status === 'rejected');
    if (failed.length === sources.length) {
      throw new Fault('programs.probe_failed', 'transient', 'no source of programs could be asked what it has', {
        cause: failed[0]?.reason,
      });
    }
    return [...found.values()];
  }

  private async recordOf(source: SourceSettings): Promise<ProbeRecord> {
    const { settings, workRoot, programs, clock } = this.options;
    const hash = probeHash(settings, source, programs);
    const folder = join(workRoot, recordsFolder);
    const plan: ProbePlan = { settings, source, programs, folder, out: join(folder, `${hash}.json`) };
    const known = readProbeRecord(plan.out);
    if (known !== undefined && clock.now() - Date.parse(known.probedAt) < freshMs) return known;
    try {
      const record = await this.ask(`phx-programs-${hash}`, plan, known);
      for (const warning of record.warnings) this.options.onWarning(`source ${source.name}: ${warning}`);
      return record;
    } catch (error) {
      if (known === undefined) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      this.options.onWarning(`source ${source.name}: ${reason} What it had on ${known.probedAt} is used.`);
      return known;
    }
  }

  /** Runs the probe's Job to its end; one that another executor has started is waited for. */
  private async ask(name: string, plan: ProbePlan, known: ProbeRecord | undefined): Promise<ProbeRecord> {
    shareFolder(plan.folder, plan.settings.identity.fleetGid);
    const began = performance.now();
    const until = began + plan.settings.imagePullLimitSeconds * 1_000 + patienceMs;
    let mine = false;
    while (performance.now() < until) {
      const record = readProbeRecord(plan.out);
      if (record !== undefined && record.probedAt !== known?.probedAt) return record;
      const job = await this.jobOf(name);
      if (job === undefined) {
        await this.create(name, plan);
        mine = true;
      } else if (isFinished(job) && !mine) {
        // Of an earlier day, or one that failed, and its name is needed; one that just ended shows its record soon.
        if (performance.now() - began > recordPatienceMs) await this.options.api.deleteJob(name, 'Background');
      } else {
        this.refuseFailure(plan.source, job, await this.podsOf(name));
      }
      await sleep(pollMs);
    }
    throw probeFailed(plan.source, 'its pod does not end');
  }

  private async create(name: string, plan: ProbePlan): Promise<void> {
    try {
      await this.options.api.createJob(probeJob(name, plan));
    } catch (error) {
      // Another executor was faster.
      if (!hasStatus(error, 409)) throw error;
    }
  }

  private refuseFailure(source: SourceSettings, job: SeenJob, pods: readonly SeenPod[]): void {
    const verdict = judgeRun({ job, pods, now: this.options.clock.now(), limits: this.options.settings });
    if (verdict.state !== 'ended') return;
    if (job.conditions.some(({ type, status }) => type === 'Complete' && status === 'True')) return;
    const main = verdict.pod?.containers.find(({ init }) => !init);
    throw probeFailed(source, [verdict.outcome.message, main?.message ?? ''].join(' ').trim());
  }

  private async jobOf(name: string): Promise<SeenJob | undefined> {
    const raw = await this.options.api.readJob(name);
    return raw === undefined ? undefined : seenJob(raw);
  }

  private async podsOf(name: string): Promise<readonly SeenPod[]> {
    const raw = await this.options.api.listAll('pods', `batch.kubernetes.io/job-name=${name}`);
    return raw.flatMap((item) => seenPod(item) ?? []);
  }
}

const probeFailed = (source: SourceSettings, why: string): Fault =>
  new Fault(
    'programs.probe_failed',
    'transient',
    `the programs of source ${source.name} could not be asked for: ${why}`,
  );
