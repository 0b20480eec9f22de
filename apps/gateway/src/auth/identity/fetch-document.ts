/** Default timeout of a response, in milliseconds. */
const usualTimeoutMs = 5_000;
/** A provider's description and its keys have a few KiB, and so has a user's list of proposals. */
const maxBytes = 512 * 1024;

/** Options of the request. */
export interface FetchManners {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Statuses of a proxy whose upstream is unavailable. */
const awayStatuses: readonly number[] = [502, 503, 504];

/** A response that is not a valid document. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Whether there was a response, but an invalid one. */
export const isBadAnswer = (error: unknown): boolean => error instanceof Error && error.name === 'BadAnswer';

const readJson = (address: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new BadAnswer(`${address} returned invalid JSON`, { cause });
  }
};

/**
 * Fetches a JSON document from a service of the facility. Its content is trusted, but it may be unavailable, slow or
 * large. Redirects are not followed.
 * @throws Error with the reason
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
    if (bytes > maxBytes) throw new BadAnswer(`${address} returned more than ${String(maxBytes)} bytes`);
    pieces.push(piece);
  }
  return readJson(address, Buffer.concat(pieces).toString('utf8'));
};
