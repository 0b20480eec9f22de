import { routes } from '@fleet/contracts/routes';
import type { RequestedLigand } from '@fleet/contracts/sessions';
import { collectBody, type ProblemList } from '@fleet/problems';
import { filesOf } from '../request/files-of';

/** The body of a resume; settings and directives are not validated yet. */
export interface Resumption {
  /** Added files; not inspected yet. */
  readonly files: readonly string[];
  /** Absent: the advice stays. */
  readonly advice?: string;
  /** Name of the file from which the advice was read. */
  readonly adviceFile?: string;
  /** Replaces all ligands; absent: they stay. */
  readonly ligands?: readonly RequestedLigand[];
  /** Changed settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Replaces all directives, so that `{}` removes them; absent: they stay. */
  readonly directives?: unknown;
}

/** A resume without a body changes nothing. */
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
