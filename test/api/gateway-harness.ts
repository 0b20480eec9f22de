import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sharedRoot } from '@fleet/access';
import { sharesPolicySchema, withDefaults, type SessionHead, type SharesPolicy } from '@fleet/contracts';
import { loadRuleBook } from '@fleet/knowledge';
import {
  ACCESS_KEYS,
  AUDIT_LOG,
  BATCH_RECORDS,
  CLOCK,
  DELIVERIES,
  FILE_INSPECTOR,
  KEY_USES,
  LAUNCH_CONTROL,
  ORPHAN_REGISTER,
  PROGRAM_CATALOGUES,
  RATE_LIMITS,
  RUN_SLOTS,
  SESSION_EVENTS,
  SESSION_FEED,
  SESSION_FOLDER,
  SESSION_INDEX,
  SESSION_RECORDS,
  SESSION_RETENTION,
  SHARES_CONTROL,
  STATISTICS,
  STEP_SCHEDULE,
  systemClock,
  WEBHOOK_FILES,
  WEBHOOKS,
  type SessionFolderPort,
  type SessionRetentionRecords,
  type UploadStore,
} from '@fleet/ports';
import { MemoryRateLimits } from '@fleet/redis';
import {
  MemoryAccessKeys,
  MemoryLaunchControl,
  MemoryOrphanRegister,
  MemoryRunSlots,
  MemorySharesControl,
  MemoryStore,
  MemoryUploadStore,
  MemoryWebhooks,
} from '@fleet/testing';
import type { StorePorts } from '@fleet/testing';
import { PROPOSAL_MEMBERS, nobodysProposals } from '../../apps/gateway/src/access/proposal-members';
import { ApiModule } from '../../apps/gateway/src/api.module';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { DECISION_DESK } from '../../apps/gateway/src/decisions/decisions.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../apps/gateway/src/gateway-options';
import { HEALTH_PROBES, programsProbe, type GatedProbe } from '../../apps/gateway/src/health/health-probes';
import { noTokens, TOKEN_READER } from '../../apps/gateway/src/identity/token-reader';
import { BROWSER_LOGINS, noBrowserLogins } from '../../apps/gateway/src/login/browser-logins';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../../apps/gateway/src/results/agent-knowledge';
import { ruleBookKnowledge } from '../../apps/gateway/src/results/rule-book-knowledge';
import { SESSION_WAKER } from '../../apps/gateway/src/sessions/session-waker';
import { AllowedAddresses } from '../../apps/gateway/src/webhooks/allowed-addresses';
import { patience, WEBHOOK_OPTIONS, type WebhookOptions } from '../../apps/gateway/src/webhooks/webhook-options';
import { PlainAuditLog } from './audit-log.fake';
import { queueProviders } from './queue-providers';
import { doctorProviders } from './doctor-providers';
import type { HarnessOptions, JsonAnswer, Method, Sent } from './harness-options';
import { modelProviders } from './model-providers';
import { PlainSessionFolders } from './session-folders.fake';
import { uploadProviders } from './upload-providers';
import { noDeliveries, plainWebhookFiles } from './webhooks.fake';
import { someReflections } from './some-files';
import { inspector as realInspector } from '../support/inspector';

export { aMap, aModel, someReflections } from './some-files';

export type { HarnessOptions, JsonAnswer } from './harness-options';

/** No session was ever deleted or pinned; what is asked beyond that needs a database. */
const keptForever = ({
  records,
}: StorePorts): Pick<SessionRetentionRecords, 'find' | 'unpin' | 'wasRemoved' | 'claimUnfinished'> => ({
  find: async (id) => {
    const session = await records.load(id);
    return session === undefined ? undefined : { session, isExpiryTold: false, isBatchRunning: false, usedBy: [] };
  },
  unpin: () => Promise.resolve(undefined),
  wasRemoved: () => Promise.resolve(false),
  claimUnfinished: () => Promise.resolve([]),
});

/** What only the database has. */
const databaseProviders = ({ retention, statistics }: HarnessOptions, store: StorePorts): Provider[] => [
  { provide: SESSION_RETENTION, useValue: retention ?? keptForever(store) },
  { provide: STATISTICS, useValue: statistics ?? { groups: () => Promise.resolve([]) } },
];

const sessionFoldersOf = (
  { folders: made }: HarnessOptions,
  places: { readonly work: string; readonly data: string },
): SessionFolderPort => made?.(places) ?? new PlainSessionFolders(places.work);

const usualProbes = ({ catalogues }: StorePorts): readonly GatedProbe[] => [
  { probe: programsProbe(catalogues, 'local'), failure: 'degraded' },
];

const folders = (): { root: string; data: string; work: string } => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-gateway-')));
  const data = join(root, 'data');
  const work = join(root, 'work');
  mkdirSync(data);
  mkdirSync(work);
  return { root, data, work };
};

let known: Promise<AgentKnowledge> | undefined;
/** That of the service itself, read once. */
const realKnowledge = (): Promise<AgentKnowledge> =>
  (known ??= loadRuleBook(join(__dirname, '../../knowledge')).then(ruleBookKnowledge));

/** What executors share with the gateway. */
interface Runs {
  readonly slots: MemoryRunSlots;
  readonly control: MemoryLaunchControl;
  readonly orphans: MemoryOrphanRegister;
  readonly shares: MemorySharesControl;
}

/** What a test may put in place of the usual. */
const replaceable = (
  {
    keys = new MemoryAccessKeys(),
    members = nobodysProposals,
    limits = new MemoryRateLimits(),
    tokens = noTokens,
    logins = noBrowserLogins,
    inspector = realInspector,
    audit = () => new PlainAuditLog(),
    decisions,
  }: HarnessOptions,
  work: string,
): Provider[] => [
  { provide: ACCESS_KEYS, useValue: keys },
  { provide: KEY_USES, useValue: keys },
  { provide: RATE_LIMITS, useValue: limits },
  { provide: PROPOSAL_MEMBERS, useValue: members },
  { provide: TOKEN_READER, useValue: tokens },
  { provide: BROWSER_LOGINS, useValue: logins },
  { provide: FILE_INSPECTOR, useValue: inspector },
  { provide: AUDIT_LOG, useValue: audit(work) },
  ...(decisions === undefined ? [] : [{ provide: DECISION_DESK, useValue: decisions }]),
];

/** The real gateway over stores in memory and folders that last as long as the test. */
export class GatewayHarness {
  readonly root: string;
  readonly data: string;
  readonly work: string;
  readonly runs: Runs;
  readonly webhooks: MemoryWebhooks;
  readonly uploads: UploadStore;

  private constructor(
    readonly app: NestFastifyApplication,
    readonly store: StorePorts,
    readonly woken: SessionHead[],
    readonly folder: SessionFolderPort,
    made: Pick<GatewayHarness, 'root' | 'data' | 'work' | 'runs' | 'webhooks' | 'uploads'>,
  ) {
    this.webhooks = made.webhooks;
    this.uploads = made.uploads;
    this.root = made.root;
    this.data = made.data;
    this.work = made.work;
    this.runs = made.runs;
  }

  static async start(given: HarnessOptions = {}): Promise<GatewayHarness> {
    const { root, data, work } = folders();
    const store = given.store ?? new MemoryStore();
    const { imports = [], probes = usualProbes } = given;
    const woken: SessionHead[] = [];
    const waker = {
      wake: (head: SessionHead): Promise<void> => {
        woken.push(head);
        return Promise.resolve();
      },
    };
    const runs: Runs = {
      slots: new MemoryRunSlots(),
      control: new MemoryLaunchControl(),
      orphans: new MemoryOrphanRegister(),
      shares: new MemorySharesControl(),
    };
    const sessionFolder = sessionFoldersOf(given, { work, data });
    const real = await realKnowledge();
    const knowledge: AgentKnowledge = {
      ...real,
      programs: ['phenix.autosol', 'phenix.refine', 'phenix.xtriage'],
      metrics: {},
      checkSettings: () => [],
      categories: (files) => files.map(() => []),
      bestFiles: () => [],
      cyclesOfBest: ({ cycles }) => cycles,
      summary: (session) => `# ${session.request.title}\n`,
      ...given.knowledge,
    };
    const options: GatewayOptions = {
      dataRoots: [sharedRoot(data)],
      workRoot: work,
      backend: 'local',
      adminApi: true,
      timeZone: 'Europe/Paris',
      openTo: 'this-machine',
      rates: { requestsPerMinute: 0, submissionsPerMinute: 0, refusalsPerMinute: 0 },
      shares: withDefaults(sharesPolicySchema, {}) as SharesPolicy,
      retention: [],
      maxFiles: 20,
      maxBodyBytes: 1024 * 1024,
      maxEventStreams: 50,
      heartbeatMs: 100,
      slowClientMs: 10_000,
      uploadIdleMs: 30_000,
      eventBatch: 100,
      dueInMs: 1000,
      ...given.options,
    };
    const webhooks = new MemoryWebhooks();
    const uploads = given.uploads ?? new MemoryUploadStore();
    const nowhere = { targets: [], linkBase: '', addresses: new AllowedAddresses([]) };
    const webhookOptions: WebhookOptions = { ...patience, ...nowhere, ...given.webhooks };
    const module = ApiModule.forRoot({
      imports,
      providers: [
        { provide: SESSION_RECORDS, useValue: store.records },
        { provide: SESSION_EVENTS, useValue: store.events },
        { provide: SESSION_FEED, useValue: store.feed },
        { provide: SESSION_INDEX, useValue: store.index },
        ...databaseProviders(given, store),
        { provide: BATCH_RECORDS, useValue: store.batches },
        { provide: PROGRAM_CATALOGUES, useValue: store.catalogues },
        { provide: RUN_SLOTS, useValue: runs.slots },
        { provide: LAUNCH_CONTROL, useValue: runs.control },
        { provide: SHARES_CONTROL, useValue: runs.shares },
        { provide: ORPHAN_REGISTER, useValue: runs.orphans },
        { provide: CLOCK, useValue: given.clock ?? systemClock },
        { provide: WEBHOOKS, useValue: webhooks },
        { provide: WEBHOOK_FILES, useValue: plainWebhookFiles },
        { provide: DELIVERIES, useValue: noDeliveries },
        ...uploadProviders(given, uploads, data),
        { provide: WEBHOOK_OPTIONS, useValue: webhookOptions },
        { provide: SESSION_FOLDER, useValue: sessionFolder },
        { provide: SESSION_WAKER, useValue: waker },
        { provide: STEP_SCHEDULE, useValue: store.schedule },
        ...queueProviders(given),
        { provide: AGENT_KNOWLEDGE, useValue: knowledge },
        ...doctorProviders(given),
        { provide: HEALTH_PROBES, useValue: probes(store) },
        { provide: GATEWAY_OPTIONS, useValue: options },
        ...replaceable(given, work),
        ...modelProviders(given),
      ],
    });
    const app = await createGateway(module, {
      maxBodyBytes: options.maxBodyBytes,
      logger: false,
      drainMs: 1000,
      farewellMs: given.farewellMs ?? 0,
      names: ['fleet.example', 'gateway'],
      trustedProxies: given.trustedProxies ?? [],
    });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return new GatewayHarness(app, store, woken, sessionFolder, { root, data, work, runs, webhooks, uploads });
  }

  /** Writes a file under the data folder; gives its path. */
  file(name: string, content: string | Buffer = someReflections): string {
    const path = join(this.data, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  async send(method: Method, url: string, more: Sent = {}): Promise<JsonAnswer> {
    const payload = more.raw ?? (more.body === undefined ? undefined : JSON.stringify(more.body));
    const headers = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...more.headers };
    const answer = await this.app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
      ...(more.from !== undefined && { remoteAddress: more.from }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.payload,
      json: () => JSON.parse(answer.payload) as unknown,
    };
  }

  get(url: string, headers: Record<string, string> = {}): Promise<JsonAnswer> {
    return this.send('GET', url, { headers });
  }

  submit(body: unknown, headers: Record<string, string> = {}): Promise<JsonAnswer> {
    return this.send('POST', '/v1/sessions', { body, headers });
  }

  /** Listens on a free port of this machine; gives the address. */
  async listen(port = 0): Promise<string> {
    await this.app.listen(port, '127.0.0.1');
    const address = this.app.getHttpServer().address() as AddressInfo;
    return `http://127.0.0.1:${String(address.port)}`;
  }

  async stop(): Promise<void> {
    await this.app.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
