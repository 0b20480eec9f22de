import { dirname } from 'node:path';
import {
  currentCycle,
  Fault,
  isEnded,
  isFault,
  type AttemptEnding,
  type BackendName,
  type CycleRecord,
  type ProgramCatalogue,
  type Session,
  type SessionHead,
  type SessionStop,
  type StepPayload,
  type StepResult,
} from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { ProgramLogFormat } from '@fleet/log-parsing';
import { isoTime, type Clock, type SessionFolderPort, type SessionStore, type Transition } from '@fleet/ports';
import type { SessionKeeper } from '@fleet/recovery';
import { fitOf } from '@fleet/session-report';
import { shouldStopAfter } from '@fleet/workflow';
import { analysisEvents, type AnalysedRun } from './analysis-events';
import { judgeRun } from './judge-run';
import { readLogFile, unwantedCode } from './log-file';
import { withOriginalNames } from './original-names';
import type { OutputCollector } from './output-collector';
import { outputRank } from './output-rank';

/** When the sweeper looks after a session whose next step was just made due, in milliseconds. */
const stepDueMs = 30_000;
/** Most time for one log, in milliseconds; 1 GiB takes some ten seconds. */
const logMs = 120_000;
/** Milliseconds between looks at whether the session was cancelled. */
const wantedMs = 1_000;

export interface AnalyseDependencies {
  readonly store: SessionStore;
  readonly folder: SessionFolderPort;
  readonly clock: Clock;
  readonly ruleBook: RuleBook;
  /** The backend whose programs the next decision may choose from. */
  readonly backend: BackendName;
  readonly outputs: OutputCollector;
  readonly keeper: SessionKeeper;
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Most that is read of a log, in bytes: what its program may write. */
  readonly maxLogBytes: number;
}

/** A cycle whose program has ended: what analysis starts from. */
interface EndedRun {
  readonly cycle: CycleRecord;
  readonly ending: AttemptEnding;
}

const endedRunOf = (session: Session): EndedRun => {
  const cycle = currentCycle(session);
  const ending = cycle?.attempts.find(({ attempt }) => attempt === session.attempt)?.ending;
  if (cycle !== undefined && ending !== undefined) return { cycle, ending };
  const place = `cycle ${session.cycle}, attempt ${session.attempt}`;
  throw new Fault('analyse.no_ending', 'bug', `${session.id} analyses ${place}, which has not ended`);
};

/**
 * The step of stage `analysing`: reads the log and the files of the cycle's run, judges it, and moves the session to its next
 * decision or to its end. Stop conditions are asked here and nowhere else.
 */
export class AnalyseCycle {
  private readonly formats: ReadonlyMap<string, ProgramLogFormat>;

  /** @throws Fault `knowledge.bad_pattern` */
  constructor(private readonly deps: AnalyseDependencies) {
    const programs = Object.values(deps.ruleBook.programs);
    this.formats = new Map(programs.map(({ name, metrics }) => [name, new ProgramLogFormat(name, metrics)]));
  }

  /**
   * Repeating it changes nothing: the move is fenced by the version that the step was made for.
   * @throws Fault `programs.not_published` (transient) while no executor has said what is installed
   */
  async run({ sessionId, sessionVersion }: Pick<StepPayload, 'sessionId' | 'sessionVersion'>): Promise<StepResult> {
    const session = await this.deps.store.load(sessionId);
    // A retried step may find that the record ended but its files were not written.
    if (session !== undefined && isEnded(session.status)) await this.deps.keeper.keep(sessionId);
    const due = session?.status === 'running' && session.stage === 'analysing' && session.version === sessionVersion;
    if (!due) return { outcome: 'stale' };
    const catalogue = await this.installedPrograms();
    try {
      return await this.move(await this.analyse(session, catalogue));
    } catch (error) {
      // Cancelled meanwhile, or judged by another worker.
      if (isFault(error) && error.code === unwantedCode) return { outcome: 'stale' };
      throw error;
    }
  }

  private async analyse(session: Session, catalogue: ProgramCatalogue): Promise<Transition> {
    const { ruleBook, clock } = this.deps;
    const { cycle, ending } = endedRunOf(session);
    const { evidence, warnings } = await this.evidenceOf(session, cycle, ending);
    const result = withOriginalNames(judgeRun(cycle, evidence, ruleBook, isoTime(clock)), session, cycle);
    const cycleRecord = { ...cycle, result };
    const cycles = session.cycles.map((record) => (record.cycle === cycle.cycle ? cycleRecord : record));
    const stop = this.stopOf({ ...session, cycles }, catalogue);
    const run: AnalysedRun = { session, cycle, result, warnings, stop };
    return {
      sessionId: session.id,
      fromVersion: session.version,
      to: stop === undefined ? { stage: 'deciding', cycle: session.cycle + 1, attempt: 1 } : { ended: stop },
      cycleRecord,
      fit: fitOf({ ...session, cycles }, ruleBook) ?? 'none',
      events: analysisEvents(run, ruleBook),
      dueInMs: stepDueMs,
    };
  }

  private async evidenceOf(
    session: Session,
    cycle: CycleRecord,
    ending: AttemptEnding,
  ): Promise<{ evidence: Parameters<typeof judgeRun>[1]; warnings: readonly string[] }> {
    const { program } = cycle.decision;
    const logPath = this.deps.folder.logPath(session, cycle, session.attempt);
    const format = this.formats.get(program) ?? new ProgramLogFormat(program, []);
    const isUnwanted = this.unwantedCheck(session);
    const bounds = { maxBytes: this.deps.maxLogBytes, maxMs: logMs, isUnwanted };
    const { reading, cuts } = await readLogFile(session.folder, logPath, format.open(), bounds);
    const { files, warnings, leftOut } = await this.deps.outputs.collect(dirname(logPath), {
      origin: { cycle: cycle.cycle, program },
      rank: outputRank(this.deps.ruleBook, program),
      isUnwanted,
    });
    return { evidence: { ending, reading, files, leftOut: [...cuts, ...leftOut] }, warnings };
  }

  /** Asks the store, at most once a second, whether the session is where it was when this step began. */
  private unwantedCheck({ id, version }: Session): () => Promise<boolean> {
    let nextAt = performance.now() + wantedMs;
    return async () => {
      if (performance.now() < nextAt) return false;
      const head = await this.deps.store.loadHead(id);
      nextAt = performance.now() + wantedMs;
      return head?.version !== version;
    };
  }

  /** A session whose own contents contradict each other can never go on: it ends, and says why. */
  private stopOf(session: Session, catalogue: ProgramCatalogue): SessionStop | undefined {
    try {
      return shouldStopAfter({ session, ruleBook: this.deps.ruleBook, catalogue });
    } catch (error) {
      if (!isFault(error) || error.kind !== 'caller') throw error;
      return { reason: 'error', detail: error.message, afterCycle: session.cycle };
    }
  }

  private async installedPrograms(): Promise<ProgramCatalogue> {
    const catalogue = await this.deps.store.programs(this.deps.backend);
    if (catalogue !== undefined) return catalogue;
    const why = `no executor of the backend "${this.deps.backend}" has said yet which programs it has`;
    throw new Fault('programs.not_published', 'transient', why);
  }

  /** The record first, then whoever is next, then the files: see `SessionKeeper.keep` for a crash in between. */
  private async move(transition: Transition): Promise<StepResult> {
    const { store, keeper, wake } = this.deps;
    const result = await store.advance(transition);
    if (!result.applied) return { outcome: 'stale' };
    if (!isEnded(result.head.status)) await wake(result.head);
    await keeper.keep(transition.sessionId);
    return { outcome: 'advanced' };
  }
}
