import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Queues, type StepPayload } from '@fleet/contracts/queues';
import type { PlanningRecord } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  MODEL_BREAKER,
  MODEL_LEDGER,
  PROGRAM_CATALOGUES,
  SESSION_RECORDS,
  type ModelBreaker,
  type ModelLedger,
  type ProgramCatalogues,
  type SessionRecords,
} from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import {
  aCycle,
  aDecision,
  aFullCatalogue,
  aNewSession,
  anEvent,
  aRequest,
  aResult,
  dataFile,
  modelFile,
  sequenceFile,
} from '@fleet/testing';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { Worker } from 'bullmq';
import { startScript, type TestProcess } from '../loop/idle-process';
import { startServers, type Servers } from '../support/servers';
import { startSubmitter } from './submitter';

/** The name of the one target. */
export const target = 'site';

/** What the second decision of a session finds: one program on its menu, or two, so that a model is asked. */
const inputs = {
  ruled: [dataFile(), modelFile(), sequenceFile()],
  asking: [dataFile(), sequenceFile(), modelFile('/data/template.pdb')],
} as const;

const cycles = [
  aCycle({ decision: aDecision({ program: 'phenix.xtriage' }), result: aResult({ metrics: { resolution: 2.1 } }) }),
];
const resume = { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles } as const;

const modelsFile = (baseUrl: string): string =>
  [
    'local_only: true',
    `targets: [{ id: ${target}, protocol: openai, base_url: "${baseUrl}", model: scripted, local: true }]`,
    `roles: { planning: [${target}] }`,
  ].join('\n');

const prefix = 'bench';

/** A real PostgreSQL, a real Redis and a decision worker with one model, a process of its own as it is built; executors are played here. */
export class ModelWorker {
  /** Sessions whose next program is waited for. */
  private readonly awaited = new Map<string, () => void>();
  private readonly executor: Worker<StepPayload>;
  private readonly records: SessionRecords;
  private readonly wakeUps: WakeUps;

  private constructor(
    private readonly root: string,
    private readonly servers: Servers,
    private readonly app: INestApplicationContext,
    private readonly worker: TestProcess,
  ) {
    this.records = app.get<SessionRecords>(SESSION_RECORDS);
    this.wakeUps = app.get(WakeUps);
    const connection = { url: servers.redis.url, maxRetriesPerRequest: null };
    this.executor = new Worker<StepPayload>(
      Queues.executions,
      ({ data: { sessionId } }) => Promise.resolve(this.awaited.get(sessionId)?.()),
      { connection, prefix: `${prefix}:bq`, concurrency: 16 },
    );
  }

  static async start(baseUrl: string, ruleBook: RuleBook): Promise<ModelWorker> {
    Logger.overrideLogger(false);
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-models-bench-')));
    for (const folder of ['work', 'data']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'models.yaml'), modelsFile(baseUrl));
    const servers = await startServers();
    const env = { ...servers.env, REDIS_KEY_PREFIX: prefix };
    Object.assign(process.env, env);
    const worker = startScript('dist/apps/decision-worker/src/main.js', [], {
      ...env,
      FLEET_WORK_ROOT: join(root, 'work'),
      FLEET_DATA_ROOTS: join(root, 'data'),
      FLEET_MODELS_FILE: join(root, 'models.yaml'),
      FLEET_LOG_LEVEL: 'info',
    });
    const app = await startSubmitter();
    await app.get<ProgramCatalogues>(PROGRAM_CATALOGUES).publish(aFullCatalogue(ruleBook));
    const made = new ModelWorker(root, servers, app, worker);
    await Promise.all([worker.ready, made.executor.waitUntilReady()]);
    return made;
  }

  /** Milliseconds from the wake-up until the step behind the decision is taken from its queue, and what was asked of models. */
  async decide(kind: keyof typeof inputs): Promise<{ readonly ms: number; readonly planning?: PlanningRecord }> {
    const id = await this.create(kind);
    const decided = new Promise<void>((resolve) => this.awaited.set(id, resolve));
    const began = performance.now();
    await this.wake(id);
    await decided;
    const ms = performance.now() - began;
    this.awaited.delete(id);
    const planning = (await this.records.load(id))?.cycles.at(-1)?.decision.planning;
    await this.end(id);
    return { ms, ...(planning !== undefined && { planning }) };
  }

  /** Sessions whose decision asks the model; they are its until `letGo`. */
  async ask(count: number): Promise<readonly string[]> {
    const ids = await Promise.all(Array.from({ length: count }, () => this.create('asking')));
    await Promise.all(ids.map((id) => this.wake(id)));
    return ids;
  }

  /** Cancels those sessions, and returns when their calls have ended. */
  async letGo(ids: readonly string[]): Promise<void> {
    const ledger = this.app.get<ModelLedger>(MODEL_LEDGER);
    for (const id of ids) await this.records.requestCancel(id, anEvent({ type: 'session_cancelling' }));
    for (const id of ids) {
      while ((await ledger.entries(id)).some(({ result }) => result === undefined)) await pause(50);
      await this.end(id);
    }
  }

  /** The model is left alone from now on, for half a minute. */
  async leaveAlone(): Promise<void> {
    await this.app.get<ModelBreaker>(MODEL_BREAKER).report(target, 'down');
  }

  async stop(): Promise<void> {
    this.worker.child.kill('SIGKILL');
    await this.worker.ended;
    await this.executor.close();
    await this.app.close();
    await this.servers.stop();
    rmSync(this.root, { recursive: true });
  }

  private async create(kind: keyof typeof inputs): Promise<string> {
    const made = aNewSession({ request: aRequest({ inputs: inputs[kind] }), resume });
    await this.records.create(made, [anEvent({ type: 'session_submitted' })], 60_000);
    return made.id;
  }

  private async wake(id: string): Promise<void> {
    const head = await this.records.loadHead(id);
    if (head === undefined) throw new Error(`${id} is not there`);
    await this.wakeUps.wake(head);
  }

  /** Nobody has to look after it any more. */
  private async end(id: string): Promise<void> {
    const head = await this.records.loadHead(id);
    if (head === undefined) throw new Error(`${id} is not there`);
    const ended = { reason: 'cancelled', detail: 'it was measured', afterCycle: 1 } as const;
    await this.records.advance({
      sessionId: id,
      fromVersion: head.version,
      to: { ended },
      events: [],
      dueInMs: 60_000,
    });
  }
}
