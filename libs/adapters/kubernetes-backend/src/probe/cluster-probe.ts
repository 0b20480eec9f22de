import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProbeRecord, shareFolder, type ProbeRecord } from '@fleet/attempt-runner';
import { Fault } from '@fleet/contracts/faults';
import type { InstalledProgram } from '@fleet/contracts/service';
import type { Clock } from '@fleet/ports';
import { hasStatus } from '../api/api-failure';
import type { ClusterApi } from '../api/cluster-api';
import { judgeRun } from '../judge/judge-run';
import { mainOf } from '../judge/program-container';
import type { Pace } from '../pace';
import type { KubernetesSettings, SourceSettings } from '../settings/kubernetes-settings';
import { isFinished, seenJob, seenPod, type SeenJob, type SeenPod } from '../watch/seen-objects';
import { probeHash, probeJob, type ProbePlan } from './probe-job';
import { imagesOf } from './source-images';

export interface ClusterProbeOptions {
  readonly api: ClusterApi;
  readonly settings: KubernetesSettings;
  readonly workRoot: string;
  readonly programs: readonly string[];
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
  readonly pace: Pick<Pace, 'probePollMs' | 'recordMs' | 'laggardsMs'>;
}

/** Lifetime of a record before its source is probed again; milliseconds. */
const freshMs = 24 * 3_600_000;
/** Time limit of a probe in addition to the image pull; milliseconds. */
const timeoutMs = 600_000;

/** Folder of probe records, relative to the work root. */
const recordsFolder = join('.fleet', 'programs');

/** The result of probing a source. */
type Answer = { readonly record: ProbeRecord } | { readonly failure: unknown } | 'pending';

/** Probes each source in its own pod for its programs. The record is a file that all executors use for a day. */
export class ClusterProbe {
  private readonly asking = new Map<string, Promise<Answer>>();
  private readonly closing = new AbortController();

  constructor(private readonly options: ClusterProbeOptions) {}

  /**
   * Lists the programs that can run, each once, from the first source that has it. An older record is used while the
   * source is probed again. A source that cannot be probed causes a warning and loses its programs, and delays nothing.
   * @throws Fault `programs.probe_failed` (transient) if no source could be probed
   */
  async probe(): Promise<readonly InstalledProgram[]> {
    const { settings, pace } = this.options;
    const { sources } = settings;
    const answers = await inTime(
      sources.map((source) => this.answerOf(source)),
      pace.laggardsMs,
    );
    const failures = answers.flatMap((answer) => (answer !== 'pending' && 'failure' in answer ? [answer.failure] : []));
    if (failures.length === sources.length) {
      throw new Fault('programs.probe_failed', 'transient', 'no source of programs could be queried', {
        cause: failures[0],
      });
    }
    const found = new Map<string, InstalledProgram>();
    for (const [index, answer] of answers.entries()) {
      if (answer === 'pending' || 'failure' in answer) continue;
      const source = sources[index];
      for (const program of answer.record.programs) {
        if (!found.has(program.program))
          found.set(program.program, {
            ...program,
            source: source?.name ?? '',
            ...(source !== undefined && imagesOf(source)),
          });
      }
    }
    return [...found.values()];
  }

  /** Stops waiting; Jobs in progress still write their records. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.asking.values());
  }

  private answerOf(source: SourceSettings): Promise<Answer> {
    const { settings, workRoot, programs, clock } = this.options;
    const hash = probeHash(settings, source, programs);
    const folder = join(workRoot, recordsFolder);
    const plan: ProbePlan = { settings, source, programs, folder, out: join(folder, `${hash}.json`) };
    const known = readProbeRecord(plan.out);
    // A time in the future, from a wrong clock, counts like one in the past.
    if (known !== undefined && Math.abs(clock.now() - Date.parse(known.probedAt)) < freshMs) {
      return Promise.resolve({ record: known });
    }
    const inProgress = this.asking.get(hash) ?? this.startAsking(hash, plan, known);
    return known === undefined ? inProgress : Promise.resolve({ record: known });
  }

  private startAsking(hash: string, plan: ProbePlan, known: ProbeRecord | undefined): Promise<Answer> {
    const answer = this.ask(`phx-programs-${hash}`, plan, known)
      .then(
        (record): Answer => {
          for (const warning of record.warnings) this.options.onWarning(`source ${plan.source.name}: ${warning}`);
          return { record };
        },
        (failure: unknown): Answer => {
          if (this.closing.signal.aborted) return { failure };
          const reason = failure instanceof Error ? failure.message : String(failure);
          const instead = known === undefined ? '' : ` The list of ${known.probedAt} is used.`;
          this.options.onWarning(`source ${plan.source.name}: ${reason}${instead}`);
          return { failure };
        },
      )
      .finally(() => this.asking.delete(hash));
    this.asking.set(hash, answer);
    return answer;
  }

  /** Runs the probe's Job to its end, or waits for one that another executor has started. */
  private async ask(name: string, plan: ProbePlan, known: ProbeRecord | undefined): Promise<ProbeRecord> {
    shareFolder(plan.folder, plan.settings.identity.fleetGid);
    const { api, pace } = this.options;
    const began = performance.now();
    const until = began + plan.settings.imagePullLimitSeconds * 1_000 + timeoutMs;
    let mine = false;
    while (performance.now() < until) {
      const record = readProbeRecord(plan.out);
      if (record !== undefined && record.probedAt !== known?.probedAt) return record;
      const job = await this.jobOf(name);
      if (job === undefined) {
        await this.create(name, plan);
        mine = true;
      } else if (isFinished(job) && !mine) {
        // An old or failed Job blocks the name. One that just ended shows its record soon.
        if (performance.now() - began > pace.recordMs) await api.deleteJob(name, 'Background');
      } else {
        this.refuseFailure(plan.source, job, await this.podsOf(name));
      }
      await sleep(pace.probePollMs, undefined, { signal: this.closing.signal });
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
    const runState = judgeRun({ job, pods, now: this.options.clock.now(), limits: this.options.settings });
    if (runState.state !== 'ended') return;
    if (job.conditions.some(({ type, status }) => type === 'Complete' && status === 'True')) return;
    const words = runState.pod === undefined ? '' : (mainOf(runState.pod)?.message ?? '');
    throw probeFailed(source, `${runState.outcome.message} ${words}`.trim());
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
  new Fault('programs.probe_failed', 'transient', `the programs of source ${source.name} could not be listed: ${why}`);

/** Waits for the first record, then briefly for the others; for all if none arrives. */
const inTime = async (asked: readonly Promise<Answer>[], laggardsMs: number): Promise<readonly Answer[]> => {
  const late = new AbortController();
  const first = Promise.any(
    asked.map(async (answer) => {
      const settled = await answer;
      if (settled === 'pending' || 'failure' in settled) throw new Error('no record');
    }),
  );
  const timeUp = first.then(
    () => sleep(laggardsMs, 'pending' as const, { signal: late.signal, ref: false }).catch(() => 'pending' as const),
    () => 'pending' as const,
  );
  const answers = await Promise.all(asked.map((answer) => Promise.race([answer, timeUp])));
  late.abort();
  return answers;
};
