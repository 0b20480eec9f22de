import { isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { isoTime, type Clock, type ModelWish, type Writings } from '@fleet/ports';

/** What models are asked for one kind of text. */
interface WriterParts<T extends { readonly writtenAt: string }> {
  readonly writings: Pick<Writings<T>, 'newest' | 'keep'>;
  readonly clock: Clock;
  /** Undefined: there is nothing to write of. @throws Fault (transient) where it is tried again */
  readonly make: (session: Session, wish: ModelWish) => Promise<Omit<T, 'writtenAt'> | undefined>;
  /** What is kept where a bug kept it from being written. */
  readonly unmade: (session: Session, wish: ModelWish, failed: Unmade) => Omit<T, 'writtenAt'>;
}

interface Unmade {
  readonly failed: 'error';
  readonly why: string;
}

type Tell = (message: string, error: unknown) => void;

/** Has one kind of text written. */
export interface WishWriter {
  /** @param tell hears of bugs, and of what cannot be kept @throws Fault (transient) where it is tried again */
  write(session: Session, wish: ModelWish, tell: Tell): Promise<void>;
}

const failed: Unmade = { failed: 'error', why: 'The service failed; its log says more.' };

/** Has texts of a kind written, and keeps each: once, whoever answers the wish. */
export const wishWriter = <T extends { readonly writtenAt: string }>({
  writings,
  clock,
  make,
  unmade,
}: WriterParts<T>): WishWriter => {
  /** A bug is reported with the session: another try would end as this one. @throws Fault (transient) */
  const madeOf = async (session: Session, wish: ModelWish, tell: Tell): Promise<Omit<T, 'writtenAt'> | undefined> => {
    try {
      return await make(session, wish);
    } catch (error) {
      if (isTransient(error)) throw error;
      tell('what a model was to write failed', error);
      return unmade(session, wish, failed);
    }
  };
  return {
    write: async (session, wish, tell) => {
      const { number, cycle } = wish;
      const newest = await writings.newest(session, cycle);
      // Written by a worker that has died before it could say so.
      if (newest !== undefined && newest.number >= number) return;
      const made = await madeOf(session, wish, tell);
      if (made === undefined) return;
      try {
        // All of T but when it was written.
        const stored = { ...made, writtenAt: isoTime(clock) } as unknown as T;
        await writings.keep(session, { number, kept: stored }, cycle);
      } catch (error) {
        // Another try would pay again: where this cannot be kept, no reply can.
        tell('what a model wrote cannot be kept', error);
      }
    },
  };
};
