import { routes } from '@fleet/contracts/routes';
import type { RequestedLigand } from '@fleet/contracts/sessions';
import { collectBody, type ProblemList } from '@fleet/problems';
import { filesOf } from '../request/files-of';

/** What a resume may send, its settings and directives not checked yet. */
export interface Resumption {
  /** Those that are added; not looked into yet. */
  readonly files: readonly string[];
  /** Absent: the advice stays as it is. */
  readonly advice?: string;
  /** Name of the file that the advice was read from. */
  readonly adviceFile?: string;
  /** Absent: they stay as they are; else these replace all of them. */
  readonly ligands?: readonly RequestedLigand[];
  /** Those that change. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absent: the directives stay as they are; else these take the place of all of them, so that `{}` asks for nothing any more. */
  readonly directives?: unknown;
}

/** A request without a body resumes with nothing changed. */
export const readResumption = (body: unknown, problems: ProblemList): Resumption => {
  const {
    settings = {},
    advice,
    advice_file: adviceFile,
    directives,
    ligands,
  } = collectBody(routes.sessionTools.resume, body, problems);
  return {
    files: filesOf(body),
    settings: { ...settings },
    ...(advice !== undefined && { advice }),
    ...(adviceFile !== undefined && { adviceFile }),
    ...(directives !== undefined && { directives }),
    ...(ligands !== undefined && { ligands }),
  };
};
