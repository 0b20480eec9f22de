import type { CycleRecord, StoredEvent } from '@fleet/contracts';
import { texts } from '../texts';

/** A word of a command, and where it comes from. */
interface SourcedToken {
  readonly token: string;
  /** Undefined: nothing says so, as in records of other releases. */
  readonly source?: string;
}

const words: Readonly<Record<string, string | undefined>> = texts.cycle.source;

const sourceOf = (told: unknown, token: string): string | undefined => {
  if (typeof told !== 'object' || told === null) return undefined;
  const { token: of, source, detail } = told as Readonly<Record<string, unknown>>;
  if (of !== token || typeof source !== 'string' || typeof detail !== 'string') return undefined;
  return `${words[source] ?? source}: ${detail}`;
};

/** The words of a cycle's command with what its decision told of each; what is told of another command counts for nothing. */
export const sourcedTokens = (
  { cycle, decision: { argv } }: { readonly cycle: number; readonly decision: Pick<CycleRecord['decision'], 'argv'> },
  events: readonly (Pick<StoredEvent, 'cycle' | 'type'> & { readonly data: Readonly<Record<string, unknown>> })[],
): readonly SourcedToken[] => {
  const told = events.findLast(({ cycle: of, type }) => of === cycle && type === 'command_built')?.data['tokens'];
  return argv.map((token, at) => {
    const source = Array.isArray(told) ? sourceOf(told[at], token) : undefined;
    return { token, ...(source !== undefined && { source }) };
  });
};
