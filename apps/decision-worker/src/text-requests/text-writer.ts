import { isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { isoTime, type Clock, type TextRequest, type Writings } from '@fleet/ports';

/** What differs between kinds of texts. */
interface WriterParts<T extends { readonly writtenAt: string }> {
  readonly writings: Pick<Writings<T>, 'newest' | 'keep'>;
  readonly clock: Clock;
  /** Undefined: there is nothing to write about. @throws Fault (transient) if it must be retried */
  readonly make: (session: Session, request: TextRequest) => Promise<Omit<T, 'writtenAt'> | undefined>;
  /** Stored if a bug prevented the text. */
  readonly unmade: (session: Session, request: TextRequest, failed: Unmade) => Omit<T, 'writtenAt'>;
}

interface Unmade {
  readonly failed: 'error';
  readonly why: string;
}

type Tell = (message: string, error: unknown) => void;

/** Writes one kind of text. */
export interface TextWriter {
  /**
   * @param tell called with bugs, and with texts that cannot be stored @throws Fault (transient) if it must be retried
   */
  write(session: Session, request: TextRequest, tell: Tell): Promise<void>;
}

const failed: Unmade = { failed: 'error', why: 'The service failed; see its log.' };

/** Lets a model write texts of a kind, and stores each once, whichever worker answers the request. */
export const textWriter = <T extends { readonly writtenAt: string }>({
  writings,
  clock,
  make,
  unmade,
}: WriterParts<T>): TextWriter => {
  /** A bug is reported with the session: a retry would end the same way. @throws Fault (transient) */
  const madeOf = async (
    session: Session,
    request: TextRequest,
    tell: Tell,
  ): Promise<Omit<T, 'writtenAt'> | undefined> => {
    try {
      return await make(session, request);
    } catch (error) {
      if (isTransient(error)) throw error;
      tell('a text by a model failed', error);
      return unmade(session, request, failed);
    }
  };
  return {
    write: async (session, request, tell) => {
      const { number, cycle } = request;
      const newest = await writings.newest(session, cycle);
      // Written by a worker that died before it could complete the request.
      if (newest !== undefined && newest.number >= number) return;
      const made = await madeOf(session, request, tell);
      if (made === undefined) return;
      try {
        // All of T except the time of writing.
        const stored = { ...made, writtenAt: isoTime(clock) } as unknown as T;
        await writings.keep(session, { number, kept: stored }, cycle);
      } catch (error) {
        // A retry would pay again: if this cannot be stored, no reply can.
        tell('a text by a model could not be stored', error);
      }
    },
  };
};
