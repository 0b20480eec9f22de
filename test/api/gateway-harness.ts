import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sharedRoot } from '@fleet/access';
import { sharesPolicySchema, type SharesPolicy } from '@fleet/contracts/launches';
import { withDefaults } from '@fleet/contracts/schema';
import type { Session, SessionHead } from '@fleet/contracts/sessions';
import {
  ACCESS_KEYS,
  AUDIT_LOG,
  CLOCK,
  FILE_INSPECTOR,
  RATE_LIMITS,
  SESSION_FOLDER,
  SESSION_WAKER,
  systemClock,
  UPLOAD_FILES,
  WEBHOOK_FILES,
  WEBHOOKS,
  type SessionFolderPort,
  type UploadFiles,
} from '@fleet/ports';
import { MemoryRateLimits } from '@fleet/redis';
import { UploadFolder } from '@fleet/session-folder';
import { storePorts, StoredWebhooks } from '@fleet/store';
import { projectRules, type StorePorts, TestStore } from '@fleet/testing';
import { PROPOSAL_MEMBERS, nobodysProposals } from '../../apps/gateway/src/auth/access/proposal-members';
import { ApiModule } from '../../apps/gateway/src/api.module';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { DECISION_DESK } from '../../apps/gateway/src/routes/decisions/decisions.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../apps/gateway/src/http/gateway-options';
import { HEALTH_PROBES, programsProbe, type GatedProbe } from '../../apps/gateway/src/routes/health/health-probes';
import { noTokens, TOKEN_READER } from '../../apps/gateway/src/auth/identity/token-reader';
import { BROWSER_LOGINS, noBrowserLogins } from '../../apps/gateway/src/auth/login/browser-logins';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../../apps/gateway/src/routes/results/agent-knowledge';
import { ruleBookKnowledge } from '../../apps/gateway/src/routes/results/rule-book-knowledge';
import { AllowedAddresses, patience, WEBHOOK_OPTIONS, type WebhookOptions } from '@fleet/webhook-post';
import { PlainAuditLog } from './audit-log.fake';
import { queueProviders } from './queue-providers';
import { doctorProviders } from './doctor-providers';
import type { HarnessOptions, JsonAnswer, Method, Sent } from './harness-options';
import { modelProviders } from './model-providers';
import { PlainSessionFolders } from './session-folders.fake';
import { plainWebhookFiles } from './webhooks.fake';
import { someReflections } from './some-files';
import { inspector as realInspector } from '../support/inspector';

export { aMap, aModel, someReflections } from './some-files';

export type { HarnessOptions, JsonAnswer } from './harness-options';

/** The ports of a store, as the services have them. */
const storeProviders = (store: StorePorts): Provider[] => [
  ...storePorts.map(([provide, port]) => ({ provide, useValue: store[port] })),
  { provide: ACCESS_KEYS, useValue: store.keys },
  { provide: WEBHOOKS, useValue: new StoredWebhooks(store.webhooks, plainWebhookFiles) },
  { provide: WEBHOOK_FILES, useValue: plainWebhookFiles },
];

const sessionFoldersOf = (
  { folders: made }: HarnessOptions,
  places: { readonly work: string; readonly data: string },
): SessionFolderPort => made?.(places) ?? new PlainSessionFolders(places.work);

const uploadFilesOf = (
  { options, uploadFiles = (root) => new UploadFolder(root) }: HarnessOptions,
  data: string,
): UploadFiles | undefined => (options?.uploads === undefined ? undefined : uploadFiles(data));

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

let known: AgentKnowledge | undefined;
/** That of the service itself, made once. */
const realKnowledge = (): AgentKnowledge => (known ??= ruleBookKnowledge(projectRules()));

/** What a test may put in place of the usual. */
const replaceable = (
  {
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
  { provide: RATE_LIMITS, useValue: limits },
  { provide: PROPOSAL_MEMBERS, useValue: members },
  { provide: TOKEN_READER, useValue: tokens },
  { provide: BROWSER_LOGINS, useValue: logins },
  { provide: FILE_INSPECTOR, useValue: inspector },
  { provide: AUDIT_LOG, useValue: audit(work) },
  ...(decisions === undefined ? [] : [{ provide: DECISION_DESK, useValue: decisions }]),
];

/** The parts of a gateway: its folders are `data` and `work` in `root`. */
type Parts = readonly [
  app: NestFastifyApplication,
  store: StorePorts,
  woken: SessionHead[],
  made: Pick<GatewayHarness, 'root' | 'data' | 'work' | 'folder'>,
  ownStore: TestStore | undefined,
];

/** The real gateway over a store and folders that last as long as the test. */
export class GatewayHarness {
  readonly app: NestFastifyApplication;
  readonly store: StorePorts;
  readonly woken: SessionHead[];
  readonly root: string;
  readonly data: string;
  readonly work: string;
  readonly folder: SessionFolderPort;
  private readonly ownStore: TestStore | undefined;

  protected constructor(...[app, store, woken, { root, data, work, folder }, ownStore]: Parts) {
    [this.app, this.store, this.woken, this.ownStore] = [app, store, woken, ownStore];
    [this.root, this.data, this.work, this.folder] = [root, data, work, folder];
  }

  static async start(given: HarnessOptions = {}): Promise<GatewayHarness> {
    return new GatewayHarness(...(await GatewayHarness.parts(given)));
  }

  protected static async parts(given: HarnessOptions): Promise<Parts> {
    const { root, data, work } = folders();
    const ownStore = given.store === undefined ? TestStore.open(given.clock) : undefined;
    const store = given.store ?? ownStore!;
    const { imports = [], probes = usualProbes } = given;
    const woken: SessionHead[] = [];
    const waker = {
      wake: (head: SessionHead): Promise<void> => {
        woken.push(head);
        return Promise.resolve();
      },
    };
    const sessionFolder = sessionFoldersOf(given, { work, data });
    const real = realKnowledge();
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
      openAccess: 'this-machine',
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
    const nowhere = { targets: [], linkBase: '', addresses: new AllowedAddresses([]) };
    const webhookOptions: WebhookOptions = { ...patience, ...nowhere, ...given.webhooks };
    const module = ApiModule.forRoot({
      imports,
      providers: [
        ...storeProviders(store),
        { provide: CLOCK, useValue: given.clock ?? systemClock },
        { provide: UPLOAD_FILES, useFactory: () => uploadFilesOf(given, data) },
        { provide: WEBHOOK_OPTIONS, useValue: webhookOptions },
        { provide: SESSION_FOLDER, useValue: sessionFolder },
        { provide: SESSION_WAKER, useValue: waker },
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
    return [app, store, woken, { root, data, work, folder: sessionFolder }, ownStore];
  }

  /** `session.json`, once it tells of the session as it is now. */
  async written(id: string): Promise<Session> {
    for (;;) {
      const session = (await this.store.records.load(id))!;
      const found = await this.folder.readSession(session.folder).catch(() => undefined);
      if (found?.session.version === session.version && isDeepStrictEqual(found.session.guidance, session.guidance))
        return found.session;
      await pause(10);
    }
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
    await this.ownStore?.end();
    rmSync(this.root, { recursive: true, force: true });
  }
}
