import { matchesOf } from './compile-words';
import type { SentenceParts } from './sentence-parts';
import { overlap, type Span } from './spans';

/** Names with their state behind them: "TLS, NCS and waters off". */
interface State extends Span {
  /** Undefined if it is unclear whether it is that of these names: the first of "TLS, waters off". */
  readonly on: boolean | undefined;
  /** "Turn TLS off", so that a negation before it reverses it. */
  readonly isSwitched: boolean;
}

/** A list of names; before `clearFrom` they may be another part of the sentence. */
interface NameList extends Span {
  readonly clearFrom: number;
}

const joint = /(?:(?<isClear>,? (?:and|or|nor) | ?[/&+] ?)|, ?)(?:the )?$/;
/** "Run phaser, autobuild and ligandfit off": what stands before the first names takes them. */
const takenBefore = /\b(?:run|use|do|try|perform|apply|add|want|need|prefer|no|without|w\/o|skip|avoid) (?:the )?$/;

interface Name extends Span {
  /** Joined to the name before it by more than a comma. */
  readonly isClear: boolean;
}

/** The names of programs and switches that end at a position, without verbs before them. */
const namesBefore = ({ plain, things, verbs }: SentenceParts, end: number): readonly Name[] => {
  const all = things.filter(({ kind }) => kind === 'program' || kind === 'flag');
  const names: Name[] = [];
  let at = end;
  for (let name = all.find((one) => one.end === at); name !== undefined; name = all.find((one) => one.end === at)) {
    const { start } = name;
    if (names.length > 0 && verbs.some((verb) => verb.start === start)) break;
    const joined = joint.exec(plain.slice(0, start));
    names.unshift({ ...name, isClear: joined?.groups?.['isClear'] !== undefined });
    if (joined === null) break;
    at = joined.index;
  }
  return names;
};

/** The list of names that ends at a position. */
export const listBefore = (parts: SentenceParts, end: number): NameList | undefined => {
  const names = namesBefore(parts, end);
  const [first] = names;
  const last = names.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { start } = first;
  if (first === last || !takenBefore.test(parts.plain.slice(0, start)))
    return { start, end, clearFrom: last.isClear ? start : last.start };
  const own = names.findLast(({ isClear }, index) => index > 0 && !isClear) ?? last;
  return { start: own.start, end, clearFrom: own.start };
};

const stateWord =
  /(?<=[ :=])(?:(?<off>off(?! (?:by|from|of)\b)|false|disabled|deactivated)\b|(?<out>out|away)\b(?<=\b(?:keep|leave) [^;]{1,60})|(?<on>on|yes|true|no|enabled)(?= ?(?:[.,;:!?)/|]|$| (?:and|but|or)\b)))/g;
const beforeState = /(?: ?[:=]| (?:is|are|to|(?:should|must|can|to) be))? ?(?:(?:turned|switched|set) (?:to )?)?$/;
const switching = /\b(?:turn|switch|set|put) (?:the )?$/;
const denying = /\b(?:turn|switch|set|put|skip|no|without|w\/o) (?:the )?$/;
const keeping = /\b(?:keep|leave) (?:the |all )?$/;

/** Whether a sentence may contain a state. */
export const mayHaveState = (plain: string): boolean => plain.search(stateWord) >= 0;

/** The list before a state; undefined without one, for an assignment ("tls=False"), and for "out" without "leave". */
const listOf = (parts: SentenceParts, end: number, isOut: boolean): NameList | undefined => {
  const list = listBefore(parts, end);
  if (list === undefined || parts.things.some((thing) => thing.kind === 'assigned' && overlap(thing, list)))
    return undefined;
  return isOut && !keeping.test(parts.plain.slice(0, list.start)) ? undefined : list;
};

const stateIn = (parts: SentenceParts, { index, 0: word, groups }: RegExpExecArray): readonly State[] => {
  const { plain } = parts;
  const between = beforeState.exec(plain.slice(0, index))?.[0] ?? '';
  const list = listOf(parts, index - between.length, groups?.['out'] !== undefined);
  if (list === undefined) return [];
  const { start } = list;
  const on = groups?.['on'] !== undefined && word !== 'no';
  const isSwitched = (on ? denying : switching).test(plain.slice(0, start));
  const clearFrom = /[:=]/.test(between) ? start : list.clearFrom;
  const clear = { start: clearFrom, end: index + word.length, on, isSwitched };
  return clearFrom === start ? [clear] : [clear, { start, end: clearFrom, on: undefined, isSwitched }];
};

/** The states that a sentence gives to programs and switches. */
export const statesIn = (parts: SentenceParts): readonly State[] =>
  matchesOf(stateWord, parts.plain).flatMap((match) => stateIn(parts, match));
