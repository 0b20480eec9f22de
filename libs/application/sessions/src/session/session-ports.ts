import type { Resource } from '@fleet/access';
import type { FieldProblem } from '@fleet/contracts/faults';
import type { AdviceReading, ProgramSettings } from '@fleet/contracts/guidance';
import type { ExperimentType, FileUse, Session, SessionFile } from '@fleet/contracts/sessions';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import type {
  Clock,
  FileInspector,
  ReadableBy,
  SessionFolderPort,
  SessionRecords,
  SessionWaker,
  Tracing,
} from '@fleet/ports';

/** The knowledge base as the commands of sessions use it. */
export interface SessionKnowledge {
  /** Every program that the agent may choose, installed or not. */
  readonly programs: readonly string[];
  /**
   * Problems in the settings of programs: unknown parameters, and values of the wrong type.
   * @param at path of the settings in the request
   */
  checkSettings(settings: ProgramSettings, at: string): readonly FieldProblem[];
  /**
   * Reads the requests in a text.
   * @param experiment absent: derived from the text
   */
  readonly readAdvice: (text: string, experiment?: ExperimentType) => AdviceReading;
  /** The categories of each file, with the reason. */
  categories(files: readonly SessionFile[]): readonly SubmissionReading['files'][number]['categories'][];
  /** How the session uses each submitted file, with the reason. */
  fileUses(session: Session): readonly FileUse[];
  /**
   * A summary of the session in Markdown.
   * @param now milliseconds since the epoch, for the duration of a running session
   */
  summary(session: Session, now?: number): string;
}

/** Dependencies of the commands of sessions. */
export interface SessionPorts {
  readonly records: SessionRecords;
  readonly folder: Pick<SessionFolderPort, 'tryFolder' | 'carryFiles'>;
  readonly clock: Clock;
  /** Only saves time: the store has already recorded that a step is due. */
  readonly waker: SessionWaker;
  readonly inspector: FileInspector;
  readonly readableBy: ReadableBy;
  readonly knowledge: SessionKnowledge;
  /** Beamlines of a proposal according to the facility. */
  readonly members: { beamlinesOf(proposal: string): Promise<readonly string[]> };
  /** Whether a proposal or beamline may submit with priority live. */
  readonly shares: { mayBeLive(of: Resource): Promise<boolean> };
  readonly tracing: Pick<Tracing, 'begin' | 'here'>;
  readonly limits: {
    readonly maxFiles: number;
    /** Absolute; sessions are in `<work root>/<proposal>/<id>`. */
    readonly workRoot: string;
    /** Milliseconds after which the sweeper checks a session whose wake-up was lost. */
    readonly dueInMs: number;
  };
}
