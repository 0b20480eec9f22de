import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { UploadView } from '@fleet/contracts/uploads';
import { CliError, isCliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { GatewayClient } from './gateway-client';

const version = { 'tus-resumable': '1.0.0' } as const;
/** Bytes per chunk. */
const chunkBytes = 8 * 1024 * 1024;
/** Delay of the next try in milliseconds: the first, and the longest. Each is twice the previous one. */
const retryMs = { first: 500, longest: 15_000 } as const;
/** Milliseconds without progress until the upload fails. */
const patienceMs = 10 * 60 * 1000;
/** Errors after which a retry may succeed, elsewhere or later. */
const passing: readonly unknown[] = ['upload.busy', 'upload.wrong_offset'];

/** An existing readable file. */
interface LocalFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
}

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
};

const metadataOf = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`)
    .join(',');

const begin = async (client: GatewayClient, { path, size }: LocalFile, proposal: string): Promise<UploadView> => {
  // Some systems use another Unicode normal form for names.
  const metadata = { filename: basename(path).normalize('NFC'), proposal, sha256: await sha256Of(path) };
  const headers = { ...version, 'upload-length': String(size), 'upload-metadata': metadataOf(metadata) };
  return client.json('POST /v1/uploads', {}, { headers });
};

const chunkOf = async ({ path, handle, size }: LocalFile, offset: number): Promise<Buffer<ArrayBuffer>> => {
  const buffer = Buffer.alloc(Math.min(chunkBytes, size - offset));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  if (bytesRead > 0) return buffer.subarray(0, bytesRead);
  throw new CliError(exitCodes.usage, `${path} became shorter during the upload.`);
};

/** Sends chunks until the upload is complete or one fails. */
const sendChunks = async (client: GatewayClient, file: LocalFile, { id, offset: from }: UploadView): Promise<void> => {
  for (let offset = from; offset < file.size;) {
    const raw = { type: 'application/offset+octet-stream', content: await chunkOf(file, offset) } as const;
    const headers = { ...version, 'upload-offset': String(offset) };
    const answer = await client.open('PATCH /v1/uploads/{id}', { path: { id }, raw }, { headers });
    offset = Number(answer.headers.get('upload-offset'));
  }
};

const mayPass = (error: unknown): error is CliError =>
  isCliError(error) && (error.exitCode === exitCodes.server || passing.includes(error.document['code']));

/** The current state of the upload; undefined if unknown. */
const uploadNow = async (client: GatewayClient, id: string): Promise<UploadView | undefined> => {
  try {
    return await client.json('GET /v1/uploads/{id}', { path: { id } });
  } catch (error) {
    if (mayPass(error)) return undefined;
    throw error;
  }
};

/** A transient error of sending chunks; undefined: there was none. */
const troubleOf = async (client: GatewayClient, file: LocalFile, upload: UploadView): Promise<CliError | undefined> => {
  try {
    await sendChunks(client, file, upload);
    return undefined;
  } catch (error) {
    if (mayPass(error)) return error;
    throw error;
  }
};

const sendAll = async (client: GatewayClient, file: LocalFile, begun: UploadView): Promise<UploadView> => {
  let upload = begun;
  let since = performance.now();
  let waitMs: number = retryMs.first;
  while (upload.state === 'receiving') {
    const trouble = await troubleOf(client, file, upload);
    if (trouble !== undefined) {
      if (performance.now() - since > patienceMs) throw trouble;
      await pause(waitMs, undefined, { signal: client.interrupted });
      waitMs = Math.min(2 * waitMs, retryMs.longest);
    }
    const now = (await uploadNow(client, upload.id)) ?? upload;
    if (now.offset > upload.offset) {
      since = performance.now();
      waitMs = retryMs.first;
    }
    upload = now;
  }
  if (upload.state === 'complete') return upload;
  throw new CliError(exitCodes.refused, upload.problem ?? 'The gateway refused the upload.');
};

/**
 * Uploads a file, and resumes by itself after a broken connection or a short outage of the gateway.
 * @throws CliError with the exit code
 */
export const sendUpload = async (client: GatewayClient, path: string, proposal: string): Promise<UploadView> => {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new CliError(exitCodes.usage, `${path} is not a file.`);
    if (stats.size === 0) throw new CliError(exitCodes.usage, `${path} is empty.`);
    const file = { path, handle, size: stats.size };
    return await sendAll(client, file, await begin(client, file, proposal));
  } finally {
    await handle.close();
  }
};
