import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, Fault, isFault, keptAssessmentSchema, type KeptAssessment, type Session } from '@fleet/contracts';
import type { Assessments, NumberedAssessment } from '@fleet/ports';
import type { SessionFolderOptions } from './session-folder';
import { SignedSessionFiles } from './signed-session-files';

const kind = {
  folder: 'assessments',
  member: 'assessment',
  signedAs: 'phenix-fleet assessment 1',
  schema: keptAssessmentSchema,
} as const;

const nameOf = (number: number): string => String(number).padStart(3, '0');
const form = /^(\d{3,6})\.json$/;
const highest = 999_999;
/** Programs may write any number of files there; what lies below so many is not looked for. */
const mostTried = 20;
/** What another try meets again: the way there is closed, leads in a circle, or is none. */
const closed: readonly string[] = ['ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'];

/** What models have made of wishes for an assessment, each a signed file `assessments/<number>.json` in the folder of its session. */
export class AssessmentFolder implements Assessments {
  private readonly files: SignedSessionFiles<KeptAssessment>;
  private readonly onWarning: (message: string) => void;

  /** @param workRoot absolute */
  constructor(workRoot: string, options: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {}) {
    this.files = new SignedSessionFiles<KeptAssessment>(workRoot, kind, options);
    this.onWarning = options.onWarning ?? ((): void => undefined);
  }

  async newest(session: Session): Promise<NumberedAssessment | undefined> {
    for (const number of (await this.numbers(session)).slice(0, mostTried)) {
      const assessment = await this.find(session, number);
      if (assessment !== undefined) return { number, assessment };
    }
    return undefined;
  }

  async next(session: Session): Promise<number> {
    const [last = 0] = await this.numbers(session);
    if (last < highest) return last + 1;
    const path = join(this.files.folderOf(session), `${nameOf(last)}.json`);
    throw new Fault('storage.unwritable', 'conflict', `No assessment can be kept after ${path}; move that file away.`);
  }

  async keep(session: Session, { number, assessment }: NumberedAssessment): Promise<void> {
    await this.files.keep(session, nameOf(number), assessment);
    if ((await this.files.find(session, nameOf(number))) !== undefined) return;
    const path = join(this.files.folderOf(session), `${nameOf(number)}.json`);
    throw new Fault('storage.unwritable', 'conflict', `${path} is in the way, and none of this installation.`);
  }

  private async find(session: Session, number: number): Promise<KeptAssessment | undefined> {
    try {
      return await this.files.find(session, nameOf(number));
    } catch (error) {
      if (!isFault(error) || !closed.includes(errnoOf(error.cause) ?? '')) throw error;
      this.onWarning(error.message);
      return undefined;
    }
  }

  /** The highest first. */
  private async numbers(session: Session): Promise<readonly number[]> {
    const folder = this.files.folderOf(session);
    try {
      const names = await readdir(folder);
      return names
        .flatMap((name) => form.exec(name)?.[1] ?? [])
        .map(Number)
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
