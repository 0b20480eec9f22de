import { cycleRemovalOf, resumptionSchema, type CycleRemoval } from '@fleet/contracts';
import type { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { filesOf } from '../submission/submission-body';

/** What a resume may send, its settings and directives not checked yet. */
export interface ResumeBody {
  /** Those that are added; not looked into yet. */
  readonly files: readonly string[];
  /** Absent: the advice stays as it is. */
  readonly advice?: string;
  /** Name of the file that the advice was read from. */
  readonly adviceFile?: string;
  /** Those that change. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absent: the directives stay as they are; else these take the place of all of them, so that `{}` asks for nothing any more. */
  readonly directives?: unknown;
}

/** A request without a body resumes with nothing changed. */
export const readResumeBody = (body: unknown, problems: ProblemList): ResumeBody => {
  const {
    settings = {},
    advice,
    advice_file: adviceFile,
    directives,
  } = readBody(resumptionSchema, body ?? {}, problems);
  return {
    files: filesOf(body),
    settings: { ...settings },
    ...(advice !== undefined && { advice }),
    ...(adviceFile !== undefined && { adviceFile }),
    ...(directives !== undefined && { directives }),
  };
};

/** @param most how many cycles there are */
export const readRemoveLastCyclesBody = (body: unknown, most: number, problems: ProblemList): CycleRemoval => {
  const { count = 0 } = readBody(cycleRemovalOf(most), body, problems);
  return { count };
};
