// Made from docs/reference/openapi.json by test/docs/openapi.spec.ts; FLEET_WRITE_DOCS=1 writes it again.
import type { JsonValue } from '@fleet/contracts';

/** What is sent as it is. */

export type RawContent = string | Uint8Array<ArrayBuffer>;

type Me = {
  readonly id: string;
  readonly role: 'user' | 'staff' | 'admin' | 'kiosk' | 'service';
  readonly proposals: readonly string[];
  readonly beamlines: readonly string[];
  readonly scopes: readonly ('read' | 'submit' | 'change' | 'decide' | 'admin')[];
  readonly openTo?: 'this-machine' | 'everybody';
  readonly uploads?: UploadRules;
  readonly timeZone?: string;
};

type Identity = {
  readonly provider?: {
    readonly issuer: string;
    readonly device?: { readonly clientId: string; readonly scopes: string };
    readonly browser?: { readonly address: string; readonly name: string };
  };
};

type Logout = { readonly provider?: string };

type ApiKey = {
  readonly id: string;
  readonly owner: string;
  readonly label: string;
  readonly role: 'user' | 'staff' | 'admin' | 'kiosk' | 'service';
  readonly proposals: readonly string[];
  readonly beamlines: readonly string[];
  readonly scopes: readonly ('read' | 'submit' | 'change' | 'decide' | 'admin')[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly revokedAt?: string;
  readonly revokedBy?: string;
  readonly lastUsedAt?: string;
};

type ApiKeys = { readonly keys: readonly ApiKey[] };

type ApiKeyWish = {
  readonly owner: string;
  readonly role: 'user' | 'staff' | 'admin' | 'kiosk' | 'service';
  readonly label?: string;
  readonly proposals?: readonly string[];
  readonly beamlines?: readonly string[];
  readonly scopes?: readonly ('read' | 'submit' | 'change' | 'decide' | 'admin')[];
  readonly expires_in_days?: number;
};

type NewApiKey = { readonly key: string; readonly record: ApiKey };

type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly address: string;
  readonly object: string;
  readonly outcome: 'done' | 'denied' | 'refused' | 'failed' | 'unknown';
  readonly request: string;
  readonly from: string;
  readonly role?: 'user' | 'staff' | 'admin' | 'kiosk' | 'service';
  readonly code?: string;
  readonly bytes?: number;
  readonly files?: number;
  readonly before?: Readonly<Record<string, JsonValue>>;
  readonly after?: Readonly<Record<string, JsonValue>>;
};

type Audit = {
  readonly entries: readonly AuditEntry[];
  readonly damages: readonly { readonly file: string; readonly reason: string }[];
  readonly nextCursor?: string;
};

type DeliveryState = {
  readonly waiting: number;
  readonly delivered: number;
  readonly dead: number;
  readonly lost: number;
  readonly failing: number;
  readonly lastDeliveredAt?: string;
  readonly lastFailedAt?: string;
  readonly lastFailure?: string;
};

type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly about: { readonly what: 'session' | 'batch' | 'proposal'; readonly name: string };
  readonly kinds: readonly (
    | 'session.ended'
    | 'session.cycle_done'
    | 'session.needs_attention'
    | 'session.recovered'
    | 'session.files_expire'
    | 'batch.ended'
  )[];
  readonly label: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly deliveries: DeliveryState;
  readonly everyMinutes?: number;
};

type Webhooks = { readonly webhooks: readonly Webhook[] };

type WebhookWish = {
  readonly url: string;
  readonly session?: string;
  readonly batch?: string;
  readonly proposal?: string;
  readonly kinds?: readonly (
    | 'session.ended'
    | 'session.cycle_done'
    | 'session.needs_attention'
    | 'session.recovered'
    | 'session.files_expire'
    | 'batch.ended'
  )[];
  readonly everyMinutes?: number;
  readonly label?: string;
};

type NewWebhook = { readonly secret: string; readonly webhook: Webhook };

type WebhookMessage = {
  readonly type:
    | 'session.ended'
    | 'session.cycle_done'
    | 'session.needs_attention'
    | 'session.recovered'
    | 'session.files_expire'
    | 'batch.ended'
    | 'webhook.test';
  readonly timestamp: string;
  readonly data: {
    readonly sentence: string;
    readonly next: string;
    readonly session?: {
      readonly id: string;
      readonly title: string;
      readonly proposal: string;
      readonly beamline?: string;
      readonly batch?: string;
    };
    readonly batch?: {
      readonly id: string;
      readonly title: string;
      readonly proposal: string;
      readonly beamline?: string;
      readonly batch?: string;
    };
    readonly cycle?: number;
    readonly outcome?:
      | 'solved'
      | 'goal_reached'
      | 'unfinished'
      | 'unsatisfactory'
      | 'failed_science'
      | 'failed_infrastructure'
      | 'rejected'
      | 'cancelled'
      | 'unknown';
    readonly reason?:
      | 'converged'
      | 'goal_reached'
      | 'plateau'
      | 'refinement_limit'
      | 'nothing_left'
      | 'unsatisfactory'
      | 'hopeless'
      | 'no_program'
      | 'max_cycles'
      | 'program_failed'
      | 'red_flag'
      | 'infrastructure'
      | 'error'
      | 'cancelled'
      | 'cycles_removed';
    readonly fit?: Fit;
    readonly status?: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
    readonly program?: string;
    readonly result?: 'success' | 'failed';
    readonly outcomes?: {
      readonly solved?: number;
      readonly goal_reached?: number;
      readonly unfinished?: number;
      readonly unsatisfactory?: number;
      readonly failed_science?: number;
      readonly failed_infrastructure?: number;
      readonly rejected?: number;
      readonly cancelled?: number;
      readonly unknown?: number;
    };
    readonly rejected?: number;
    readonly until?: string;
    readonly links?: { readonly self: string; readonly results?: string };
  };
};

type WebhookTest = {
  readonly delivered: boolean;
  readonly tookMs: number;
  readonly message: WebhookMessage;
  readonly status?: number;
  readonly why?: string;
};

type DeadNotice = {
  readonly id: string;
  readonly of: string;
  readonly attempts: number;
  readonly diedAt: string;
  readonly why: string;
  readonly kind?:
    | 'session.ended'
    | 'session.cycle_done'
    | 'session.needs_attention'
    | 'session.recovered'
    | 'session.files_expire'
    | 'batch.ended';
  readonly at?: string;
};

type DeadNotices = { readonly dead: readonly DeadNotice[] };

type ReplayWish = { readonly notices?: readonly string[] };

type Replayed = { readonly replayed: number };

type Launch = {
  readonly mode: 'open' | 'paused' | 'draining';
  readonly reason: string;
  readonly by: string;
  readonly since: string;
  readonly maintenance?: { readonly from: string; readonly until: string; readonly zone: string };
};

type LaunchWish = { readonly mode: 'open' | 'paused' | 'draining'; readonly reason?: string; readonly by?: string };

type Maintenance = { readonly windows: readonly MaintenanceWindow[] };

type MaintenanceWindow = {
  readonly id: string;
  readonly from: string;
  readonly until: string;
  readonly drainMinutes: number;
  readonly text: string;
  readonly zone: string;
  readonly by: string;
  readonly announcedAt: string;
};

type MaintenanceWish = {
  readonly from: string;
  readonly until: string;
  readonly text: string;
  readonly drainMinutes?: number;
  readonly by?: string;
};

type MaintenanceChange = {
  readonly from?: string;
  readonly until?: string;
  readonly text?: string;
  readonly drainMinutes?: number;
  readonly by?: string;
};

type AdminStatus = {
  readonly launches: Launch;
  readonly runs: number;
  readonly runsByClass: Readonly<Record<string, number>>;
  readonly runsByProposal: Readonly<Record<string, number>>;
  readonly waiting: number;
  readonly oldestWaitingSince?: string;
};

type Orphan = {
  readonly name: string;
  readonly owner: {
    readonly sessionId: string;
    readonly cycle: number;
    readonly attempt: number;
    readonly proposal: string;
  };
  readonly createdAt: string;
  readonly because: string;
  readonly firstSeenAt: string;
  readonly strikes: number;
  readonly removing: boolean;
};

type Orphans = { readonly orphans: readonly Orphan[] };

type OrphanRemoval = { readonly removing: readonly string[] };

type Finding = {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly seen: string;
  readonly why?: string;
  readonly remedy?: string;
};

type Checkup = { readonly at: string; readonly by: string; readonly findings: readonly Finding[] };

type Trial = {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done' | 'given_up';
  readonly askedAt: string;
  readonly askedBy: string;
  readonly findings: readonly Finding[];
  readonly executor?: string;
  readonly endedAt?: string;
};

type TrialAnswer = { readonly trial?: Trial };

type DeadStep = {
  readonly id: string;
  readonly queue: 'decisions' | 'executions' | 'analyses';
  readonly job: string;
  readonly standing: 'woken' | 'given_up' | 'past';
  readonly cause: string;
  readonly reason: string;
  readonly failures: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly sessionId?: string;
};

type DeadStepDetail = {
  readonly id: string;
  readonly queue: 'decisions' | 'executions' | 'analyses';
  readonly job: string;
  readonly standing: 'woken' | 'given_up' | 'past';
  readonly cause: string;
  readonly reason: string;
  readonly failures: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly stack: readonly string[];
  readonly sessionId?: string;
};

type DeadSteps = {
  readonly causes: readonly {
    readonly cause: string;
    readonly queue: 'decisions' | 'executions' | 'analyses';
    readonly steps: number;
    readonly firstAt: string;
  }[];
  readonly steps: readonly DeadStep[];
  readonly more: number;
};

type StepRetry = { readonly steps?: readonly string[]; readonly cause?: string; readonly perMinute?: number };

type StepsRetried = {
  readonly retried: readonly { readonly id: string; readonly sessionId: string; readonly inSeconds: number }[];
  readonly kept: readonly { readonly id: string; readonly because: string }[];
};

type StepDrop = { readonly reason: string; readonly steps?: readonly string[]; readonly cause?: string };

type StepsDropped = {
  readonly dropped: readonly string[];
  readonly kept: readonly { readonly id: string; readonly because: string }[];
};

type QueuedJob = {
  readonly id: string;
  readonly queue: 'decisions' | 'executions' | 'analyses';
  readonly job: string;
  readonly place: 'active' | 'waiting' | 'delayed' | 'failed';
  readonly standing: 'due' | 'stale' | 'unknown';
  readonly tries: number;
  readonly mostTries: number;
  readonly addedAt: string;
  readonly sessionId?: string;
  readonly title?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly beginsAt?: string;
  readonly reason?: string;
};

type QueuedJobDetail = {
  readonly id: string;
  readonly queue: 'decisions' | 'executions' | 'analyses';
  readonly job: string;
  readonly place: 'active' | 'waiting' | 'delayed' | 'failed';
  readonly standing: 'due' | 'stale' | 'unknown';
  readonly tries: number;
  readonly mostTries: number;
  readonly addedAt: string;
  readonly payload: string;
  readonly stack: readonly string[];
  readonly sessionId?: string;
  readonly title?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly beginsAt?: string;
  readonly reason?: string;
};

type QueuedJobs = {
  readonly jobs: readonly QueuedJob[];
  readonly hidden: number;
  readonly total: number;
  readonly nextOffset?: number;
};

type QueueList = {
  readonly queues: readonly {
    readonly name: 'decisions' | 'executions' | 'analyses';
    readonly isPaused: boolean;
    readonly jobs: {
      readonly active: number;
      readonly waiting: number;
      readonly delayed: number;
      readonly failed: number;
    };
    readonly oldestWaitingAt?: string;
  }[];
};

type SharesPolicy = {
  readonly proposals: Readonly<
    Record<string, { readonly weight?: number; readonly maxRunning?: number; readonly startsPerDay?: number }>
  >;
  readonly maxPerProposal: number;
  readonly maxGpuPerProposal: number;
  readonly maxPerUser: number;
  readonly maxLive: number;
  readonly maxStandard: number;
  readonly maxBackfill: number;
  readonly startsPerDayPerProposal: number;
  readonly startsPerDayPerUser: number;
  readonly backfillWaitsHours: number;
  readonly liveFor: readonly string[];
};

type Shares = {
  readonly policy: SharesPolicy;
  readonly setBy: 'configuration' | 'administrator';
  readonly by: string;
  readonly since?: string;
};

type SharesChange = {
  readonly policy: {
    readonly proposals?: Readonly<
      Record<string, { readonly weight?: number; readonly maxRunning?: number; readonly startsPerDay?: number }>
    >;
    readonly maxPerProposal?: number;
    readonly maxGpuPerProposal?: number;
    readonly maxPerUser?: number;
    readonly maxLive?: number;
    readonly maxStandard?: number;
    readonly maxBackfill?: number;
    readonly startsPerDayPerProposal?: number;
    readonly startsPerDayPerUser?: number;
    readonly backfillWaitsHours?: number;
    readonly liveFor?: readonly string[];
  };
  readonly by?: string;
};

type Standing = {
  readonly because: string;
  readonly position: number;
  readonly of: number;
  readonly since: string;
  readonly oldestSince: string;
  readonly estimatedStart?: string;
};

type StandingAnswer = { readonly standing?: Standing };

type StopConditions = {
  readonly after_program?: string;
  readonly start_with_program?: string;
  readonly after_cycle?: number;
  readonly max_refine_cycles?: number;
  readonly skip_validation?: boolean;
  readonly r_free_target?: number;
  readonly map_cc_target?: number;
};

type FilePreferences = {
  readonly model?: string;
  readonly sequence?: string;
  readonly data_mtz?: string;
  readonly map_coeffs_mtz?: string;
  readonly exclude?: readonly string[];
};

type WorkflowPreferences = {
  readonly skip_programs?: readonly string[];
  readonly prefer_programs?: readonly string[];
  readonly use_experimental_phasing?: boolean;
  readonly use_molecular_replacement?: boolean;
  readonly use_mr_sad?: boolean;
  readonly model_is_placed?: boolean;
};

type Directives = {
  readonly program_settings?: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
  readonly stop_conditions?: StopConditions;
  readonly file_preferences?: FilePreferences;
  readonly workflow_preferences?: WorkflowPreferences;
  readonly constraints?: readonly string[];
};

type AdviceReading = {
  readonly text: string;
  readonly removed: readonly { readonly words: string; readonly why: string }[];
  readonly directives: Directives;
  readonly stopsNow: boolean;
  readonly stepByStep: boolean;
  readonly understood: readonly {
    readonly field: string;
    readonly value: string | number | boolean | readonly string[];
    readonly words: string;
    readonly says: string;
    readonly by?: 'model';
  }[];
  readonly conflicts: readonly string[];
  readonly notFollowed: readonly { readonly words: string; readonly why: string }[];
  readonly asked?: readonly { readonly program: string; readonly times: number }[];
};

type Guidance = {
  readonly revision: number;
  readonly at: string;
  readonly sources: readonly {
    readonly from: 'text' | 'file' | 'readme';
    readonly text: string;
    readonly file?: string;
    readonly cut?: true;
  }[];
  readonly hash: string;
  readonly reader: 'rules' | 'model';
  readonly reading: AdviceReading;
  readonly overruled: readonly string[];
  readonly modelReading?: {
    readonly prompt: string;
    readonly requests: number;
    readonly target?: string;
    readonly model?: string;
    readonly hash?: string;
    readonly dropped?: readonly { readonly words: string; readonly why: string }[];
    readonly failed?:
      | 'model_invalid'
      | 'model_unavailable'
      | 'model_rate_limited'
      | 'model_quota'
      | 'model_auth'
      | 'model_refused'
      | 'model_budget'
      | 'context_limit'
      | 'aborted';
    readonly why?: string;
  };
  readonly directives?: Directives;
  readonly directivesSince?: number;
  readonly changedAfter?: number;
  readonly endsAfter?: number;
};

type SessionHead = {
  readonly id: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly stage: 'deciding' | 'executing' | 'analysing';
  readonly cycle: number;
  readonly attempt: number;
  readonly version: number;
  readonly wakeUps: number;
  readonly folder: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly advised?: number;
};

type SessionRow = {
  readonly id: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly stage: 'deciding' | 'executing' | 'analysing';
  readonly cycle: number;
  readonly attempt: number;
  readonly version: number;
  readonly wakeUps: number;
  readonly folder: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly submitter: string;
  readonly advised?: number;
  readonly sample?: string;
  readonly batch?: string;
  readonly forkedFrom?: { readonly session: string; readonly afterCycle: number };
  readonly outcome?:
    | 'solved'
    | 'goal_reached'
    | 'unfinished'
    | 'unsatisfactory'
    | 'failed_science'
    | 'failed_infrastructure'
    | 'rejected'
    | 'cancelled'
    | 'unknown';
  readonly stopReason?:
    | 'converged'
    | 'goal_reached'
    | 'plateau'
    | 'refinement_limit'
    | 'nothing_left'
    | 'unsatisfactory'
    | 'hopeless'
    | 'no_program'
    | 'max_cycles'
    | 'program_failed'
    | 'red_flag'
    | 'infrastructure'
    | 'error'
    | 'cancelled'
    | 'cycles_removed';
  readonly stopDetail?: string;
  readonly endedAt?: string;
  readonly program?: string;
  readonly resolution?: number;
  readonly spaceGroup?: string;
  readonly fit?: Fit;
  readonly ligand?: Ligand;
  readonly fits?: readonly number[];
  readonly maxCycles?: number;
  readonly waiting?: string;
  readonly standing?: Standing;
};

type SessionCounts = {
  readonly sessions: {
    readonly running: number;
    readonly cancelling: number;
    readonly completed: number;
    readonly unsatisfactory: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly outcomes: {
    readonly solved: number;
    readonly goal_reached: number;
    readonly unfinished: number;
    readonly unsatisfactory: number;
    readonly failed_science: number;
    readonly failed_infrastructure: number;
    readonly rejected: number;
    readonly cancelled: number;
    readonly unknown: number;
  };
  readonly waiting: number;
  readonly oldestWaitingSince?: string;
  readonly launches?: Launch;
};

type StatisticsGroup = {
  readonly key: string;
  readonly sessions: number;
  readonly unended: number;
  readonly outcomes: {
    readonly solved: number;
    readonly goal_reached: number;
    readonly unfinished: number;
    readonly unsatisfactory: number;
    readonly failed_science: number;
    readonly failed_infrastructure: number;
    readonly rejected: number;
    readonly cancelled: number;
    readonly unknown: number;
  };
  readonly coreHours: number;
  readonly gpuHours: number;
  readonly toFirstRFree?: { readonly p50: number; readonly p95: number };
  readonly toEnd?: { readonly p50: number; readonly p95: number };
};

type Statistics = {
  readonly by: 'month' | 'beamline' | 'proposal' | 'submitter' | 'resolution' | 'path';
  readonly groups: readonly StatisticsGroup[];
  readonly since?: string;
  readonly until?: string;
};

type WallRow = {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly beamline: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly stage: 'deciding' | 'executing' | 'analysing';
  readonly cycle: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly outcome?:
    | 'solved'
    | 'goal_reached'
    | 'unfinished'
    | 'unsatisfactory'
    | 'failed_science'
    | 'failed_infrastructure'
    | 'rejected'
    | 'cancelled'
    | 'unknown';
  readonly endedAt?: string;
  readonly program?: string;
  readonly maxCycles?: number;
  readonly fit?: {
    readonly metric: string;
    readonly value: number;
    readonly quality?: 'good' | 'acceptable' | 'needs improvement';
    readonly trend?: 'better' | 'worse' | 'unchanged';
  };
  readonly fits?: readonly number[];
  readonly waiting?: true;
  readonly standing?: { readonly position: number; readonly of: number; readonly since: string };
};

type Wall = { readonly counts: SessionCounts; readonly sessions: readonly WallRow[] };

type Fit = {
  readonly metric: string;
  readonly value: number;
  readonly resolution?: number;
  readonly rWork?: number;
  readonly quality?: 'good' | 'acceptable' | 'needs improvement';
  readonly trend?: 'better' | 'worse' | 'unchanged';
};

type Ligand = {
  readonly inModel: boolean;
  readonly code?: string;
  readonly cc?: number;
  readonly atoms?: number;
  readonly atomsInDensity?: number;
  readonly omitCc?: number;
};

type Outcome = {
  readonly word:
    | 'solved'
    | 'goal_reached'
    | 'unfinished'
    | 'unsatisfactory'
    | 'failed_science'
    | 'failed_infrastructure'
    | 'rejected'
    | 'cancelled'
    | 'unknown';
  readonly sentence: string;
  readonly next: string;
};

type SessionFile = {
  readonly path: string;
  readonly size: number;
  readonly cycle: number;
  readonly facts: FileFacts;
  readonly program?: string;
  readonly pin?: FilePin;
};

type FilePin = { readonly inode: string; readonly size: number; readonly modified: string; readonly sha256?: string };

type FileFacts = {
  readonly format:
    | 'mtz'
    | 'scalepack'
    | 'pdb'
    | 'mmcif-model'
    | 'mmcif-reflections'
    | 'xds-ascii'
    | 'restraints'
    | 'map'
    | 'sequence'
    | 'ncs-spec'
    | 'text'
    | 'unknown';
  readonly assumed?: true;
  readonly notes?: readonly string[];
  readonly cell?: readonly [number | null, number | null, number | null, number | null, number | null, number | null];
  readonly spaceGroup?: string;
  readonly mtz?: {
    readonly reflections: number | null;
    readonly highResolution: number | null;
    readonly lowResolution: number | null;
    readonly columns: readonly { readonly label: string; readonly type: string }[];
    readonly observations: readonly {
      readonly labels: string;
      readonly kind: 'amplitude' | 'intensity';
      readonly anomalous: boolean;
    }[];
    readonly mapCoefficients: readonly string[];
    readonly phases: readonly string[];
    readonly freeFlag?: string;
    readonly otherFreeFlags?: readonly string[];
    readonly otherArrays?: readonly string[];
    readonly unmerged?: true;
    readonly withoutValues?: readonly string[];
    readonly withoutFreeFlag?: true;
    readonly freeSet?: string;
  };
  readonly model?: {
    readonly atoms: number | null;
    readonly chains: readonly string[];
    readonly polymerResidues: number | null;
    readonly waters: number | null;
    readonly ligandCodes: readonly string[];
    readonly predicted: boolean;
    readonly meanB: number | null;
    readonly nucleicResidues?: number | null;
    readonly modifiedResidues?: readonly string[];
    readonly sequences?: readonly string[];
  };
  readonly map?: {
    readonly grid: readonly [number | null, number | null, number | null];
    readonly mode: number | null;
    readonly voxel: number | null;
    readonly mask?: true;
  };
  readonly restraints?: { readonly codes: readonly string[] };
  readonly sequence?: {
    readonly chains: number | null;
    readonly residues: number | null;
    readonly distinct?: number | null;
    readonly sequences?: readonly string[];
  };
};

type SessionRequest = {
  readonly title: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly submitter: string;
  readonly priority: 'live' | 'standard' | 'backfill';
  readonly advice: string;
  readonly settings: {
    readonly max_cycles: number;
    readonly experiment_type: 'auto' | 'xray' | 'cryoem';
    readonly resolution: number;
    readonly analysis_only: boolean;
    readonly r_free_target: number;
    readonly map_cc_target: number;
    readonly max_refine_cycles: number;
    readonly program_time_limit: number;
    readonly simulated_programs: readonly string[];
    readonly maximum_automation: boolean;
    readonly abort_on_red_flags: boolean;
    readonly abort_on_warnings: boolean;
    readonly use_rules_only: boolean;
    readonly model_outage: 'rules' | 'wait';
  };
  readonly inputs: readonly SessionFile[];
  readonly sample?: string;
  readonly ligands?: readonly { readonly code?: string; readonly smiles?: string; readonly id?: string }[];
  readonly directives?: Directives;
  readonly steering?: {
    readonly cyclesDone?: number;
    readonly adviceChangedAfter?: number;
    readonly retry?: { readonly program: string; readonly after: number };
    readonly recoveries?: readonly {
      readonly file: string;
      readonly programs: readonly string[];
      readonly set: Readonly<Record<string, string | number | boolean>>;
      readonly why: string;
    }[];
    readonly blocked?: readonly string[];
    readonly refused?: Readonly<Record<string, readonly string[]>>;
    readonly bestFiles?: Readonly<Record<string, readonly string[]>>;
  };
  readonly directory?: { readonly path: string; readonly files: readonly string[] };
  readonly forkedFrom?: { readonly session: string; readonly afterCycle: number; readonly asked: string };
  readonly batch?: string;
  readonly traceparent?: string;
  readonly submittedAs?: {
    readonly settings: {
      readonly max_cycles: number;
      readonly experiment_type: 'auto' | 'xray' | 'cryoem';
      readonly resolution: number;
      readonly analysis_only: boolean;
      readonly r_free_target: number;
      readonly map_cc_target: number;
      readonly max_refine_cycles: number;
      readonly program_time_limit: number;
      readonly simulated_programs: readonly string[];
      readonly maximum_automation: boolean;
      readonly abort_on_red_flags: boolean;
      readonly abort_on_warnings: boolean;
      readonly use_rules_only: boolean;
      readonly model_outage: 'rules' | 'wait';
    };
    readonly files: readonly string[];
    readonly priority?: 'live' | 'standard' | 'backfill';
  };
};

type NotOffered = { readonly program: string; readonly why: string };

type Decision = {
  readonly program: string;
  readonly argv: readonly string[];
  readonly reasoning: string;
  readonly experimentType: 'xray' | 'cryoem';
  readonly workflowState: string;
  readonly step: string;
  readonly inputs: readonly { readonly slot: string; readonly path: string }[];
  readonly strategy: Readonly<Record<string, string | number | boolean>>;
  readonly validPrograms: readonly string[];
  readonly notOffered: readonly NotOffered[];
  readonly decidedBy: 'rules' | 'fallback' | 'model';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly decidedAt: string;
  readonly guidance?: number;
  readonly planning?: {
    readonly prompt: string;
    readonly requests: number;
    readonly target?: string;
    readonly model?: string;
    readonly hash?: string;
    readonly failed?:
      | 'model_invalid'
      | 'model_unavailable'
      | 'model_rate_limited'
      | 'model_quota'
      | 'model_auth'
      | 'model_refused'
      | 'model_budget'
      | 'context_limit'
      | 'aborted';
    readonly why?: string;
    readonly strategy?: Readonly<Record<string, string | number | boolean>>;
  };
  readonly provenance?: Provenance;
};

type Ending = {
  readonly kind:
    | 'exited'
    | 'signalled'
    | 'wall_clock_limit'
    | 'memory_limit'
    | 'output_limit'
    | 'disk_full'
    | 'cancelled'
    | 'lost'
    | 'not_started'
    | 'disrupted'
    | 'node_lost'
    | 'job_deleted'
    | 'image_unavailable'
    | 'unschedulable'
    | 'gpu_unavailable';
  readonly message: string;
  readonly infrastructure: boolean;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly nextAction?: string;
  readonly peakMemoryMiB?: number;
};

type Resources = { readonly class: 'cpu' | 'gpu'; readonly cpus: number; readonly memoryMiB: number };

type Attempt = {
  readonly attempt: number;
  readonly backend: 'local' | 'kubernetes';
  readonly provider: 'phenix' | 'open-phenix' | 'simulated';
  readonly programVersion: string;
  readonly startedAt: string;
  readonly resources?: Resources;
  readonly ending?: Ending;
};

type Metric = {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly line: number;
  readonly pattern: string;
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
};

type CycleResult = {
  readonly outcome: 'success' | 'failed';
  readonly summary: string;
  readonly metrics: readonly Metric[];
  readonly outputs: readonly SessionFile[];
  readonly errorLines: readonly string[];
  readonly analysedAt: string;
  readonly leftOut?: readonly string[];
  readonly fit?: Fit;
  readonly ligand?: Ligand;
};

type WaitingAttempt = {
  readonly attempt: number;
  readonly backend: 'local' | 'kubernetes';
  readonly provider: 'phenix' | 'open-phenix' | 'simulated';
  readonly programVersion: string;
  readonly since: string;
  readonly inLine: boolean;
  readonly because: string;
  readonly toldAt: string;
  readonly resources?: Resources;
};

type Cycle = {
  readonly cycle: number;
  readonly decision: Decision;
  readonly attempts: readonly Attempt[];
  readonly waiting?: WaitingAttempt;
  readonly result?: CycleResult;
};

type Stop = {
  readonly reason:
    | 'converged'
    | 'goal_reached'
    | 'plateau'
    | 'refinement_limit'
    | 'nothing_left'
    | 'unsatisfactory'
    | 'hopeless'
    | 'no_program'
    | 'max_cycles'
    | 'program_failed'
    | 'red_flag'
    | 'infrastructure'
    | 'error'
    | 'cancelled'
    | 'cycles_removed';
  readonly detail: string;
  readonly afterCycle: number;
};

type SessionLinks = {
  readonly self: string;
  readonly status: string;
  readonly events: string;
  readonly results: string;
  readonly summary: string;
};

type SimilarSession = {
  readonly sessionId: string;
  readonly same: 'everything' | 'data';
  readonly title: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly createdAt: string;
  readonly href: string;
  readonly outcome?:
    | 'solved'
    | 'goal_reached'
    | 'unfinished'
    | 'unsatisfactory'
    | 'failed_science'
    | 'failed_infrastructure'
    | 'rejected'
    | 'cancelled'
    | 'unknown';
};

type Session = {
  readonly id: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly stage: 'deciding' | 'executing' | 'analysing';
  readonly cycle: number;
  readonly attempt: number;
  readonly version: number;
  readonly wakeUps: number;
  readonly folder: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly request: SessionRequest;
  readonly cycles: readonly Cycle[];
  readonly simulated: boolean;
  readonly links: SessionLinks;
  readonly stop?: Stop;
  readonly guidance?: Guidance;
  readonly waiting?: { readonly since: string; readonly because: string };
  readonly outcome?: Outcome;
  readonly similar?: readonly SimilarSession[];
  readonly fileUses?: readonly {
    readonly path: string;
    readonly used: boolean;
    readonly text: string;
    readonly notes?: readonly string[];
  }[];
};

type Event = {
  readonly type:
    | 'cycle_start'
    | 'cycle_complete'
    | 'state_detected'
    | 'metrics_extracted'
    | 'metrics_trend'
    | 'sanity_check'
    | 'program_selected'
    | 'program_modified'
    | 'stop_decision'
    | 'directive_applied'
    | 'user_request_invalid'
    | 'files_selected'
    | 'file_scored'
    | 'command_built'
    | 'thought'
    | 'error'
    | 'warning'
    | 'debug'
    | 'session_submitted'
    | 'session_forked'
    | 'advice_read'
    | 'session_prioritised'
    | 'session_recovered'
    | 'session_cancelling'
    | 'session_resumed'
    | 'cycles_removed'
    | 'session_ended'
    | 'attempt_waiting'
    | 'attempt_started'
    | 'attempt_ended';
  readonly cycle: number;
  readonly at: string;
  readonly message: string;
  readonly data: Readonly<Record<string, JsonValue>>;
  readonly id: string;
};

type SessionNews = {
  readonly session: SessionRow;
  readonly events: readonly Event[];
  readonly was?: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
};

type SessionNewsPage = { readonly news: readonly SessionNews[]; readonly next: string; readonly missed: boolean };

type Settings = {
  readonly max_cycles?: number;
  readonly experiment_type?: 'auto' | 'xray' | 'cryoem';
  readonly resolution?: number;
  readonly analysis_only?: boolean;
  readonly r_free_target?: number;
  readonly map_cc_target?: number;
  readonly max_refine_cycles?: number;
  readonly program_time_limit?: number;
  readonly simulated_programs?: readonly string[];
  readonly maximum_automation?: boolean;
  readonly abort_on_red_flags?: boolean;
  readonly abort_on_warnings?: boolean;
  readonly use_rules_only?: boolean;
  readonly model_outage?: 'rules' | 'wait';
};

type Submission = {
  readonly files?: readonly string[];
  readonly input_directory?: string;
  readonly title?: string;
  readonly proposal?: string;
  readonly beamline?: string;
  readonly submitter?: string;
  readonly priority?: 'live' | 'standard' | 'backfill';
  readonly advice?: string;
  readonly sample?: string;
  readonly advice_file?: string;
  readonly strict?: boolean;
  readonly ligands?: readonly { readonly code?: string; readonly smiles?: string; readonly id?: string }[];
  readonly settings?: Settings;
  readonly directives?: Directives;
};

type SubmissionReading = {
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly format:
      | 'mtz'
      | 'scalepack'
      | 'pdb'
      | 'mmcif-model'
      | 'mmcif-reflections'
      | 'xds-ascii'
      | 'restraints'
      | 'map'
      | 'sequence'
      | 'ncs-spec'
      | 'text'
      | 'unknown';
    readonly categories: readonly { readonly category: string; readonly why: string }[];
    readonly use?: {
      readonly path: string;
      readonly used: boolean;
      readonly text: string;
      readonly notes?: readonly string[];
    };
  }[];
  readonly problems: readonly FieldProblem[];
  readonly guidance?: Guidance;
  readonly first?: FirstStep;
};

type Folder = {
  readonly path: string;
  readonly entries: readonly {
    readonly name: string;
    readonly path: string;
    readonly kind: 'folder' | 'file';
    readonly size?: number;
    readonly changedAt?: string;
    readonly likely?: true;
  }[];
  readonly leftOut: number;
  readonly above?: string;
  readonly nextCursor?: string;
  readonly more?: true;
};

type Resumption = {
  readonly files?: readonly string[];
  readonly advice?: string;
  readonly advice_file?: string;
  readonly settings?: Settings;
  readonly directives?: Directives;
};

type ForkWish = {
  readonly cycle: number;
  readonly title?: string;
  readonly advice?: string;
  readonly advice_file?: string;
  readonly ligands?: readonly { readonly code?: string; readonly smiles?: string; readonly id?: string }[];
  readonly settings?: Settings;
  readonly directives?: Directives;
  readonly priority?: 'live' | 'standard' | 'backfill';
};

type AdviceChange = { readonly advice?: string; readonly advice_file?: string; readonly directives?: Directives };

type ReadingWish = { readonly advice: string; readonly experiment?: 'xray' | 'cryoem' };

type CycleRemoval = { readonly count: number };

type PriorityWish = { readonly priority: 'live' | 'standard' | 'backfill' };

type SessionList = { readonly sessions: readonly SessionRow[]; readonly nextCursor?: string };

type EventList = { readonly events: readonly Event[]; readonly next: string };

type OutputFile = {
  readonly cycle: number;
  readonly program: string;
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly format:
    | 'mtz'
    | 'scalepack'
    | 'pdb'
    | 'mmcif-model'
    | 'mmcif-reflections'
    | 'xds-ascii'
    | 'restraints'
    | 'map'
    | 'sequence'
    | 'ncs-spec'
    | 'text'
    | 'unknown';
  readonly href: string;
};

type BestFile = {
  readonly category: string;
  readonly stage: string;
  readonly score: number;
  readonly path: string;
  readonly cycle: number;
  readonly href?: string;
};

type ResultMetric = {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly cycle: number;
  readonly program: string;
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
};

type Results = {
  readonly id: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly simulated: boolean;
  readonly folder: string;
  readonly bestFiles: readonly BestFile[];
  readonly metrics: readonly ResultMetric[];
  readonly files: readonly OutputFile[];
  readonly submitted: readonly {
    readonly path: string;
    readonly used: boolean;
    readonly text: string;
    readonly notes?: readonly string[];
  }[];
  readonly summary: string;
  readonly stop?: Stop;
  readonly outcome?: Outcome;
};

type AssessmentPart = {
  readonly part: 'input_quality' | 'goal_and_strategy' | 'strategy_assessment' | 'current_status' | 'next_steps';
  readonly title: string;
  readonly text: string;
  readonly unsupported?: readonly { readonly text: string; readonly at: number }[];
};

type Assessment = {
  readonly id: string;
  readonly state: 'ready' | 'asked' | 'failed';
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly version: number;
  readonly writtenAt: string;
  readonly writtenBy: 'rules' | 'model';
  readonly parts: readonly AssessmentPart[];
  readonly askedAt?: string;
  readonly target?: string;
  readonly model?: string;
  readonly hash?: string;
  readonly failed?:
    | 'model_invalid'
    | 'model_unavailable'
    | 'model_rate_limited'
    | 'model_quota'
    | 'model_auth'
    | 'model_refused'
    | 'model_budget'
    | 'context_limit'
    | 'aborted'
    | 'error';
  readonly why?: string;
};

type LogSummaryPart = {
  readonly part: 'outcome' | 'numbers' | 'findings';
  readonly title: string;
  readonly text: string;
  readonly unsupported?: readonly { readonly text: string; readonly at: number }[];
};

type LogSummary = {
  readonly id: string;
  readonly program: string;
  readonly state: 'ready' | 'asked' | 'failed';
  readonly cycle: number;
  readonly writtenAt: string;
  readonly writtenBy: 'rules' | 'model';
  readonly parts: readonly LogSummaryPart[];
  readonly askedAt?: string;
  readonly target?: string;
  readonly model?: string;
  readonly hash?: string;
  readonly failed?:
    | 'model_invalid'
    | 'model_unavailable'
    | 'model_rate_limited'
    | 'model_quota'
    | 'model_auth'
    | 'model_refused'
    | 'model_budget'
    | 'context_limit'
    | 'aborted'
    | 'error';
  readonly why?: string;
};

type Trace = {
  readonly id: string;
  readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
  readonly startedAt: string;
  readonly operations: readonly Operation[];
  readonly spent: Spent;
  readonly endedAt?: string;
};

type Replay = {
  readonly id: string;
  readonly release: string;
  readonly knowledge: string;
  readonly counts: { readonly same: number; readonly differs: number; readonly undetermined: number };
  readonly cycles: readonly ReplayedCycle[];
};

type ReplayedCycle = {
  readonly cycle: number;
  readonly result: 'same' | 'differs' | 'undetermined';
  readonly recorded: { readonly program: string; readonly detail: string };
  readonly replayed?: { readonly program: string; readonly detail: string };
  readonly rule?: string;
  readonly reason?: string;
  readonly provenance?: Provenance;
};

type Provenance = {
  readonly release: string;
  readonly knowledge: string;
  readonly request: string;
  readonly rule: string;
  readonly image?: string;
  readonly unavailable?: readonly string[];
  readonly skippedFiles?: readonly string[];
  readonly pastStop?: true;
};

type Upload = {
  readonly id: string;
  readonly proposal: string;
  readonly name: string;
  readonly size: number;
  readonly offset: number;
  readonly state: 'receiving' | 'complete' | 'refused';
  readonly expiresAt: string;
  readonly path?: string;
  readonly sha256?: string;
  readonly problem?: string;
};

type UploadRules = { readonly maxFileBytes: number; readonly maxDayBytes: number; readonly keepHours: number };

type Operation = {
  readonly path: string;
  readonly kind: 'cycle' | 'decision' | 'request' | 'wait' | 'program' | 'analysis' | 'assessment';
  readonly what: string;
  readonly status: 'open' | 'done' | 'failed';
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly note?: string;
  readonly hash?: string;
  readonly spent?: Spent;
};

type Spent = {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly uncounted: number;
};

type Prompts = { readonly id: string; readonly cycle: number; readonly prompts: readonly Prompt[] };

type Prompt = {
  readonly prompt: string;
  readonly hash: string;
  readonly used: boolean;
  readonly requests: number;
  readonly messages?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }[];
  readonly target?: string;
  readonly model?: string;
  readonly reply?: string;
  readonly cut?: boolean;
};

type Program = {
  readonly program: string;
  readonly installed: boolean;
  readonly provider?: 'phenix' | 'open-phenix' | 'simulated';
  readonly version?: string;
  readonly withheld?: string;
};

type Programs = {
  readonly backend: 'local' | 'kubernetes';
  readonly programs: readonly Program[];
  readonly probedAt?: string;
};

type NumberSetting = {
  readonly type: 'integer' | 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly what: string;
};

type FlagSetting = { readonly type: 'boolean'; readonly default: boolean; readonly what: string };

type ChoiceSetting = {
  readonly type: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
  readonly what: string;
};

type ListSetting = { readonly type: 'list'; readonly default: readonly string[]; readonly what: string };

type SettingDefinitions = {
  readonly settings: {
    readonly max_cycles: NumberSetting;
    readonly experiment_type: ChoiceSetting;
    readonly resolution: NumberSetting;
    readonly analysis_only: FlagSetting;
    readonly r_free_target: NumberSetting;
    readonly map_cc_target: NumberSetting;
    readonly max_refine_cycles: NumberSetting;
    readonly program_time_limit: NumberSetting;
    readonly simulated_programs: ListSetting;
    readonly maximum_automation: FlagSetting;
    readonly abort_on_red_flags: FlagSetting;
    readonly abort_on_warnings: FlagSetting;
    readonly use_rules_only: FlagSetting;
    readonly model_outage: ChoiceSetting;
  };
};

type MetricDefinitions = {
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly better: 'lower' | 'higher' | 'neither';
        readonly decimals: number;
        readonly why: string;
        readonly unit?: 'Å' | '%' | 'Å²' | '°';
        readonly significant?: number;
        readonly of_map?: boolean;
        readonly bands?: readonly {
          readonly good: number;
          readonly acceptable: number;
          readonly poor: number;
          readonly at?: number;
        }[];
      }
    >
  >;
};

type SessionRetention = {
  readonly rule?: string;
  readonly folderUntil?: string;
  readonly recordUntil?: string;
  readonly hold?: 'running' | 'pinned' | 'batch' | 'in_use';
  readonly usedBy?: readonly string[];
  readonly pin?: { readonly at: string; readonly by: string; readonly reason: string };
  readonly purged?: { readonly at: string; readonly rule: string; readonly bytes: number };
};

type PinWish = { readonly reason: string; readonly by?: string };

type PurgeWish = { readonly dryRun?: boolean; readonly after?: string };

type DeletionWish = {
  readonly reason: string;
  readonly proposal?: string;
  readonly submitter?: string;
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly after?: string;
};

type DeletionReport = {
  readonly sessions: number;
  readonly bytes: number;
  readonly batches: number;
  readonly uploads: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  readonly nextCursor?: string;
};

type PurgeReport = {
  readonly rules: readonly {
    readonly rule: string;
    readonly folders: number;
    readonly bytes: number;
    readonly records: number;
  }[];
  readonly held: number;
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  readonly nextCursor?: string;
};

type Recovery = {
  readonly recovered: readonly {
    readonly id: string;
    readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
    readonly cycle: number;
    readonly trusted: boolean;
    readonly missingFiles: readonly string[];
  }[];
  readonly existing: readonly string[];
  readonly untrusted: readonly {
    readonly id: string;
    readonly status: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
    readonly cycle: number;
    readonly folder: string;
    readonly title: string;
    readonly reason: string;
    readonly digest: string;
  }[];
  readonly leftOut: readonly { readonly folder: string; readonly code: string; readonly reason: string }[];
  readonly notListed: number;
};

type RecoveryWish = { readonly trust?: Readonly<Record<string, string>>; readonly by?: string };

type BatchWish = {
  readonly title?: string;
  readonly proposal?: string;
  readonly submitter?: string;
  readonly start?: 'each' | 'together' | 'never';
  readonly duplicates?: 'submit' | 'skip';
  readonly base?: string;
  readonly defaults?: {
    readonly files?: readonly string[];
    readonly input_directory?: string;
    readonly title?: string;
    readonly beamline?: string;
    readonly priority?: 'live' | 'standard' | 'backfill';
    readonly advice?: string;
    readonly advice_file?: string;
    readonly ligands?: readonly { readonly code?: string; readonly smiles?: string; readonly id?: string }[];
    readonly settings?: Settings;
    readonly directives?: Directives;
  };
  readonly rows?: readonly unknown[];
  readonly folder?: { readonly pattern: string };
};

type Batch = {
  readonly id: string;
  readonly title: string;
  readonly proposal: string;
  readonly submitter: string;
  readonly start: 'each' | 'together' | 'never';
  readonly duplicates: 'submit' | 'skip';
  readonly createdAt: string;
  readonly status: 'open' | 'paused' | 'cancelled';
  readonly complete: boolean;
  readonly rows: number;
  readonly verdicts: {
    readonly waiting: number;
    readonly checked: number;
    readonly accepted: number;
    readonly duplicate: number;
    readonly rejected: number;
    readonly cancelled: number;
  };
  readonly sessions: {
    readonly running: number;
    readonly cancelling: number;
    readonly completed: number;
    readonly unsatisfactory: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly outcomes: {
    readonly solved: number;
    readonly goal_reached: number;
    readonly unfinished: number;
    readonly unsatisfactory: number;
    readonly failed_science: number;
    readonly failed_infrastructure: number;
    readonly rejected: number;
    readonly cancelled: number;
    readonly unknown: number;
  };
  readonly done: boolean;
  readonly state: string;
  readonly links: { readonly self: string; readonly rows: string; readonly results: string; readonly csv: string };
  readonly base?: string;
  readonly defaults?: {
    readonly files?: readonly string[];
    readonly input_directory?: string;
    readonly title?: string;
    readonly beamline?: string;
    readonly priority?: 'live' | 'standard' | 'backfill';
    readonly advice?: string;
    readonly advice_file?: string;
    readonly ligands?: readonly { readonly code?: string; readonly smiles?: string; readonly id?: string }[];
    readonly settings?: Settings;
    readonly directives?: Directives;
  };
  readonly owner?: string;
  readonly priority?: 'live' | 'standard' | 'backfill';
};

type BatchList = { readonly batches: readonly Batch[]; readonly nextCursor?: string };

type ExpectedWait = { readonly seconds?: number; readonly because?: string };

type EarlierSession = { readonly session: string; readonly same: 'everything' | 'data' };

type FirstStep = {
  readonly program?: string;
  readonly command?: string;
  readonly class?: 'cpu' | 'gpu' | 'either';
  readonly reasoning?: string;
  readonly priority?: 'live' | 'standard' | 'backfill';
  readonly stop?: string;
};

type BatchRow = {
  readonly row: number;
  readonly line: number;
  readonly verdict: 'waiting' | 'checked' | 'accepted' | 'duplicate' | 'rejected' | 'cancelled';
  readonly run: number;
  readonly session?: string;
  readonly earlier?: EarlierSession;
  readonly first?: FirstStep;
  readonly wait?: ExpectedWait;
  readonly problems?: readonly FieldProblem[];
  readonly unused?: readonly {
    readonly path: string;
    readonly used: boolean;
    readonly text: string;
    readonly notes?: readonly string[];
  }[];
};

type BatchRowList = { readonly rows: readonly BatchRow[]; readonly nextCursor?: string };

type BatchResult = {
  readonly row: number;
  readonly verdict: 'waiting' | 'checked' | 'accepted' | 'duplicate' | 'rejected' | 'cancelled';
  readonly session?: SessionRow;
  readonly href?: string;
  readonly problems?: readonly FieldProblem[];
};

type BatchResults = { readonly results: readonly BatchResult[]; readonly nextCursor?: string };

type RowsAdded = { readonly added: number; readonly known: number; readonly unreadable: number; readonly rows: number };

type RetryWish = { readonly of?: readonly ('rejected' | 'failed' | 'unsatisfactory' | 'cancelled' | 'duplicate')[] };

type RowsRetried = { readonly retried: number };

type BatchPriorityWish = { readonly priority: 'live' | 'standard' | 'backfill' };

type BatchPriority = {
  readonly priority: 'live' | 'standard' | 'backfill';
  readonly rows: number;
  readonly sessions: number;
  readonly message: string;
};

type Ok = { readonly status: 'ok' };

type Health = Readonly<Record<string, JsonValue>>;

type FieldProblem = {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: string;
  readonly code?: string;
};

type DecideRequest = {
  readonly api_version: '2.0';
  readonly client_version?: string | null;
  readonly files: readonly string[];
  readonly cycle_number: number;
  readonly log_content?: string | null;
  readonly history?:
    | readonly {
        readonly cycle?: number | null;
        readonly cycle_number?: number | null;
        readonly program: string;
        readonly command?: string | null;
        readonly result?: string | null;
        readonly output_files?: readonly string[] | null;
        readonly analysis?: Readonly<Record<string, JsonValue>> | string | null;
        readonly metrics?: Readonly<Record<string, JsonValue>> | string | null;
      }[]
    | null;
  readonly session_state?: {
    readonly resolution?: number | null;
    readonly experiment_type?: 'xray' | 'cryoem' | '' | null;
    readonly rfree_mtz?: string | '' | null;
    readonly best_files?: Readonly<Record<string, string | readonly string[] | null>> | null;
    readonly log_program?: string | '' | null;
    readonly advice_changed?: boolean | null;
    readonly mtz_rfree_map?: Readonly<Record<string, boolean | null>> | null;
    readonly input_mtz_has_rfree?: boolean | null;
    readonly directives?: Readonly<Record<string, JsonValue>> | null;
    readonly force_retry_program?: string | '' | null;
    readonly recovery_strategies?: Readonly<
      Record<
        string,
        {
          readonly flags?: Readonly<Record<string, string | number | boolean | null>> | null;
          readonly program_scope?: readonly string[] | null;
          readonly reason?: string | null;
          readonly selected_label?: string | '' | null;
          readonly selected_label_pair?: string | '' | null;
        } | null
      >
    > | null;
    readonly session_blocked_programs?: readonly string[] | null;
    readonly bad_inject_params?: Readonly<Record<string, readonly string[] | null>> | null;
  } | null;
  readonly user_advice?: string | null;
  readonly settings?: {
    readonly provider?: string | null;
    readonly abort_on_red_flags?: boolean | null;
    readonly abort_on_warnings?: boolean | null;
    readonly max_cycles?: number | null;
    readonly use_rules_only?: boolean | null;
    readonly maximum_automation?: boolean | null;
  } | null;
};

type DecideResponse = {
  readonly api_version: '2.0';
  readonly server_version: string;
  readonly decision: {
    readonly program: string;
    readonly command: string;
    readonly argv: readonly string[];
    readonly reasoning: string;
    readonly strategy: Readonly<Record<string, string | number | boolean>>;
    readonly confidence: 'high' | 'medium' | 'low' | 'unknown';
  };
  readonly stop: boolean;
  readonly stop_reason:
    | 'converged'
    | 'goal_reached'
    | 'plateau'
    | 'refinement_limit'
    | 'nothing_left'
    | 'unsatisfactory'
    | 'hopeless'
    | 'red_flag'
    | 'max_cycles'
    | 'error'
    | null;
  readonly abort_message: string | null;
  readonly metadata: {
    readonly experiment_type: 'xray' | 'cryoem' | null;
    readonly workflow_state: string | null;
    readonly directives: Readonly<Record<string, JsonValue>>;
    readonly advice: {
      readonly followed: boolean;
      readonly understood: readonly { readonly field: string; readonly words: string; readonly says: string }[];
      readonly conflicts: readonly string[];
      readonly not_followed: readonly { readonly words: string; readonly why: string }[];
      readonly removed: readonly { readonly words: string; readonly why: string }[];
    } | null;
    readonly stop_code:
      | 'converged'
      | 'goal_reached'
      | 'plateau'
      | 'refinement_limit'
      | 'nothing_left'
      | 'unsatisfactory'
      | 'hopeless'
      | 'no_program'
      | 'max_cycles'
      | 'program_failed'
      | 'red_flag'
      | 'infrastructure'
      | 'error'
      | 'cancelled'
      | 'cycles_removed'
      | null;
    readonly planning: {
      readonly decided_by: 'rules' | 'model';
      readonly provider: string;
      readonly target: string | null;
      readonly model: string | null;
      readonly requests: number;
      readonly failed:
        | 'model_invalid'
        | 'model_unavailable'
        | 'model_rate_limited'
        | 'model_quota'
        | 'model_auth'
        | 'model_refused'
        | 'model_budget'
        | 'context_limit'
        | 'aborted'
        | null;
      readonly why: string | null;
    };
    readonly valid_programs: readonly string[];
    readonly not_offered: readonly { readonly program: string; readonly why: string }[];
    readonly files: readonly {
      readonly path: string;
      readonly used: boolean;
      readonly text: string;
      readonly notes?: readonly string[];
    }[];
    readonly warnings: readonly string[];
    readonly red_flags: readonly string[];
  };
  readonly debug: { readonly log: readonly string[]; readonly timing_ms: number };
  readonly events: readonly {
    readonly type:
      | 'cycle_start'
      | 'cycle_complete'
      | 'state_detected'
      | 'metrics_extracted'
      | 'metrics_trend'
      | 'sanity_check'
      | 'program_selected'
      | 'program_modified'
      | 'stop_decision'
      | 'directive_applied'
      | 'user_request_invalid'
      | 'files_selected'
      | 'file_scored'
      | 'command_built'
      | 'thought'
      | 'error'
      | 'warning'
      | 'debug'
      | 'session_submitted'
      | 'session_forked'
      | 'advice_read'
      | 'session_prioritised'
      | 'session_recovered'
      | 'session_cancelling'
      | 'session_resumed'
      | 'cycles_removed'
      | 'session_ended'
      | 'attempt_waiting'
      | 'attempt_started'
      | 'attempt_ended';
    readonly cycle: number;
    readonly at: string;
    readonly message: string;
    readonly data: Readonly<Record<string, JsonValue>>;
  }[];
  readonly events_as_simple_string: string;
  readonly error: string | null;
  readonly problems: readonly { readonly field: string; readonly reason: string; readonly allowed?: string }[];
};

type DecideBody = DecideRequest | { readonly encoded_request: string };

type DecideAnswer = DecideResponse | { readonly encoded_response: string };

/** What each operation is given, and what it answers. */

export interface Api {
  readonly 'POST /v1/sessions': { readonly body: Submission; readonly answer: Session };

  readonly 'GET /v1/sessions': {
    readonly query?: {
      readonly status?: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
      readonly outcome?:
        | 'solved'
        | 'goal_reached'
        | 'unfinished'
        | 'unsatisfactory'
        | 'failed_science'
        | 'failed_infrastructure'
        | 'rejected'
        | 'cancelled'
        | 'unknown';
      readonly proposal?: string;
      readonly beamline?: string;
      readonly batch?: string;
      readonly submitter?: string;
      readonly text?: string;
      readonly failure?: string;
      readonly ligand?: string;
      readonly spaceGroup?: string;
      readonly cell?: string;
      readonly cellTolerance?: number | `${number}`;
      readonly minResolution?: number | `${number}`;
      readonly maxResolution?: number | `${number}`;
      readonly minRFree?: number | `${number}`;
      readonly maxRFree?: number | `${number}`;
      readonly minCc?: number | `${number}`;
      readonly maxCc?: number | `${number}`;
      readonly program?: string;
      readonly since?: string;
      readonly until?: string;
      readonly sort?:
        | 'created'
        | '-created'
        | 'ended'
        | '-ended'
        | 'title'
        | '-title'
        | 'sample'
        | '-sample'
        | 'proposal'
        | '-proposal'
        | 'beamline'
        | '-beamline'
        | 'submitter'
        | '-submitter'
        | 'status'
        | '-status'
        | 'outcome'
        | '-outcome'
        | 'spaceGroup'
        | '-spaceGroup'
        | 'resolution'
        | '-resolution'
        | 'rFree'
        | '-rFree'
        | 'mapCc'
        | '-mapCc';
      readonly limit?: number | `${number}`;
      readonly cursor?: string;
    };
    readonly answer: SessionList;
  };

  readonly 'GET /v1/sessions/{id}': { readonly path: { readonly id: string }; readonly answer: Session };

  readonly 'GET /v1/sessions/{id}/status': { readonly path: { readonly id: string }; readonly answer: SessionHead };

  readonly 'POST /v1/sessions/{id}/cancel': { readonly path: { readonly id: string }; readonly answer: SessionHead };

  readonly 'GET /v1/counts': {
    readonly query?: {
      readonly proposal?: string;
      readonly beamline?: string;
      readonly batch?: string;
      readonly submitter?: string;
    };
    readonly answer: SessionCounts;
  };

  readonly 'GET /v1/statistics': {
    readonly query?: {
      readonly by?: 'month' | 'beamline' | 'proposal' | 'submitter' | 'resolution' | 'path';
      readonly since?: string;
      readonly until?: string;
      readonly proposal?: string;
      readonly beamline?: string;
      readonly submitter?: string;
    };
    readonly answer: Statistics;
  };

  readonly 'GET /v1/statistics.csv': {
    readonly query?: {
      readonly by?: 'month' | 'beamline' | 'proposal' | 'submitter' | 'resolution' | 'path';
      readonly since?: string;
      readonly until?: string;
      readonly proposal?: string;
      readonly beamline?: string;
      readonly submitter?: string;
    };
    readonly answer: string;
  };

  readonly 'GET /v1/wall': {
    readonly query?: { readonly proposal?: string; readonly beamline?: string };
    readonly answer: Wall;
  };

  readonly 'GET /v1/sessions/{id}/standing': {
    readonly path: { readonly id: string };
    readonly answer: StandingAnswer;
  };

  readonly 'GET /v1/sessions/{id}/events': {
    readonly path: { readonly id: string };
    readonly query?: { readonly after?: string; readonly limit?: number | `${number}` };
    readonly answer: EventList;
  };

  readonly 'GET /v1/events': {
    readonly query?: {
      readonly after?: string;
      readonly status?: 'running' | 'cancelling' | 'completed' | 'unsatisfactory' | 'failed' | 'cancelled';
      readonly outcome?:
        | 'solved'
        | 'goal_reached'
        | 'unfinished'
        | 'unsatisfactory'
        | 'failed_science'
        | 'failed_infrastructure'
        | 'rejected'
        | 'cancelled'
        | 'unknown';
      readonly proposal?: string;
      readonly beamline?: string;
      readonly batch?: string;
      readonly submitter?: string;
    };
    readonly answer: SessionNewsPage;
  };

  readonly 'GET /v1/sessions/{id}/cycles/{cycle}/log': {
    readonly path: { readonly id: string; readonly cycle: string };
    readonly query?: {
      readonly offset?: number | `${number}`;
      readonly limit?: number | `${number}`;
      readonly attempt?: number | `${number}`;
    };
    readonly answer: string;
  };

  readonly 'GET /v1/sessions/{id}/files/{cycle}/{path}': {
    readonly path: { readonly id: string; readonly cycle: string; readonly path: string };
    readonly answer: never;
  };

  readonly 'GET /v1/sessions/{id}/files.zip': {
    readonly path: { readonly id: string };
    readonly query?: { readonly which?: 'results' | 'all' };
    readonly answer: never;
  };

  readonly 'GET /v1/sessions/{id}/retention': {
    readonly path: { readonly id: string };
    readonly answer: SessionRetention;
  };

  readonly 'POST /v1/sessions/{id}/pin': {
    readonly path: { readonly id: string };
    readonly body: PinWish;
    readonly answer: SessionRetention;
  };

  readonly 'POST /v1/sessions/{id}/unpin': {
    readonly path: { readonly id: string };
    readonly answer: SessionRetention;
  };

  readonly 'POST /v1/sessions/{id}/remove-last-cycles': {
    readonly path: { readonly id: string };
    readonly body: CycleRemoval;
    readonly answer: Session;
  };

  readonly 'POST /v1/sessions/{id}/resume': {
    readonly path: { readonly id: string };
    readonly body: Resumption;
    readonly answer: Session;
  };

  readonly 'POST /v1/sessions/{id}/fork': {
    readonly path: { readonly id: string };
    readonly body: ForkWish;
    readonly answer: Session;
  };

  readonly 'POST /v1/sessions/{id}/priority': {
    readonly path: { readonly id: string };
    readonly body: PriorityWish;
    readonly answer: Session;
  };

  readonly 'POST /v1/submissions/readings': { readonly body: Submission; readonly answer: SubmissionReading };

  readonly 'GET /v1/folders': {
    readonly query?: { readonly path?: string; readonly limit?: number | `${number}`; readonly cursor?: string };
    readonly answer: Folder;
  };

  readonly 'OPTIONS /v1/uploads': { readonly answer: never };

  readonly 'POST /v1/uploads': { readonly answer: Upload };

  readonly 'HEAD /v1/uploads/{id}': { readonly path: { readonly id: string }; readonly answer: never };

  readonly 'GET /v1/uploads/{id}': { readonly path: { readonly id: string }; readonly answer: Upload };

  readonly 'PATCH /v1/uploads/{id}': {
    readonly path: { readonly id: string };
    readonly raw: { readonly type: 'application/offset+octet-stream'; readonly content: RawContent };
    readonly answer: never;
  };

  readonly 'DELETE /v1/uploads/{id}': { readonly path: { readonly id: string }; readonly answer: never };

  readonly 'POST /v1/batches': { readonly body: BatchWish; readonly answer: Batch };

  readonly 'GET /v1/batches': {
    readonly query?: { readonly proposal?: string; readonly limit?: number | `${number}`; readonly cursor?: string };
    readonly answer: BatchList;
  };

  readonly 'GET /v1/batches/{id}': { readonly path: { readonly id: string }; readonly answer: Batch };

  readonly 'POST /v1/batches/{id}/rows': {
    readonly path: { readonly id: string };
    readonly query?: { readonly complete?: 'true' | 'false' };
    readonly raw: {
      readonly type:
        | 'text/csv'
        | 'text/tab-separated-values'
        | 'application/yaml'
        | 'application/x-yaml'
        | 'application/x-ndjson'
        | 'application/jsonl';
      readonly content: RawContent;
    };
    readonly answer: RowsAdded;
  };

  readonly 'GET /v1/batches/{id}/rows': {
    readonly path: { readonly id: string };
    readonly query?: {
      readonly verdict?: 'waiting' | 'checked' | 'accepted' | 'duplicate' | 'rejected' | 'cancelled';
      readonly limit?: number | `${number}`;
      readonly cursor?: string;
    };
    readonly answer: BatchRowList;
  };

  readonly 'POST /v1/batches/{id}/pause': { readonly path: { readonly id: string }; readonly answer: Batch };

  readonly 'POST /v1/batches/{id}/resume': { readonly path: { readonly id: string }; readonly answer: Batch };

  readonly 'POST /v1/batches/{id}/cancel': { readonly path: { readonly id: string }; readonly answer: Batch };

  readonly 'POST /v1/batches/{id}/priority': {
    readonly path: { readonly id: string };
    readonly body: BatchPriorityWish;
    readonly answer: BatchPriority;
  };

  readonly 'POST /v1/batches/{id}/retry': {
    readonly path: { readonly id: string };
    readonly body?: RetryWish;
    readonly answer: RowsRetried;
  };

  readonly 'GET /v1/batches/{id}/results': {
    readonly path: { readonly id: string };
    readonly query?: {
      readonly sort?: 'row' | 'fit' | 'resolution' | 'ligand';
      readonly limit?: number | `${number}`;
      readonly cursor?: string;
    };
    readonly answer: BatchResults;
  };

  readonly 'GET /v1/batches/{id}/results.csv': {
    readonly path: { readonly id: string };
    readonly query?: { readonly sort?: 'row' | 'fit' | 'resolution' | 'ligand' };
    readonly answer: string;
  };

  readonly 'POST /v1/advice/readings': { readonly body: ReadingWish; readonly answer: AdviceReading };

  readonly 'GET /v1/sessions/{id}/advice': { readonly path: { readonly id: string }; readonly answer: Guidance };

  readonly 'PUT /v1/sessions/{id}/advice': {
    readonly path: { readonly id: string };
    readonly body: AdviceChange;
    readonly answer: Session;
  };

  readonly 'GET /v1/sessions/{id}/results': { readonly path: { readonly id: string }; readonly answer: Results };

  readonly 'GET /v1/sessions/{id}/summary': { readonly path: { readonly id: string }; readonly answer: string };

  readonly 'GET /v1/sessions/{id}/assessment': { readonly path: { readonly id: string }; readonly answer: Assessment };

  readonly 'POST /v1/sessions/{id}/assessment': { readonly path: { readonly id: string }; readonly answer: Assessment };

  readonly 'GET /v1/sessions/{id}/cycles/{cycle}/log-summary': {
    readonly path: { readonly id: string; readonly cycle: string };
    readonly answer: LogSummary;
  };

  readonly 'POST /v1/sessions/{id}/cycles/{cycle}/log-summary': {
    readonly path: { readonly id: string; readonly cycle: string };
    readonly answer: LogSummary;
  };

  readonly 'GET /v1/sessions/{id}/trace': { readonly path: { readonly id: string }; readonly answer: Trace };

  readonly 'GET /v1/sessions/{id}/cycles/{cycle}/prompts': {
    readonly path: { readonly id: string; readonly cycle: string };
    readonly answer: Prompts;
  };

  readonly 'GET /v1/sessions/{id}/replay': { readonly path: { readonly id: string }; readonly answer: Replay };

  readonly 'GET /v1/programs': { readonly answer: Programs };

  readonly 'GET /v1/metrics': { readonly answer: MetricDefinitions };

  readonly 'GET /v1/settings': { readonly answer: SettingDefinitions };

  readonly 'GET /v1/ping': { readonly answer: Ok };

  readonly 'POST /v1/recoveries': { readonly body?: RecoveryWish; readonly answer: Recovery };

  readonly 'GET /v1/admin/status': { readonly answer: AdminStatus };

  readonly 'GET /v1/admin/launch': { readonly answer: Launch };

  readonly 'PUT /v1/admin/launch': { readonly body: LaunchWish; readonly answer: Launch };

  readonly 'GET /v1/admin/orphans': { readonly answer: Orphans };

  readonly 'POST /v1/admin/orphans/removal': { readonly answer: OrphanRemoval };

  readonly 'POST /v1/admin/maintenance': { readonly body: MaintenanceWish; readonly answer: MaintenanceWindow };

  readonly 'PUT /v1/admin/maintenance/{id}': {
    readonly path: { readonly id: string };
    readonly body: MaintenanceChange;
    readonly answer: MaintenanceWindow;
  };

  readonly 'POST /v1/admin/maintenance/{id}/cancellation': {
    readonly path: { readonly id: string };
    readonly answer: MaintenanceWindow;
  };

  readonly 'GET /v1/admin/steps': {
    readonly query?: {
      readonly queue?: 'decisions' | 'executions' | 'analyses';
      readonly cause?: string;
      readonly standing?: 'woken' | 'given_up' | 'past';
      readonly limit?: number | `${number}`;
    };
    readonly answer: DeadSteps;
  };

  readonly 'GET /v1/admin/steps/{id}': { readonly path: { readonly id: string }; readonly answer: DeadStepDetail };

  readonly 'POST /v1/admin/steps/retry': { readonly body: StepRetry; readonly answer: StepsRetried };

  readonly 'POST /v1/admin/steps/drop': { readonly body: StepDrop; readonly answer: StepsDropped };

  readonly 'GET /v1/admin/queues': { readonly answer: QueueList };

  readonly 'GET /v1/admin/queues/{queue}/jobs': {
    readonly path: { readonly queue: 'decisions' | 'executions' | 'analyses' };
    readonly query?: {
      readonly place?: 'active' | 'waiting' | 'delayed' | 'failed';
      readonly order?: 'newest' | 'oldest';
      readonly offset?: number | `${number}`;
      readonly limit?: number | `${number}`;
    };
    readonly answer: QueuedJobs;
  };

  readonly 'GET /v1/admin/queues/{queue}/jobs/{job}': {
    readonly path: { readonly queue: 'decisions' | 'executions' | 'analyses'; readonly job: string };
    readonly answer: QueuedJobDetail;
  };

  readonly 'POST /v1/admin/queues/{queue}/jobs/{job}/promotion': {
    readonly path: { readonly queue: 'decisions' | 'executions' | 'analyses'; readonly job: string };
    readonly answer: QueuedJobDetail;
  };

  readonly 'GET /v1/admin/doctor': { readonly answer: Checkup };

  readonly 'GET /v1/admin/doctor/trial': { readonly answer: TrialAnswer };

  readonly 'POST /v1/admin/doctor/trial': { readonly answer: Trial };

  readonly 'GET /v1/admin/keys': { readonly answer: ApiKeys };

  readonly 'POST /v1/admin/keys': { readonly body: ApiKeyWish; readonly answer: NewApiKey };

  readonly 'POST /v1/admin/keys/{id}/revocation': { readonly path: { readonly id: string }; readonly answer: ApiKey };

  readonly 'GET /v1/admin/audit': {
    readonly query?: {
      readonly who?: string;
      readonly action?:
        | 'service.read'
        | 'service.about'
        | 'wall.read'
        | 'decision.make'
        | 'folder.read'
        | 'upload.write'
        | 'upload.append'
        | 'session.list'
        | 'session.read'
        | 'session.download'
        | 'session.submit'
        | 'session.change'
        | 'batch.read'
        | 'batch.submit'
        | 'batch.change'
        | 'webhook.list'
        | 'webhook.read'
        | 'webhook.change'
        | 'queue.read'
        | 'admin.read'
        | 'admin.change'
        | 'keys.read'
        | 'keys.change'
        | 'audit.read'
        | 'login'
        | 'logout'
        | 'audit'
        | 'purge';
      readonly object?: string;
      readonly since?: string;
      readonly until?: string;
      readonly limit?: number | `${number}`;
      readonly cursor?: string;
    };
    readonly answer: Audit;
  };

  readonly 'GET /v1/admin/audit.jsonl': {
    readonly query?: {
      readonly who?: string;
      readonly action?:
        | 'service.read'
        | 'service.about'
        | 'wall.read'
        | 'decision.make'
        | 'folder.read'
        | 'upload.write'
        | 'upload.append'
        | 'session.list'
        | 'session.read'
        | 'session.download'
        | 'session.submit'
        | 'session.change'
        | 'batch.read'
        | 'batch.submit'
        | 'batch.change'
        | 'webhook.list'
        | 'webhook.read'
        | 'webhook.change'
        | 'queue.read'
        | 'admin.read'
        | 'admin.change'
        | 'keys.read'
        | 'keys.change'
        | 'audit.read'
        | 'login'
        | 'logout'
        | 'audit'
        | 'purge';
      readonly object?: string;
      readonly since?: string;
      readonly until?: string;
    };
    readonly answer: string;
  };

  readonly 'GET /v1/admin/audit.csv': {
    readonly query?: {
      readonly who?: string;
      readonly action?:
        | 'service.read'
        | 'service.about'
        | 'wall.read'
        | 'decision.make'
        | 'folder.read'
        | 'upload.write'
        | 'upload.append'
        | 'session.list'
        | 'session.read'
        | 'session.download'
        | 'session.submit'
        | 'session.change'
        | 'batch.read'
        | 'batch.submit'
        | 'batch.change'
        | 'webhook.list'
        | 'webhook.read'
        | 'webhook.change'
        | 'queue.read'
        | 'admin.read'
        | 'admin.change'
        | 'keys.read'
        | 'keys.change'
        | 'audit.read'
        | 'login'
        | 'logout'
        | 'audit'
        | 'purge';
      readonly object?: string;
      readonly since?: string;
      readonly until?: string;
    };
    readonly answer: string;
  };

  readonly 'POST /v1/admin/purges': { readonly body: PurgeWish; readonly answer: PurgeReport };

  readonly 'POST /v1/admin/deletions': { readonly body: DeletionWish; readonly answer: DeletionReport };

  readonly 'GET /v1/me': { readonly answer: Me };

  readonly 'GET /v1/maintenance': { readonly answer: Maintenance };

  readonly 'GET /v1/webhooks': { readonly answer: Webhooks };

  readonly 'POST /v1/webhooks': { readonly body: WebhookWish; readonly answer: NewWebhook };

  readonly 'POST /v1/webhooks/{id}/removal': { readonly path: { readonly id: string }; readonly answer: Webhook };

  readonly 'POST /v1/webhooks/{id}/test': { readonly path: { readonly id: string }; readonly answer: WebhookTest };

  readonly 'GET /v1/webhooks/{id}/dead': { readonly path: { readonly id: string }; readonly answer: DeadNotices };

  readonly 'POST /v1/webhooks/{id}/replay': {
    readonly path: { readonly id: string };
    readonly body?: ReplayWish;
    readonly answer: Replayed;
  };

  readonly 'GET /v1/identity': { readonly answer: Identity };

  readonly 'GET /v1/login': { readonly query?: { readonly return_to?: string }; readonly answer: never };

  readonly 'GET /v1/login/callback': { readonly answer: never };

  readonly 'POST /v1/logout': { readonly answer: Logout };

  readonly 'GET /v1/admin/shares': { readonly answer: Shares };

  readonly 'PUT /v1/admin/shares': { readonly body: SharesChange; readonly answer: Shares };

  readonly 'GET /health/live': { readonly answer: Ok };

  readonly 'GET /health/ready': { readonly query?: { readonly strict?: boolean }; readonly answer: Health };

  readonly 'POST /api/v2/decide': { readonly body: DecideBody; readonly answer: DecideAnswer };
}
