/** Milliseconds that whoever is asked may take for one answer. */
const usualTimeoutMs = 5_000;
/** A provider's description and its keys have a few KiB, and so have somebody's proposals. */
const maxBytes = 512 * 1024;

/** How it is asked for. */
export interface FetchManners {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Statuses by which a proxy says that whoever was asked is away. */
const awayStatuses: readonly number[] = [502, 503, 504];

/** An answer that is not a document. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Whether there was an answer, and it was not what it has to be. */
export const isBadAnswer = (error: unknown): boolean => error instanceof Error && error.name === 'BadAnswer';

const readJson = (address: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new BadAnswer(`${address} answered with what is not JSON`, { cause });
  }
};

/**
 * A JSON document of a service of the facility, which is trusted to say what it says, but not to be there, to be quick or to be small. No
 * redirect is followed.
 * @throws Error that says what stands in the way
 */
export const fetchDocument = async (
  address: string,
  { headers = {}, timeoutMs = usualTimeoutMs }: FetchManners = {},
): Promise<unknown> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(address, {
    signal,
    redirect: 'manual',
    headers: { accept: 'application/json', ...headers },
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    const what = `${address} answered ${String(answer.status)}`;
    throw awayStatuses.includes(answer.status) ? new Error(what) : new BadAnswer(what);
  }
  const body: AsyncIterable<Uint8Array> | null = answer.body;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new BadAnswer(`${address} answered with more than ${String(maxBytes)} bytes`);
    pieces.push(piece);
  }
  return readJson(address, Buffer.concat(pieces).toString('utf8'));
};
