import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { once } from 'node:events';
import type { UploadView } from '@fleet/contracts/uploads';

export const sha256Of = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const version = { 'tus-resumable': '1.0.0' } as const;
const metadataOf = (said: Readonly<Record<string, string>>): string =>
  Object.entries(said)
    .map(([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`)
    .join(',');

/** Headers that begin an upload. */
export const creationHeaders = (said: Readonly<Record<string, string>>, size: number): Record<string, string> => ({
  ...version,
  'upload-length': String(size),
  'upload-metadata': metadataOf(said),
});

/** Headers of a chunk. */
const chunkHeaders = (offset: number): Record<string, string> => ({
  ...version,
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

/** A client of uploads that knows no more than the protocol. */
export class UploadClient {
  /** @param key headers that say who asks */
  constructor(
    readonly url: string,
    private readonly key: Readonly<Record<string, string>> = {},
  ) {}

  begin(said: Readonly<Record<string, string>>, size: number): Promise<Response> {
    return this.ask('POST', '', creationHeaders(said, size));
  }

  /** Begins one that the gateway accepts; gives its id. */
  async begun(said: Readonly<Record<string, string>>, size: number): Promise<string> {
    const answer = await this.begin(said, size);
    if (answer.status !== 201) throw new Error(await answer.text());
    return answer.headers.get('location')?.split('/').at(-1) ?? '';
  }

  async offset(id: string): Promise<number> {
    return Number((await this.ask('HEAD', `/${id}`, version)).headers.get('upload-offset') ?? Number.NaN);
  }

  async view(id: string): Promise<UploadView> {
    return (await (await this.ask('GET', `/${id}`)).json()) as UploadView;
  }

  chunk(id: string, offset: number, body: string | Buffer): Promise<Response> {
    return this.ask('PATCH', `/${id}`, chunkHeaders(offset), body);
  }

  remove(id: string): Promise<Response> {
    return this.ask('DELETE', `/${id}`, version);
  }

  /** Sends some of a chunk and no more; the connection stays open until `cut`. */
  async part(id: string, offset: number, bytes: Buffer, announced = bytes.length + 1): Promise<{ cut: () => void }> {
    const headers = { ...this.key, ...chunkHeaders(offset), 'content-length': announced };
    const sent = request(`${this.url}/v1/uploads/${id}`, { method: 'PATCH', headers });
    // It is cut in the end, by this side or the other.
    sent.on('error', () => undefined);
    if (!sent.write(bytes)) await once(sent, 'drain');
    return {
      cut: () => {
        sent.destroy();
      },
    };
  }

  private ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<Response> {
    return fetch(`${this.url}/v1/uploads${path}`, {
      method,
      headers: { ...this.key, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
  }
}
