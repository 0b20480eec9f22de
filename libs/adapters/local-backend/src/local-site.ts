import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import {
  judgeTrial,
  prepareTrialFolder,
  readTrialRecord,
  runTrialScript,
  trialArguments,
  trialRecordOf,
  type TrialPlan,
} from '@fleet/attempt-runner';
import type { Finding } from '@fleet/contracts/administration';
import { allWell, finding, type BackendSite, type Clock } from '@fleet/ports';

export interface LocalSiteOptions {
  /** Absolute. */
  readonly workRoot: string;
  /** The programs' whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Compiled `run-trial`; by default the one in its package. */
  readonly script?: string;
}

/** Time limit of a trial, in milliseconds. */
const timeoutMs = 90_000;

/** Checks the environment of programs that run as local processes. */
export class LocalSite implements BackendSite {
  constructor(private readonly options: LocalSiteOptions) {}

  /** The executor itself sees everything here. */
  look(): Promise<readonly Finding[]> {
    return Promise.resolve([]);
  }

  async trial(id: string, signal: AbortSignal): Promise<readonly Finding[]> {
    const { clock, workRoot } = this.options;
    const plan: TrialPlan = {
      folder: prepareTrialFolder(workRoot, id),
      name: 'local',
      reads: [],
      calls: [],
      names: [],
    };
    const began = clock.now();
    const words = await this.run(plan, signal);
    const path = trialRecordOf(plan);
    const record = readTrialRecord(path);
    if (record === undefined) {
      const seen = `The test process did not finish: ${words.trim().slice(0, 500) || 'no output'}.`;
      return [
        finding('trial.local.start', 'error', seen, {
          why: 'Programs are started in the same way.',
          remedy: 'Read the log of the executor, and check that its user can write below the work root.',
        }),
      ];
    }
    const { uid, gid } = statSync(path);
    rmSync(plan.folder, { recursive: true, force: true });
    const judged = judgeTrial({
      record,
      as: 'trial.local',
      told: id,
      wanted: { uid: process.getuid?.() ?? 0, groups: [] },
      owner: { uid, gid },
      began,
      ended: clock.now(),
      // A program may use whatever this computer offers.
      wantsGpu: record.gpus.length > 0,
      mustReach: [],
    });
    return [allWell('trial.local.start', 'A test process was started and has ended.'), ...judged];
  }

  /** @returns its output, if it failed */
  private run(plan: TrialPlan, signal: AbortSignal): Promise<string> {
    const { environment, script = runTrialScript } = this.options;
    const options = { env: { ...environment }, timeout: timeoutMs, killSignal: 'SIGKILL', signal } as const;
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [script, ...trialArguments(plan)], options, (error, output, words) => {
        if (signal.aborted) reject(error ?? new Error('the trial was ended'));
        else resolve(error === null ? output : words || error.message);
      });
    });
  }
}
