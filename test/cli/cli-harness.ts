import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptFiles } from '@fleet/contracts/runs';
import type { CycleRecord, StopReason } from '@fleet/contracts/sessions';
import { aCycle, anEvent, aNewSession, anId } from '@fleet/testing';
import { GatewayHarness, type HarnessOptions } from '../api/gateway-harness';
import { runPhx, type Ran, type RunOptions } from './scripted-terminal';

/** `phx` against a real gateway, whose sessions the test moves by hand. */
export class CliHarness {
  private constructor(
    readonly gateway: GatewayHarness,
    readonly url: string,
  ) {}

  static async start(given: HarnessOptions = {}): Promise<CliHarness> {
    const gateway = await GatewayHarness.start(given);
    return new CliHarness(gateway, await gateway.listen());
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  readonly phx = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    runPhx(['--server', this.url, ...args], options);

  readonly aStored = async (parts: Parameters<typeof aNewSession>[0] = {}): Promise<string> => {
    const id = anId();
    const events = [anEvent({ type: 'session_submitted', message: 'here' })];
    await this.gateway.store.records.create(aNewSession({ ...parts, id, folder: this.folderOf(id) }), events, 1000);
    return id;
  };

  /** A session with this many cycles. */
  readonly withCycles = async (count: number): Promise<string> => {
    const id = await this.aStored();
    for (let cycle = 1; cycle <= count; cycle += 1) await this.runCycle(id, aCycle({ cycle }));
    return id;
  };

  readonly folderOf = (id: string): string => join(this.gateway.work, 'mx1', id);
  readonly logOf = (id: string, attempt = 1): string =>
    join(this.folderOf(id), `c001-refine/a${String(attempt)}`, attemptFiles.log);

  readonly end = async (id: string, reason: StopReason): Promise<void> => {
    const to = { ended: { reason, detail: `because ${reason}`, afterCycle: 1 } };
    const events = [anEvent({ type: 'session_ended', message: `because ${reason}` })];
    const fromVersion = await this.version(id);
    await this.gateway.store.records.advance({ sessionId: id, fromVersion, to, events, dueInMs: 1 });
  };

  /** The current cycle's record as it is while its program runs. */
  readonly execute = async (id: string, record: CycleRecord): Promise<void> => {
    await this.gateway.store.records.advance({
      sessionId: id,
      fromVersion: await this.version(id),
      to: { stage: 'executing', cycle: record.cycle, attempt: record.attempts.at(-1)?.attempt ?? 1 },
      cycleRecord: record,
      events: [],
      dueInMs: 1,
    });
  };

  /** A cycle passes; the session decides on the next one. */
  readonly runCycle = async (
    id: string,
    record: CycleRecord = aCycle(),
    outputs: readonly string[] = ['/work/new\nline.pdb'],
  ): Promise<void> => {
    const argv = ['phenix.refine', 'two words.mtz', "it's", `${this.folderOf(id)}/c001-refine`];
    const { cycle } = record;
    const events = [
      anEvent({ cycle, type: 'cycle_start', message: `Cycle ${String(cycle)}` }),
      anEvent({ cycle, type: 'command_built', message: 'plain', data: { argv } }),
      anEvent({ cycle, type: 'thought', message: 'thinking' }),
      anEvent({ cycle, type: 'attempt_started', message: 'phenix.refine started', data: { attempt: 1 } }),
      anEvent({ cycle, type: 'cycle_complete', message: 'done', data: { outputs } }),
    ];
    await this.gateway.store.records.advance({
      sessionId: id,
      fromVersion: await this.version(id),
      to: { stage: 'deciding', cycle: cycle + 1, attempt: 1 },
      cycleRecord: record,
      events,
      dueInMs: 1,
    });
  };

  private readonly version = async (id: string): Promise<number> =>
    (await this.gateway.store.records.loadHead(id))?.version ?? 0;
}

export const write = (path: string, content: string | Buffer): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
