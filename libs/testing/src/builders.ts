import { randomBytes } from 'node:crypto';
import { emptyReading } from '@fleet/contracts/guidance';
import { settingDefinitions } from '@fleet/contracts/service';
import type { Guidance } from '@fleet/contracts/guidance';
import type { SessionSettings } from '@fleet/contracts/service';
import type {
  AttemptRecord,
  CycleRecord,
  CycleResult,
  DecisionRecord,
  FileFacts,
  Metric,
  Session,
  SessionEvent,
  SessionFile,
  SessionRequest,
} from '@fleet/contracts/sessions';
import type { Upload } from '@fleet/contracts/uploads';
import type { NewSession } from '@fleet/ports';
import { ulid } from 'ulid';

const AT = '2026-11-21T08:00:00.000Z';

/** A session id in the gateway's format. */
export const anId = (): string => ulid().toLowerCase();

/** The default of every setting. */
export const someSettings = (changes: Partial<SessionSettings> = {}): SessionSettings => ({
  ...(Object.fromEntries(
    Object.entries(settingDefinitions).map(([name, definition]) => [name, definition.default]),
  ) as unknown as SessionSettings),
  ...changes,
});

/** A file; by default with the facts of a text file. */
export const aFile = (
  changes: Partial<Omit<SessionFile, 'facts'>> & { readonly facts?: Partial<FileFacts> } = {},
): SessionFile => ({
  path: '/data/input.txt',
  size: 1000,
  cycle: 0,
  ...changes,
  facts: { format: 'text', ...changes.facts },
});

export const aRequest = (changes: Partial<SessionRequest> = {}): SessionRequest => ({
  title: 'a dataset',
  proposal: 'mx1',
  beamline: 'i04',
  submitter: 'somebody',
  priority: 'standard',
  advice: '',
  settings: someSettings(),
  inputs: [aFile({ path: '/data/data.mtz', facts: { format: 'mtz' } })],
  ...changes,
});

/** A request for one refinement. */
export const aGuidance = (changes: Partial<Guidance> = {}): Guidance => ({
  revision: 1,
  at: AT,
  sources: [{ from: 'text', text: 'refine once' }],
  hash: 'a0'.repeat(32),
  reader: 'rules',
  reading: { ...emptyReading, text: 'refine once', directives: { stop_conditions: { max_refine_cycles: 1 } } },
  overruled: [],
  ...changes,
});

/** A running session that has just been submitted. */
export const aSession = (changes: Partial<Session> = {}): Session => {
  const id = changes.id ?? anId();
  return {
    id,
    status: 'running',
    stage: 'deciding',
    cycle: 1,
    attempt: 1,
    version: 1,
    wakeUps: 0,
    folder: `/work/mx1/${id}`,
    createdAt: AT,
    updatedAt: AT,
    request: aRequest(),
    cycles: [],
    ...changes,
  };
};

/** The input of `SessionRecords.create` for that session. */
export const aNewSession = (changes: Partial<NewSession> = {}): NewSession => {
  const { id, folder, request, createdAt } = aSession(changes.id === undefined ? {} : { id: changes.id });
  return { id, folder, request, createdAt, ...changes };
};

export const aDecision = (changes: Partial<DecisionRecord> = {}): DecisionRecord => ({
  program: 'phenix.refine',
  argv: ['phenix.refine', '/data/model.pdb', '/data/data.mtz'],
  reasoning: 'the model is placed and not refined yet',
  experimentType: 'xray',
  workflowState: 'xray_has_model',
  step: 'refine',
  inputs: [
    { slot: 'model', path: '/data/model.pdb' },
    { slot: 'data_mtz', path: '/data/data.mtz' },
  ],
  strategy: {},
  validPrograms: ['phenix.refine'],
  notOffered: [],
  decidedBy: 'rules',
  confidence: 'high',
  decidedAt: AT,
  ...changes,
});

/** An attempt that ended by itself with exit code 0. */
export const anAttempt = (changes: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt: 1,
  backend: 'local',
  provider: 'open-phenix',
  programVersion: 'Servalcat 0.4.142',
  startedAt: AT,
  ending: {
    kind: 'exited',
    exitCode: 0,
    message: 'ended with exit code 0',
    infrastructure: false,
    endedAt: AT,
    durationMs: 1000,
  },
  ...changes,
});

export const aMetric = (name: string, value: Metric['value']): Metric => ({ name, value, line: 1, pattern: name });

/** @param metrics name to value */
export const aResult = (
  changes: Partial<Omit<CycleResult, 'metrics'>> & {
    readonly metrics?: Readonly<Record<string, Metric['value']>>;
  } = {},
): CycleResult => ({
  outcome: 'success',
  summary: 'it worked',
  outputs: [],
  errorLines: [],
  analysedAt: AT,
  ...changes,
  metrics: Object.entries(changes.metrics ?? {}).map(([name, value]) => aMetric(name, value)),
});

/** A decided, executed and analysed cycle. */
export const aCycle = (changes: Partial<CycleRecord> = {}): CycleRecord => ({
  cycle: 1,
  decision: aDecision(),
  attempts: [anAttempt()],
  result: aResult({ metrics: { r_work: 0.24, r_free: 0.28 } }),
  ...changes,
});

export const anEvent = (changes: Partial<SessionEvent> = {}): SessionEvent => ({
  type: 'debug',
  cycle: 1,
  at: AT,
  message: 'something happened',
  data: {},
  ...changes,
});

/** An upload without any bytes. */
export const anUpload = (more: Partial<Upload> = {}): Upload => ({
  id: randomBytes(16).toString('hex'),
  proposal: `mx${randomBytes(4).toString('hex')}`,
  name: 'data.mtz',
  size: 100,
  offset: 0,
  state: 'receiving',
  expiresAt: '2026-11-25T00:00:00.000Z',
  version: 0,
  by: 'ada',
  file: '',
  writing: false,
  ...more,
});
