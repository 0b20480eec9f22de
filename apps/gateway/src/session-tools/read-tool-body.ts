import { shown, type ProblemList } from '../submission/problem-list';
import { isRecord, readFiles, readSettingsObject, readText } from '../submission/submission-body';

/** What a resume may send, its settings and directives not checked yet. */
export interface ResumeBody {
  /** Those that are added; not looked into yet. */
  readonly files: readonly string[];
  /** Absent: the advice stays as it is. */
  readonly advice?: string;
  /** Those that change. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absent: the directives stay as they are; else these take the place of all of them, so that `{}` asks for nothing any more. */
  readonly directives?: unknown;
}

export interface RemoveLastCyclesBody {
  readonly count: number;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a body; none, and a problem, where it is no object or holds others than these. */
export const membersOf = (body: unknown, names: readonly string[], problems: ProblemList): Members => {
  if (!isRecord(body)) {
    problems.add('field.type', 'body', `must be a JSON object, not ${shown(body)}`);
    return {};
  }
  for (const name of Object.keys(body).filter((key) => !names.includes(key))) {
    problems.addUnknown('field.unknown', name, 'is not a field of this request', name, names);
  }
  return body;
};

/** A request without a body resumes with nothing changed. */
export const readResumeBody = (body: unknown, problems: ProblemList): ResumeBody => {
  const members = membersOf(body ?? {}, ['files', 'advice', 'settings', 'directives'], problems);
  const isGiven = (name: string): boolean => members[name] !== undefined && members[name] !== null;
  return {
    files: isGiven('files') ? readFiles(members.files, problems) : [],
    settings: readSettingsObject(members.settings, problems),
    ...(isGiven('advice') && { advice: readText(members, 'advice', problems) }),
    ...(isGiven('directives') && { directives: members.directives }),
  };
};

/** @param most how many cycles there are */
export const readRemoveLastCyclesBody = (body: unknown, most: number, problems: ProblemList): RemoveLastCyclesBody => {
  const { count } = membersOf(body, ['count'], problems);
  const allowed = most === 0 ? 'nothing, for the session has no cycles' : `a whole number from 1 to ${String(most)}`;
  if (count === undefined) problems.add('field.missing', 'count', 'is missing', allowed);
  else if (typeof count !== 'number' || !Number.isInteger(count))
    problems.add('field.type', 'count', `must be a whole number, not ${shown(count)}`, allowed);
  else if (count < 1 || count > most) problems.add('field.value', 'count', `${shown(count)} is not allowed`, allowed);
  return { count: typeof count === 'number' ? count : 0 };
};
