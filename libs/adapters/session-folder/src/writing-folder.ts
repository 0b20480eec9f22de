import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import {
  storedAssessmentSchema,
  storedLogSummarySchema,
  type StoredAssessment,
  type StoredLogSummary,
} from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import type { Numbered, Writings } from '@fleet/ports';
import type { SessionFolderOptions } from './session-folder';
import { SignedSessionFiles, type SignedKind } from './signed-session-files';

type FolderOptions = Pick<SessionFolderOptions, 'keys' | 'onWarning'>;

const assessments: SignedKind<StoredAssessment> = {
  folder: 'assessments',
  member: 'assessment',
  signedAs: 'phenix-fleet assessment 1',
  schema: storedAssessmentSchema,
};
const logSummaries: SignedKind<StoredLogSummary> = {
  folder: 'log-summaries',
  member: 'summary',
  signedAs: 'phenix-fleet log summary 1',
  schema: storedLogSummarySchema,
};

const digits = (number: number): string => String(number).padStart(3, '0');
/** `001` for a session as a whole, `c003-001` for one of its cycles. */
const nameOf = (number: number, cycle: number | undefined): string =>
  cycle === undefined ? digits(number) : `c${digits(cycle)}-${digits(number)}`;
const form = /^(?:c(\d{3,6})-)?(\d{3,6})\.json$/;
const highest = 999_999;
/** Programs may write any number of files there; only so many are tried. */
const mostTried = 20;
/** Permanent errors: the path is locked, a loop, or not a folder. */
const closed: readonly string[] = ['ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'];

/**
 * Texts that models have written, each in a signed file `assessments/001.json` or `log-summaries/c003-001.json` in the
 * folder of its session.
 */
class WritingFolder<T extends object> implements Writings<T> {
  private readonly files: SignedSessionFiles<T>;
  private readonly onWarning: (message: string) => void;

  constructor(
    workRoot: string,
    private readonly kind: SignedKind<T>,
    options: FolderOptions,
  ) {
    this.files = new SignedSessionFiles<T>(workRoot, kind, options);
    this.onWarning = options.onWarning ?? ((): void => undefined);
  }

  async newest(session: Session, cycle?: number): Promise<Numbered<T> | undefined> {
    for (const number of (await this.numbers(session, cycle)).slice(0, mostTried)) {
      const found = await this.find(session, nameOf(number, cycle));
      if (found !== undefined) return { number, kept: found };
    }
    return undefined;
  }

  async next(session: Session, cycle?: number): Promise<number> {
    const [last = 0] = await this.numbers(session, cycle);
    if (last < highest) return last + 1;
    const path = this.pathOf(session, nameOf(last, cycle));
    throw new Fault(
      'storage.unwritable',
      'conflict',
      `No ${this.kind.member} can be kept after ${path}; move that file away.`,
    );
  }

  async keep(session: Session, { number, kept }: Numbered<T>, cycle?: number): Promise<void> {
    const name = nameOf(number, cycle);
    await this.files.keep(session, name, kept);
    if ((await this.files.find(session, name)) !== undefined) return;
    const path = this.pathOf(session, name);
    throw new Fault('storage.unwritable', 'conflict', `${path} blocks it and does not belong to this installation.`);
  }

  private pathOf(session: Session, name: string): string {
    return join(this.files.folderOf(session), `${name}.json`);
  }

  private async find(session: Session, name: string): Promise<T | undefined> {
    try {
      return await this.files.find(session, name);
    } catch (error) {
      if (!isFault(error) || !closed.includes(errnoOf(error.cause) ?? '')) throw error;
      this.onWarning(error.message);
      return undefined;
    }
  }

  /** Highest first. */
  private async numbers(session: Session, cycle: number | undefined): Promise<readonly number[]> {
    const folder = this.files.folderOf(session);
    try {
      const names = await readdir(folder);
      return names
        .flatMap((name) => {
          const [, ofCycle, number] = form.exec(name) ?? [];
          const isWanted = (ofCycle === undefined ? undefined : Number(ofCycle)) === cycle;
          return isWanted && number !== undefined ? [Number(number)] : [];
        })
        .sort((one, other) => other - one);
    } catch (error) {
      const code = errnoOf(error) ?? '';
      if (code === 'ENOENT') return [];
      const why = `${folder} cannot be read: ${String(error)}`;
      if (!closed.includes(code)) throw new Fault('storage.unreadable', 'transient', why, { cause: error });
      this.onWarning(why);
      return [];
    }
  }
}

/** Assessments of sessions by models. */
export class AssessmentFolder extends WritingFolder<StoredAssessment> {
  /** @param workRoot absolute */
  constructor(workRoot: string, options: FolderOptions = {}) {
    super(workRoot, assessments, options);
  }
}

/** Log summaries of cycles by models. */
export class LogSummaryFolder extends WritingFolder<StoredLogSummary> {
  /** @param workRoot absolute */
  constructor(workRoot: string, options: FolderOptions = {}) {
    super(workRoot, logSummaries, options);
  }
}
