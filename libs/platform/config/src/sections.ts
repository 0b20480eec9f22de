import { AuditConfig } from './audit-section';
import { BrowserLoginConfig } from './browser-login-section';
import { AccessConfig } from './access-sections';
import { ExecutorConfig } from './executor-section';
import { databaseUrlForms, databaseUrlPattern } from './database-connection';
import { defaultKnowledgeFolder } from './knowledge-folder';
import { MailConfig } from './mail-section';
import { ModelsConfig } from './models-section';
import { NotificationsConfig } from './notification-sections';
import { OidcConfig } from './oidc-section';
import { HealthConfig, LogConfig, SharesConfig, StepConfig } from './process-sections';
import { isDecodable, redisUrlForms, redisUrlPattern } from './redis-connection';
import { isTimeZone } from './time-zone';
import { TracingConfig } from './tracing-section';
import { RetentionConfig } from './retention-section';
import { SweeperConfig } from './upkeep-sections';
import { UploadsConfig } from './uploads-section';
import {
  ChoiceVariable,
  FileVariable,
  FolderVariable,
  DataRootsVariable,
  FoldersVariable,
  IntegerVariable,
  PlainFolderVariable,
  TextVariable,
} from './variable.decorator';

const GIB = 1024 ** 3;

/** The PostgreSQL with the records. */
export class DatabaseConfig {
  @TextVariable('DATABASE_URL', {
    what: 'URL of PostgreSQL 15 or newer; its schema is made and brought up to date by whichever service starts first',
    secret: true,
    pattern: databaseUrlPattern,
    holds: isDecodable,
    allowed: databaseUrlForms,
  })
  readonly url: string;

  @FileVariable('DATABASE_CA_FILE', {
    what: 'certificates (PEM) of the authorities that alone are trusted for PostgreSQL; with it, and where DATABASE_URL says sslmode=verify-full, connections are encrypted and its certificate and name are verified',
    optional: true,
  })
  readonly caFile?: string;

  @IntegerVariable('DATABASE_CONNECTIONS', {
    what: 'most connections that one process opens; max_connections of the server must allow for all processes together',
    default: '10',
    min: 2,
    max: 1000,
  })
  readonly connections: number;
}

/** The Redis for queues and expiring data. */
export class RedisConfig {
  @TextVariable('REDIS_URL', {
    what: 'URL of Redis, which must never evict keys; it may be emptied at any moment',
    default: 'redis://127.0.0.1:6379',
    secret: true,
    pattern: redisUrlPattern,
    holds: isDecodable,
    allowed: redisUrlForms,
  })
  readonly url: string;

  @FileVariable('REDIS_CA_FILE', {
    what: 'certificates (PEM) of the authorities that alone are trusted for Redis; its certificate is always verified where REDIS_URL begins with rediss, by default against the authorities that Node.js trusts',
    optional: true,
  })
  readonly caFile?: string;

  @TextVariable('REDIS_KEY_PREFIX', {
    what: 'prefix of all keys: two facilities with different prefixes can share one Redis; braces around it put all keys into one hash slot, as a Redis in cluster mode requires (one shard only: the cluster protocol is not supported)',
    default: 'fleet',
    pattern: /^(?:[A-Za-z0-9_-]{1,32}|\{[A-Za-z0-9_-]{1,32}\})$/,
    allowed: '1 to 32 letters, digits, - or _, all of it in braces or none',
  })
  readonly keyPrefix: string;
}

/** Folders of inputs and results. */
export class StorageConfig {
  @PlainFolderVariable('FLEET_WORK_ROOT', {
    what: 'results live under this folder: <work root>/<proposal>/<session>; programs are given paths below it',
  })
  readonly workRoot: string;

  @DataRootsVariable('FLEET_DATA_ROOTS', {
    what: 'submitted files must lie below one of these folders, or of FLEET_SHARED_ROOTS; nothing that lies in them is written to. {proposal} says whose they are: a gateway with keys does not start without it',
    optional: true,
  })
  readonly dataRoots?: readonly string[];

  @FoldersVariable('FLEET_SHARED_ROOTS', {
    what: 'folders of files that everybody may read and submit: monomer libraries, search models',
    optional: true,
  })
  readonly sharedRoots?: readonly string[];

  @FileVariable('FLEET_INSTALLATION_KEY_FILE', {
    what: 'file with the keys that session.json is signed with, one per line (32 random bytes in base64): the first signs, all are accepted; never in the work folder. Without it phx recover needs --trust',
    optional: true,
  })
  readonly installationKeyFile?: string;
}

/** The HTTP interface. */
export class GatewayConfig {
  @TextVariable('FLEET_GATEWAY_HOST', {
    what: 'address the gateway listens on; 0.0.0.0 for all',
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]+$/,
    allowed: 'a host name or an IP address',
  })
  readonly host: string;

  @IntegerVariable('FLEET_GATEWAY_PORT', { what: 'TCP port; 0 takes a free one', default: '8080', min: 0, max: 65_535 })
  readonly port: number;

  @TextVariable('FLEET_GATEWAY_NAMES', {
    what: 'names under which clients reach the gateway, with commas between them; any address, localhost and the name of the machine always do. `*.example.org` stands for all names below, `*` for any: then a web page anywhere may take the gateway for its own server',
    optional: true,
    pattern: /^[A-Za-z0-9*._, -]+$/,
    holds: (text) => text.split(/[ ,]+/).every((name) => /^(?:\*|(?:\*\.)?[A-Za-z0-9_-][A-Za-z0-9._-]*|)$/.test(name)),
    allowed: 'host names, with commas between them',
  })
  readonly names?: string;

  @TextVariable('FLEET_PUBLIC_PATH', {
    what: 'path below which browsers reach the gateway, where a proxy puts it below one and takes it off again; the dashboard lies at ui/ below it',
    default: '/',
    pattern: /^\/(?:[A-Za-z0-9._~-]+\/)*$/,
    holds: (path) => !path.split('/').some((step) => step === '.' || step === '..'),
    allowed: 'a path that begins and ends with /',
  })
  readonly publicPath: string;

  @IntegerVariable('FLEET_MAX_BODY_BYTES', {
    what: 'largest request body in bytes',
    default: '1048576',
    min: 1024,
    max: GIB,
  })
  readonly maxBodyBytes: number;

  @IntegerVariable('FLEET_MAX_FILES', {
    what: 'maximum number of files of a session',
    default: '200',
    min: 1,
    max: 10_000,
  })
  readonly maxFiles: number;

  @IntegerVariable('FLEET_MAX_EVENT_STREAMS', {
    what: 'maximum number of event streams (SSE) open at once',
    default: '1000',
    min: 1,
    max: 100_000,
  })
  readonly maxEventStreams: number;

  @FileVariable('FLEET_PROPOSAL_MEMBERS_FILE', {
    what: 'JSON file that says whose keys open which proposals, beside what each key says: {"mx1234": ["ada", "bob"]}; read again within 5 s of a change',
    optional: true,
  })
  readonly proposalMembersFile?: string;

  @ChoiceVariable('FLEET_ADMIN_API', {
    what: 'whether /v1/admin answers: it pauses, drains, cleans up and makes keys. Where there are keys it is for administrators alone; without any, for everybody who reaches the gateway',
    default: 'on',
    choices: ['on', 'off'],
  })
  readonly adminApi: 'on' | 'off';

  @TextVariable('FLEET_TIME_ZONE', {
    what: 'time zone of the facility, in which everyone is notified of maintenance, and the dashboard tells times',
    default: 'UTC',
    pattern: /^[A-Za-z0-9_+/-]+$/,
    holds: isTimeZone,
    allowed: 'a name of the IANA time zone database, such as Europe/Paris',
  })
  readonly timeZone: string;
}

/** The backend that runs programs: gateway and workers must have the same. */
export class BackendConfig {
  @ChoiceVariable('FLEET_BACKEND', {
    what: 'what runs the programs: this machine, or Jobs of a Kubernetes cluster',
    default: 'local',
    choices: ['local', 'kubernetes'],
  })
  readonly backend: 'local' | 'kubernetes';

  @TextVariable('FLEET_PROGRAMS_RUN_AS_OWNER_OF', {
    what: 'with FLEET_BACKEND=local: programs run under the account that owns this folder of their proposal. The executor has to be root. Without it they run under the account of the services',
    optional: true,
    pattern: /^\/(?:[^{}]|\{proposal\}|\{beamline\})+$/,
    holds: (text) => text.includes('{proposal}'),
    allowed: 'an absolute path with {proposal}, and {beamline} where it is part of it: /data/{proposal}',
  })
  readonly runAsOwnerOf?: string;
}

/** The executor worker's connection to a cluster. Read only by it. */
export class KubernetesConfig {
  @FileVariable('FLEET_KUBERNETES_FILE', {
    what: 'settings of the backend `kubernetes` (YAML), which needs it: images, volumes, node classes, limits',
    optional: true,
  })
  readonly file?: string;
}

/** File inspection: by the gateway at submission, by the log analysis worker after each program. */
export class InspectionConfig {
  @TextVariable('FLEET_INSPECTION_PYTHON', {
    what: 'Python with gemmi and numpy, which reads the files; without it that of the open programs where they are installed, or else `python3`',
    optional: true,
    pattern: /^[\w./+-]+$/,
    allowed: 'the name of a Python on PATH, or its absolute path',
  })
  readonly python?: string;

  @IntegerVariable('FLEET_INSPECTION_READERS', {
    what: 'files that one service inspects at once, each in a Python process of its own',
    default: '2',
    min: 1,
    max: 64,
  })
  readonly readers: number;

  @IntegerVariable('FLEET_INSPECTION_TIMEOUT_MS', {
    what: 'milliseconds of a processor that the inspection of one file may take; a submission with a file that takes longer is refused, and such an output of a program is not used. Where six times as many pass on the clock, the machine or its disk is what is slow: then the submission is told to come again (503), and rows of batches wait',
    default: '10000',
    min: 100,
    max: 600_000,
  })
  readonly timeoutMs: number;

  @IntegerVariable('FLEET_INSPECTION_MEMORY_MIB', {
    what: 'MiB of memory that the inspection of one file may take, beside some 80 MiB of each reader',
    default: '512',
    min: 64,
    max: 4096,
  })
  readonly memoryMib: number;

  @IntegerVariable('FLEET_INSPECTION_WAITING', {
    what: 'files that may wait for inspection; further submissions are answered with 503 and Retry-After',
    default: '200',
    min: 1,
    max: 10_000,
  })
  readonly maxWaiting: number;
}

/** The crystallography. */
export class KnowledgeConfig {
  @FolderVariable('FLEET_KNOWLEDGE_DIR', {
    what: 'folder of the knowledge files (programs, rules, thresholds); by default the one shipped with the service',
    default: defaultKnowledgeFolder(__dirname),
  })
  readonly folder: string;
}

/** All sections, in the order of the documentation. A variable outside all of them is an error. */
export const configSections = [
  DatabaseConfig,
  RedisConfig,
  StorageConfig,
  GatewayConfig,
  UploadsConfig,
  AccessConfig,
  AuditConfig,
  OidcConfig,
  BrowserLoginConfig,
  BackendConfig,
  ExecutorConfig,
  KubernetesConfig,
  InspectionConfig,
  KnowledgeConfig,
  ModelsConfig,
  HealthConfig,
  LogConfig,
  TracingConfig,
  SweeperConfig,
  StepConfig,
  SharesConfig,
  RetentionConfig,
  NotificationsConfig,
  MailConfig,
] as const;

/** Sections of each of the three workers: they share one facility, so they must have the same values. */
export const workerSections = [
  DatabaseConfig,
  RedisConfig,
  StorageConfig,
  BackendConfig,
  ExecutorConfig,
  KnowledgeConfig,
  HealthConfig,
  LogConfig,
  TracingConfig,
  SweeperConfig,
  StepConfig,
] as const;
