import { sessionIdPattern } from '@fleet/contracts';
import type { Trust } from '@fleet/recovery';
import { membersOf } from '../session-tools/read-tool-body';
import { isRecord } from '../submission/submission-body';
import { shown, type ProblemList } from '../submission/problem-list';

/** What a recovery may be asked. */
export interface RecoveryBody {
  readonly trust?: Trust['digests'];
  readonly by?: string;
}

/** Entries of one request. */
const mostTrusted = 10_000;
const longestName = 200;
const digestForm = /^[0-9a-f]{32}$/;
/** No line breaks, no control characters. */
const oneLine = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;

const readDigests = (value: unknown, problems: ProblemList): Trust['digests'] => {
  const allowed = 'the digests of an earlier answer by session id, at most 10000';
  if (!isRecord(value)) {
    problems.add('field.type', 'trust', `must be an object, not ${shown(value)}`, allowed);
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > mostTrusted)
    problems.add('field.too_long', 'trust', `has ${String(entries.length)} entries`, allowed);
  const wrong = entries.find(
    ([id, digest]) => !sessionIdPattern.test(id) || typeof digest !== 'string' || !digestForm.test(digest),
  );
  if (wrong !== undefined)
    problems.add('field.value', `trust.${wrong[0].slice(0, 64)}`, `${shown(wrong[1])} is not usable`, allowed);
  return value as Trust['digests'];
};

const readName = (value: unknown, problems: ProblemList): string => {
  const allowed = `who trusts these files: one line of text, at most ${String(longestName)} characters`;
  if (value === undefined) problems.add('field.missing', 'by', 'is missing', allowed);
  else if (typeof value !== 'string') problems.add('field.type', 'by', `must be text, not ${shown(value)}`, allowed);
  else if (value.trim() === '' || value.length > longestName || !oneLine.test(value))
    problems.add('field.value', 'by', `${shown(value)} is not usable`, allowed);
  return typeof value === 'string' ? value.trim() : '';
};

/** What somebody trusts, and who; undefined where nothing is. Whatever is wrong goes to `problems`. */
export const readRecoveryBody = (body: unknown, problems: ProblemList): Trust | undefined => {
  const { trust, by } = membersOf(body ?? {}, ['trust', 'by'], problems);
  if (trust === undefined || trust === null) {
    if (by !== undefined) problems.add('field.value', 'by', 'is given without trust', 'trust and by together');
    return undefined;
  }
  return { digests: readDigests(trust, problems), by: readName(by, problems) };
};
