import { attemptFiles } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { attemptExitCodes, claimRun, publish, readSpec, writeResult } from '@fleet/attempt-runner';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a stand-in program comes to its end: by itself, by SIGTERM to its pod, or with its node, which writes nothing. */
type Fate = 'own_end' | 'told_to_end' | 'dead';

/** Exit code of a container that was killed. */
const killed = 137;

/**
 * A program of a pod. SIMULATED: no program runs; the files of the attempt are written as its supervisor does
 * (libs/adapters/attempt-runner), and so is the container's exit code.
 */
export class StandInProgram {
  private seal: (fate: Fate) => void = () => undefined;
  private readonly sealed = new Promise<Fate>((resolve) => {
    this.seal = resolve;
  });

  constructor(
    /** Of the attempt. */
    private readonly name: string,
    private readonly folders: { readonly running: string; readonly published: string },
    private readonly exitCode: number,
    private readonly onLaunch: () => void,
  ) {}

  /** SIGTERM, as for a pod that is deleted. */
  tellToEnd(): void {
    this.seal('told_to_end');
  }

  /** Its node lost power: nothing of it is left, and nothing is written. */
  die(): void {
    this.seal('dead');
  }

  /** Runs for that many milliseconds, unless it is ended. The container's exit code. */
  async run(ms: number): Promise<number> {
    const { running, published } = this.folders;
    const startedAt = new Date();
    const run = { name: this.name, specHash: readSpec(running)?.hash ?? '', startedAt: startedAt.toISOString() };
    if (claimRun(running, run) === undefined) return attemptExitCodes.elsewhere;
    this.onLaunch();
    const ended = new AbortController();
    const timer = sleep(ms, 'own_end' as const, { signal: ended.signal }).catch((error: unknown) => {
      if (ended.signal.aborted) return 'dead' as const;
      throw error;
    });
    const fate = await Promise.race([this.sealed, timer]);
    ended.abort();
    if (fate === 'dead') return killed;
    // Taken away meanwhile: whoever did so has written how it ended.
    if (!existsSync(running)) return attemptExitCodes.failed;
    appendFileSync(join(running, attemptFiles.log), 'SIMULATED: a stand-in of a test ran here.\n');
    writeResult(running, {
      schemaVersion: 1,
      name: run.name,
      startedAt: run.startedAt,
      ending: this.endingOf(fate, startedAt.getTime()),
    });
    publish({ running, published });
    return attemptExitCodes.recorded;
  }

  private endingOf(fate: Exclude<Fate, 'dead'>, startedAt: number): AttemptEnding {
    const times = { endedAt: new Date().toISOString(), durationMs: Date.now() - startedAt };
    if (fate === 'told_to_end') {
      const message = 'The stand-in was ended because its computer or pod is shutting down.';
      return { kind: 'disrupted', infrastructure: true, message, ...times };
    }
    const { exitCode } = this;
    const message = `The stand-in ended with exit code ${String(exitCode)}.`;
    return { kind: 'exited', exitCode, infrastructure: false, message, ...times };
  }
}
