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
    what: 'URL of PostgreSQL 15 or newer; the first service that starts creates or migrates the schema',
    secret: true,
    pattern: databaseUrlPattern,
    holds: isDecodable,
    allowed: databaseUrlForms,
  })
  readonly url: string;

  @FileVariable('DATABASE_CA_FILE', {
    what: "CA certificates (PEM) for PostgreSQL, instead of the system's. With it, or with sslmode=verify-full in DATABASE_URL, connections are encrypted and certificate and host name are verified",
    optional: true,
  })
  readonly caFile?: string;

  @IntegerVariable('DATABASE_CONNECTIONS', {
    what: 'maximum connections of one process; max_connections of the server must cover all processes',
    default: '10',
    min: 2,
    max: 1000,
  })
  readonly connections: number;
}

/** The Redis for queues and expiring data. */
export class RedisConfig {
  @TextVariable('REDIS_URL', {
    what: 'URL of Redis (maxmemory-policy noeviction); Redis may be emptied at any time',
    default: 'redis://127.0.0.1:6379',
    secret: true,
    pattern: redisUrlPattern,
    holds: isDecodable,
    allowed: redisUrlForms,
  })
  readonly url: string;

  @FileVariable('REDIS_CA_FILE', {
    what: 'CA certificates (PEM) for Redis. With rediss: in REDIS_URL the certificate is always verified, by default against the authorities that Node.js trusts',
    optional: true,
  })
  readonly caFile?: string;

  @TextVariable('REDIS_KEY_PREFIX', {
    what: 'prefix of all keys; facilities with different prefixes can share one Redis. Braces around it put all keys into one hash slot, as Redis in cluster mode requires (one shard only: the cluster protocol is not supported)',
    default: 'fleet',
    pattern: /^(?:[A-Za-z0-9_-]{1,32}|\{[A-Za-z0-9_-]{1,32}\})$/,
    allowed: '1 to 32 letters, digits, - or _, all of it in braces or none',
  })
  readonly keyPrefix: string;
}

/** Folders of inputs and results. */
export class StorageConfig {
  @PlainFolderVariable('FLEET_WORK_ROOT', {
    what: 'folder of the results: <work root>/<proposal>/<session>',
  })
  readonly workRoot: string;

  @DataRootsVariable('FLEET_DATA_ROOTS', {
    what: 'folders that submitted files must be in (or in FLEET_SHARED_ROOTS); the services never write to them, except uploads. {proposal} identifies the owner: a gateway with keys does not start without it',
    optional: true,
  })
  readonly dataRoots?: readonly string[];

  @FoldersVariable('FLEET_SHARED_ROOTS', {
    what: 'folders that every user may read and submit from: monomer libraries, search models',
    optional: true,
  })
  readonly sharedRoots?: readonly string[];

  @FileVariable('FLEET_INSTALLATION_KEY_FILE', {
    what: 'file with the keys that sign session.json, one per line (32 random bytes in base64): the first one signs, all verify; never in the work folder. Not set: nothing is signed, and phx recover needs --trust',
    optional: true,
  })
  readonly installationKeyFile?: string;
}

/** The HTTP interface. */
export class GatewayConfig {
  @TextVariable('FLEET_GATEWAY_HOST', {
    what: 'IP address the gateway listens on; 0.0.0.0: all addresses',
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]+$/,
    allowed: 'a host name or an IP address',
  })
  readonly host: string;

  @IntegerVariable('FLEET_GATEWAY_PORT', { what: 'TCP port; 0: a free one', default: '8080', min: 0, max: 65_535 })
  readonly port: number;

  @TextVariable('FLEET_GATEWAY_NAMES', {
    what: 'host names that clients may use for the gateway, separated by commas; IP addresses, localhost and the host name of the machine are always allowed. `*.example.org` allows all names below, `*` any name, which disables the protection against DNS rebinding',
    optional: true,
    pattern: /^[A-Za-z0-9*._, -]+$/,
    holds: (text) => text.split(/[ ,]+/).every((name) => /^(?:\*|(?:\*\.)?[A-Za-z0-9_-][A-Za-z0-9._-]*|)$/.test(name)),
    allowed: 'host names separated by commas',
  })
  readonly names?: string;

  @TextVariable('FLEET_PUBLIC_PATH', {
    what: 'path prefix of the gateway for browsers, if a proxy adds and strips one; the dashboard is at ui/ below it',
    default: '/',
    pattern: /^\/(?:[A-Za-z0-9._~-]+\/)*$/,
    holds: (path) => !path.split('/').some((step) => step === '.' || step === '..'),
    allowed: 'a path that starts and ends with /',
  })
  readonly publicPath: string;

  @IntegerVariable('FLEET_MAX_BODY_BYTES', {
    what: 'maximum request body in bytes',
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
    what: 'maximum number of open event streams (SSE)',
    default: '1000',
    min: 1,
    max: 100_000,
  })
  readonly maxEventStreams: number;

  @FileVariable('FLEET_PROPOSAL_MEMBERS_FILE', {
    what: 'JSON file with the members of proposals, in addition to the proposals of each key: {"mx1234": ["ada", "bob"]}; re-read within 5 s of a change',
    optional: true,
  })
  readonly proposalMembersFile?: string;

  @ChoiceVariable('FLEET_ADMIN_API', {
    what: 'enables /v1/admin (pause, drain, cleanup, keys): with keys for administrators only, without keys for everyone who can reach the gateway',
    default: 'on',
    choices: ['on', 'off'],
  })
  readonly adminApi: 'on' | 'off';

  @TextVariable('FLEET_TIME_ZONE', {
    what: 'time zone of the facility, for maintenance notices and the dashboard',
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
    what: 'backend that runs the programs: this machine, or Kubernetes Jobs',
    default: 'local',
    choices: ['local', 'kubernetes'],
  })
  readonly backend: 'local' | 'kubernetes';

  @TextVariable('FLEET_PROGRAMS_RUN_AS_OWNER_OF', {
    what: 'with FLEET_BACKEND=local: programs run under the account that owns this folder of their proposal; the executor must be root. Not set: under the account of the services',
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
    what: 'settings of the backend `kubernetes` (YAML), required by it: images, volumes, node classes, limits',
    optional: true,
  })
  readonly file?: string;
}

/** File inspection: by the gateway at submission, by the log analysis worker after each program. */
export class InspectionConfig {
  @TextVariable('FLEET_INSPECTION_PYTHON', {
    what: 'Python with gemmi and numpy that reads the files. Not set: that of the open programs if installed, otherwise `python3`',
    optional: true,
    pattern: /^[\w./+-]+$/,
    allowed: 'the name of a Python on PATH, or its absolute path',
  })
  readonly python?: string;

  @IntegerVariable('FLEET_INSPECTION_READERS', {
    what: 'concurrent file inspections of one service, each in its own Python process',
    default: '2',
    min: 1,
    max: 64,
  })
  readonly readers: number;

  @IntegerVariable('FLEET_INSPECTION_TIMEOUT_MS', {
    what: 'CPU time limit of the inspection of one file in milliseconds; a submission with a file that exceeds it is rejected, and such an output of a program is not used. If six times this wall time passes, the machine or disk is slow: the submission gets 503, and batch rows wait',
    default: '10000',
    min: 100,
    max: 600_000,
  })
  readonly timeoutMs: number;

  @IntegerVariable('FLEET_INSPECTION_MEMORY_MIB', {
    what: 'memory limit of the inspection of one file in MiB, in addition to about 80 MiB of the reader itself',
    default: '512',
    min: 64,
    max: 4096,
  })
  readonly memoryMib: number;

  @IntegerVariable('FLEET_INSPECTION_WAITING', {
    what: 'files that may wait for inspection; further submissions get 503 with Retry-After',
    default: '200',
    min: 1,
    max: 10_000,
  })
  readonly maxWaiting: number;
}

/** The crystallography. */
export class KnowledgeConfig {
  @FolderVariable('FLEET_KNOWLEDGE_DIR', {
    what: 'folder of the knowledge files (programs, rules, thresholds); default: the one of the release',
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
