import type { SessionEvent, StoredEvent } from '@fleet/contracts';
import { pack, unpack } from './pack';

/** Events of one move: the first has this id, each of the others the number after it. */
export interface EventBatch {
  readonly first: string;
  readonly events: readonly SessionEvent[];
}

/** An entry of a stream as Redis gives it: the id of the last event of a batch, and the batch. */
export type StreamEntry = readonly [id: Buffer, fields: readonly Buffer[]];

/** As it is stored under the id of its last event. */
export const packedEvents = (events: readonly SessionEvent[]): string | Buffer => pack(JSON.stringify(events));

export const batchOf = ([id, [, stored]]: StreamEntry): EventBatch => {
  const events = JSON.parse(unpack(stored ?? Buffer.from('[]'))) as readonly SessionEvent[];
  const [time, number] = partsOf(id.toString());
  return { first: `${time}-${String(number - events.length + 1)}`, events };
};

export const storedEvents = ({ first, events }: EventBatch): readonly StoredEvent[] => {
  const [time, number] = partsOf(first);
  return events.map((event, index) => ({ ...event, id: `${time}-${String(number + index)}` }));
};

/** Id of the last event; undefined of an empty batch. */
export const lastIdOf = (batch: EventBatch): string | undefined => storedEvents(batch).at(-1)?.id;

/** Id of the first event after `last`, in a millisecond of its own unless the clock stands or goes back. */
export const firstIdAfter = (last: string | undefined, nowMs: number): string => {
  const [time, number] = partsOf(last ?? '0-0');
  return nowMs > Number(time) ? `${String(nowMs)}-0` : `${time}-${String(number + 1)}`;
};

const partsOf = (id: string): readonly [time: string, number: number] => {
  const [time = '0', number = '0'] = id.split('-');
  return [time, Number(number)];
};
