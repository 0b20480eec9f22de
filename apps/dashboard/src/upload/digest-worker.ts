import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DigestAnswer, DigestRequest } from './digest-messages';

/** Bytes read at once. */
const readBytes = 4 * 1024 * 1024;

const answer = (message: DigestAnswer): void => postMessage(message);

/** Runs in a worker. The browser's own digest needs the whole file in memory, and a page served over TLS. */
const digest = async (file: File): Promise<string> => {
  const sum = sha256.create();
  for (let at = 0; at < file.size; at += readBytes) {
    sum.update(new Uint8Array(await file.slice(at, at + readBytes).arrayBuffer()));
    answer({ done: Math.min(file.size, at + readBytes) });
  }
  return bytesToHex(sum.digest());
};

addEventListener('message', ({ data }: MessageEvent<DigestRequest>) => {
  digest(data.file).then(
    (hex) => answer({ sha256: hex }),
    (error: unknown) => answer({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
