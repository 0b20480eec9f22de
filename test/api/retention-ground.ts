import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import type { RetentionRule } from '@fleet/contracts/retention';
import type { Session } from '@fleet/contracts/sessions';
import type { RetentionDependencies } from '@fleet/retention';
import { SessionFolder } from '@fleet/session-folder';
import { aCycle, aFile, anEvent, aNewSession, anId, aRequest, ManualClock } from '@fleet/testing';
import type { PostgresServer } from '@fleet/testing';
import { openStore, type OpenStore } from '../support/servers';
import { PlainAuditLog } from './audit-log.fake';
import { GatewayHarness } from './gateway-harness';

export const day = 86_400_000;
const rules: readonly RetentionRule[] = [
  { outcome: 'cancelled', priority: 'backfill', folder: '1d', record: '1d' },
  { outcome: 'cancelled', folder: '10d', record: '20d' },
];
export const stop = { reason: 'cancelled', detail: 'by request', afterCycle: 1 } as const;

/** A gateway with rules, over a database and a work root of a test's own, at a time that the test sets. */
export class RetentionGround {
  private constructor(
    readonly open: OpenStore,
    readonly gateway: GatewayHarness,
    readonly audit: PlainAuditLog,
    readonly clock: ManualClock,
  ) {}

  static async start(postgres: PostgresServer): Promise<RetentionGround> {
    const clock = new ManualClock(Date.parse('2026-11-01T00:00:00Z'));
    const open = await openStore(await postgres.newDatabase(), clock);
    const audit = new PlainAuditLog();
    const gateway = await GatewayHarness.start({
      store: open.store,
      clock,
      audit: () => audit,
      folders: ({ work, data }) => new SessionFolder(work, { dataRoots: [sharedRoot(data)] }),
      options: { retention: rules, uploads: { maxFileBytes: 1000, maxDayBytes: 1000, keepHours: 1 } },
    });
    return new RetentionGround(open, gateway, audit, clock);
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.open.close();
  }

  /** Dependencies of a deletion. */
  get deps(): RetentionDependencies {
    const { open, gateway, audit, clock } = this;
    const by = { who: 'test', request: '', from: '' };
    return { records: open.store.retention, folders: new SessionFolder(gateway.work), rules, audit, clock, by };
  }

  /** A session that has ended, with its folder. */
  async made(
    request: Partial<Session['request']> = {},
    { running = false }: { readonly running?: boolean } = {},
  ): Promise<{ readonly id: string; readonly folder: string; readonly log: string }> {
    const id = anId();
    const whole = aRequest({ inputs: [aFile({ path: join(this.gateway.data, 'data.mtz') })], ...request });
    const folder = join(this.gateway.work, whole.proposal, id);
    const log = join(folder, 'c001-refine', 'a1', 'log.txt');
    const output = aFile({ path: join(folder, 'c001-refine', 'a1', 'out.pdb'), cycle: 1 });
    const cycle = aCycle({ cycle: 1 });
    const decision = { ...cycle.decision, inputs: [] };
    const cycles = [{ ...cycle, decision, result: { ...cycle.result!, outputs: [output] } }];
    const position = { stage: 'deciding', cycle: 1, attempt: 1, cycles } as const;
    await this.open.store.records.create(
      aNewSession({
        id,
        folder,
        createdAt: new Date(this.clock.now()).toISOString(),
        request: whole,
        resume: running ? { ...position, status: 'running' } : { ...position, status: 'cancelled', stop },
      }),
      [anEvent()],
      1000,
    );
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, '1234567890');
    writeFileSync(output.path, 'ATOM');
    const session = await this.open.store.records.load(id);
    await new SessionFolder(this.gateway.work).writeSession(session!);
    return { id, folder, log };
  }

  async post(url: string, body: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const { status, json } = await this.gateway.send('POST', url, { body });
    return { status, body: json() as Record<string, unknown> };
  }
}
