import type { CycleRecord, SessionEvent } from '@fleet/contracts';
import type { EventBatch } from './event-batch';
import { pack, unpack } from './pack';

/**
 * What is stored of a cycle: its record, and from its end on the events and moves until then, so that what they share is stored once.
 * One line each; the first is all that a load needs.
 */
export interface CyclePage {
  readonly record: CycleRecord;
  readonly batches: readonly EventBatch[];
  readonly transitions: readonly string[];
}

export const packedRecord = (record: CycleRecord): string | Buffer => pack(JSON.stringify(record));

export const packedPage = ({ record, batches, transitions }: CyclePage): string | Buffer =>
  pack(
    [record, batches.map(({ first, events }) => [first, events]), transitions]
      .map((part) => JSON.stringify(part))
      .join('\n'),
  );

/** As JSON. */
export const recordText = (stored: Buffer): string => unpack(stored).split('\n', 1)[0] ?? '';

/** What happened until the end of the cycle; nothing of one that is under way. */
export const happenedIn = (stored: Buffer): Pick<CyclePage, 'batches' | 'transitions'> => {
  const [, batches = '[]', transitions = '[]'] = unpack(stored).split('\n');
  const pairs = JSON.parse(batches) as readonly (readonly [first: string, events: readonly SessionEvent[]])[];
  return {
    batches: pairs.map(([first, events]) => ({ first, events })),
    transitions: JSON.parse(transitions) as readonly string[],
  };
};
