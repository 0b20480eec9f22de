import { isDeepStrictEqual } from 'node:util';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import { guidanceOf, ligandText, type GuidedSession, type JsonValue, type Session } from '@fleet/contracts/sessions';

/** Directives for an event: they came as JSON. */
const asJson = (directives: SessionDirectives | undefined): JsonValue =>
  directives === undefined ? {} : (JSON.parse(JSON.stringify(directives)) as JsonValue);

/** A session before or after a change. */
export type GuidedState = GuidedSession & Pick<Session, 'createdAt'>;

/** Everything that a user may change, by name. */
const instructionsOf = (session: GuidedState): readonly (readonly [string, JsonValue])[] => {
  const { sources, directives } = guidanceOf(session);
  return [
    ['advice', sources.map(({ text }) => text).join('\n\n')],
    ['directives', asJson(directives)],
    ['ligands', (session.request.ligands ?? []).map(ligandText)],
    ...Object.entries<JsonValue>({ ...session.request.settings }),
  ];
};

/** Changed advice, directives and settings, with their old and new values. */
export const changesOf = (before: GuidedState, after: GuidedState): Readonly<Record<string, JsonValue>> => {
  const old = new Map(instructionsOf(before));
  const now = instructionsOf(after);
  const changed = now.filter(([name, value]) => !isDeepStrictEqual(old.get(name), value));
  return Object.fromEntries(changed.map(([name, value]) => [name, { before: old.get(name) ?? null, after: value }]));
};

/** The changes in words: ` with LIG.cif and other advice, max_cycles`. */
export const changesText = (added: readonly string[], names: readonly string[]): string => {
  const parts = [
    ...(added.length === 0 ? [] : [added.join(', ')]),
    ...(names.length === 0 ? [] : [`other ${names.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
};
