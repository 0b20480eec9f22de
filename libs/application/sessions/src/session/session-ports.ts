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

/** What the commands of sessions ask of the knowledge base. */
export interface SessionKnowledge {
  /** Every program that the agent may choose, installed or not. */
  readonly programs: readonly string[];
  /**
   * What is wrong with the settings of programs: parameters that none has, and values that are none of their type.
   * @param at path of the settings in the request
   */
  checkSettings(settings: ProgramSettings, at: string): readonly FieldProblem[];
  /**
   * What a text asks for.
   * @param experiment absent: as its words say
   */
  readonly readAdvice: (text: string, experiment?: ExperimentType) => AdviceReading;
  /** What each file is to the agent, and why. */
  categories(files: readonly SessionFile[]): readonly SubmissionReading['files'][number]['categories'][];
  /** The outcome of each submitted file, and why. */
  fileUses(session: Session): readonly FileUse[];
  /**
   * The session in words, as Markdown.
   * @param now milliseconds since the epoch, for times of a session that has not ended
   */
  summary(session: Session, now?: number): string;
}

/** What the commands of sessions work with. */
export interface SessionPorts {
  readonly records: SessionRecords;
  readonly folder: Pick<SessionFolderPort, 'tryFolder' | 'carryFiles'>;
  readonly clock: Clock;
  /** The wake-up only saves time: the store has written down already that a step is due. */
  readonly waker: SessionWaker;
  readonly inspector: FileInspector;
  readonly readableBy: ReadableBy;
  readonly knowledge: SessionKnowledge;
  /** Where the facility says that a proposal is. */
  readonly members: { beamlinesOf(proposal: string): Promise<readonly string[]> };
  /** Whether a proposal or beamline may submit with priority live. */
  readonly shares: { mayBeLive(of: Resource): Promise<boolean> };
  readonly tracing: Pick<Tracing, 'begin' | 'here'>;
  readonly limits: {
    readonly maxFiles: number;
    /** Absolute; sessions are in `<work root>/<proposal>/<id>`. */
    readonly workRoot: string;
    /** Milliseconds after which the sweeper looks after a session whose wake-up was lost. */
    readonly dueInMs: number;
  };
}
