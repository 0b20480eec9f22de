import { launchModes, type LaunchState } from '@fleet/contracts';
import { membersOf } from '../session-tools/read-tool-body';
import { shown, type ProblemList } from '../submission/problem-list';

/** What is said about launches. */
export type LaunchBody = Omit<LaunchState, 'since'>;

const fields: readonly (keyof LaunchBody)[] = ['mode', 'reason', 'by'];
/** Characters; both are shown to everybody who waits. */
const longest = { reason: 500, by: 200 } as const;
/** No line breaks, no control characters. */
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

const readLine = (value: unknown, name: 'reason' | 'by', problems: ProblemList): string => {
  const allowed = `one line of text, at most ${String(longest[name])} characters`;
  const text = value ?? '';
  if (typeof text === 'string' && text.length <= longest[name] && oneLine.test(text)) return text.trim();
  problems.add(typeof text === 'string' ? 'field.value' : 'field.type', name, `${shown(text)} is not usable`, allowed);
  return '';
};

/** Whatever is wrong goes to `problems`; the result is then to be thrown away. */
export const readLaunchBody = (body: unknown, problems: ProblemList): LaunchBody => {
  const members = membersOf(body, fields, problems);
  const mode = launchModes.find((one) => one === members.mode);
  if (mode === undefined) {
    const [code, reason] =
      members.mode === undefined
        ? (['field.missing', 'is missing'] as const)
        : (['field.value', `${shown(members.mode)} is not allowed`] as const);
    problems.add(code, 'mode', reason, launchModes.join(', '));
  }
  return {
    mode: mode ?? 'open',
    reason: readLine(members.reason, 'reason', problems),
    by: readLine(members.by, 'by', problems),
  };
};
