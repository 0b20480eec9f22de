import { readdir } from 'node:fs/promises';
import { errnoOf, Fault, keptAssessmentSchema, type KeptAssessment, type Session } from '@fleet/contracts';
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

/** What models have made of wishes for an assessment, each a signed file `assessments/<number>.json` in the folder of its session. */
export class AssessmentFolder implements Assessments {
  private readonly files: SignedSessionFiles<KeptAssessment>;

  /** @param workRoot absolute */
  constructor(workRoot: string, options: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {}) {
    this.files = new SignedSessionFiles<KeptAssessment>(workRoot, kind, options);
  }

  async newest(session: Session): Promise<NumberedAssessment | undefined> {
    for (const number of await this.numbers(session)) {
      const assessment = await this.files.find(session, nameOf(number));
      if (assessment !== undefined) return { number, assessment };
    }
    return undefined;
  }

  keep(session: Session, { number, assessment }: NumberedAssessment): Promise<void> {
    return this.files.keep(session, nameOf(number), assessment);
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
      const code = errnoOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      throw new Fault('storage.unreadable', 'transient', `${folder} cannot be read: ${String(error)}`, {
        cause: error,
      });
    }
  }
}
