import type { CycleRecord, StoredEvent } from '@fleet/contracts/sessions';
import { cycleTexts } from '../../texts/session';

/** A word of a command, and its source. */
interface SourcedToken {
  readonly token: string;
  /** Undefined: not recorded, as in other releases. */
  readonly source?: string;
}

const words: Readonly<Record<string, string | undefined>> = cycleTexts.source;

const sourceOf = (recorded: unknown, token: string): string | undefined => {
  if (typeof recorded !== 'object' || recorded === null) return undefined;
  const { token: of, source, detail } = recorded as Readonly<Record<string, unknown>>;
  if (of !== token || typeof source !== 'string' || typeof detail !== 'string') return undefined;
  return `${words[source] ?? source}: ${detail}`;
};

/** The words of a cycle's command with the sources recorded by its decision; sources of another command are ignored. */
export const sourcedTokens = (
  { cycle, decision: { argv } }: { readonly cycle: number; readonly decision: Pick<CycleRecord['decision'], 'argv'> },
  events: readonly (Pick<StoredEvent, 'cycle' | 'type'> & { readonly data: Readonly<Record<string, unknown>> })[],
): readonly SourcedToken[] => {
  const recorded = events.findLast(({ cycle: of, type }) => of === cycle && type === 'command_built')?.data['tokens'];
  return argv.map((token, at) => {
    const source = Array.isArray(recorded) ? sourceOf(recorded[at], token) : undefined;
    return { token, ...(source !== undefined && { source }) };
  });
};
