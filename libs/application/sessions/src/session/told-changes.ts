import { isDeepStrictEqual } from 'node:util';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import { guidanceOf, ligandText, type GuidedSession, type JsonValue, type Session } from '@fleet/contracts/sessions';

/** Directives as an event tells them: they came as JSON. */
const asJson = (directives: SessionDirectives | undefined): JsonValue =>
  directives === undefined ? {} : (JSON.parse(JSON.stringify(directives)) as JsonValue);

/** A session as it is, or as it is to be. */
export type Told = GuidedSession & Pick<Session, 'createdAt'>;

/** What somebody may change, by name. */
const instructionsOf = (session: Told): readonly (readonly [string, JsonValue])[] => {
  const { sources, directives } = guidanceOf(session);
  return [
    ['advice', sources.map(({ text }) => text).join('\n\n')],
    ['directives', asJson(directives)],
    ['ligands', (session.request.ligands ?? []).map(ligandText)],
    ...Object.entries<JsonValue>({ ...session.request.settings }),
  ];
};

/** Advice, directives and settings that differ, with what they were. */
export const changesOf = (before: Told, after: Told): Readonly<Record<string, JsonValue>> => {
  const old = new Map(instructionsOf(before));
  const now = instructionsOf(after);
  const changed = now.filter(([name, value]) => !isDeepStrictEqual(old.get(name), value));
  return Object.fromEntries(changed.map(([name, value]) => [name, { before: old.get(name) ?? null, after: value }]));
};

/** What is new, in words: ` with LIG.cif and other advice, max_cycles`. */
export const newsText = (added: readonly string[], names: readonly string[]): string => {
  const parts = [
    ...(added.length === 0 ? [] : [added.join(', ')]),
    ...(names.length === 0 ? [] : [`other ${names.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
};
