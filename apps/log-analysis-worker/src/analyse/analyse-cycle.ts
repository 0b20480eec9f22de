import { dirname } from 'node:path';
import { Fault, isFault } from '@fleet/contracts/faults';
import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';
import {
  currentCycle,
  type AttemptEnding,
  type CycleRecord,
  type Session,
  type SessionStop,
} from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { ProgramLogFormat } from '@fleet/log-parsing';
import { isoTime, type Clock, type ProgramCatalogues, type SessionFolderPort, type SessionRecords } from '@fleet/ports';
import { fitOf, ligandOf } from '@fleet/session-summary';
import { endSession, installedPrograms, wantedMs, type Move, type Next, type SessionStep } from '@fleet/steps';
import { shouldStopAfter } from '@fleet/workflow';
import { analysisEvents, type AnalysedRun } from './analysis-events';
import { judgeRun } from './judge-run';
import { readLogFile, unwantedCode } from './log-file';
import { withOriginalNames } from './original-names';
import type { OutputCollector } from './output-collector';
import { outputRank } from './output-rank';

/** Time limit for one log, in milliseconds; 1 GiB takes some ten seconds. */
const logMs = 120_000;

export interface AnalyseDependencies {
  readonly records: Pick<SessionRecords, 'loadHead'>;
  readonly catalogues: Pick<ProgramCatalogues, 'of'>;
  readonly folder: SessionFolderPort;
  readonly clock: Clock;
  readonly ruleBook: RuleBook;
  /** The backend whose programs the next decision can choose. */
  readonly backend: BackendName;
  readonly outputs: OutputCollector;
  /** Maximum bytes read of a log: what its program may write. */
  readonly maxLogBytes: number;
}

/** A cycle whose program has ended: the input of the analysis. */
interface EndedRun {
  readonly cycle: CycleRecord;
  readonly ending: AttemptEnding;
}

const endedRunOf = (session: Session): EndedRun => {
  const cycle = currentCycle(session);
  const ending = cycle?.attempts.find(({ attempt }) => attempt === session.attempt)?.ending;
  if (cycle !== undefined && ending !== undefined) return { cycle, ending };
  const attemptText = `cycle ${session.cycle}, attempt ${session.attempt}`;
  throw new Fault('analyse.no_ending', 'bug', `${session.id} analyses ${attemptText}, which has not ended`);
};

const cyclesWith = (session: Session, changed: CycleRecord): readonly CycleRecord[] =>
  session.cycles.map((record) => (record.cycle === changed.cycle ? changed : record));

/**
 * The step of stage `analysing`: reads the log and the files of the cycle's run, judges it, and moves the session to
 * its next decision or to its end. Only this step checks stop conditions.
 */
export class AnalyseCycle implements SessionStep {
  readonly job = 'analyse';
  readonly followsGuidance = true;
  private readonly formats: ReadonlyMap<string, ProgramLogFormat>;

  /** @throws Fault `knowledge.bad_pattern` */
  constructor(private readonly deps: AnalyseDependencies) {
    const { programs, errors } = deps.ruleBook;
    this.formats = new Map(
      Object.values(programs).map((program) => [program.name, new ProgramLogFormat(program, errors)]),
    );
  }

  /** @throws Fault `programs.not_published` (transient) until an executor has published the installed programs */
  async work(session: Session): Promise<Next> {
    const catalogue = await installedPrograms(this.deps.catalogues, this.deps.backend);
    try {
      return await this.analyse(session, catalogue);
    } catch (error) {
      // Cancelled meanwhile, or judged by another worker.
      if (isFault(error) && error.code === unwantedCode) return 'stale';
      throw error;
    }
  }

  private async analyse(session: Session, catalogue: ProgramCatalogue): Promise<Move> {
    const { ruleBook, clock } = this.deps;
    const { cycle, ending } = endedRunOf(session);
    const { evidence, warnings } = await this.evidenceOf(session, cycle, ending);
    const judged = withOriginalNames(judgeRun(cycle, evidence, ruleBook, isoTime(clock)), session, cycle);
    const after = { ...session, cycles: cyclesWith(session, { ...cycle, result: judged }) };
    const [fit, ligand] = [fitOf(after, ruleBook), ligandOf(after, ruleBook)];
    const result = { ...judged, ...(fit !== undefined && { fit }), ...(ligand !== undefined && { ligand }) };
    const cycleRecord = { ...cycle, result };
    const cycles = cyclesWith(session, cycleRecord);
    const stop = this.stopOf({ ...session, cycles }, catalogue);
    const run: AnalysedRun = { session, cycle, result, warnings, stop };
    const events = analysisEvents(run, ruleBook);
    const goesOn = { to: { stage: 'deciding', cycle: session.cycle + 1, attempt: 1 }, events } as const;
    const next = stop === undefined ? goesOn : endSession(session, stop, result.analysedAt, events);
    return { ...next, cycleRecord };
  }

  private async evidenceOf(
    session: Session,
    cycle: CycleRecord,
    ending: AttemptEnding,
  ): Promise<{ evidence: Parameters<typeof judgeRun>[1]; warnings: readonly string[] }> {
    const { program } = cycle.decision;
    const logPath = this.deps.folder.logPath(session, cycle, session.attempt);
    const format =
      this.formats.get(program) ?? new ProgramLogFormat({ name: program, metrics: [] }, this.deps.ruleBook.errors);
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

  /** Checks in the records, at most once per `wantedMs`, whether the session is unchanged since this step began. */
  private unwantedCheck({ id, version }: Session): () => Promise<boolean> {
    let nextAt = performance.now() + wantedMs;
    return async () => {
      if (performance.now() < nextAt) return false;
      const head = await this.deps.records.loadHead(id);
      nextAt = performance.now() + wantedMs;
      return head?.version !== version;
    };
  }

  /** A session with contradictory content can never continue: it ends, with the reason. */
  private stopOf(session: Session, catalogue: ProgramCatalogue): SessionStop | undefined {
    try {
      return shouldStopAfter({ session, ruleBook: this.deps.ruleBook, catalogue });
    } catch (error) {
      if (!isFault(error) || error.kind !== 'caller') throw error;
      return { reason: 'error', detail: error.message, afterCycle: session.cycle };
    }
  }
}
