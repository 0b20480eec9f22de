/** Milliseconds that a provider may take for one answer. */
const timeoutMs = 5_000;
/** A provider's description and its keys have a few KiB. */
const maxBytes = 512 * 1024;

/**
 * A JSON document of the provider, which is trusted to say who somebody is, but not to be there, to be quick or to be small.
 * @throws Error that says what stands in the way
 */
export const fetchDocument = async (address: string): Promise<unknown> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`${address} answered ${String(answer.status)}`);
  const body: AsyncIterable<Uint8Array> | null = answer.body;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`${address} answered with more than ${String(maxBytes)} bytes`);
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
};
