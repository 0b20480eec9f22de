import type { UploadCalls } from './file-sending';
import { api, isFailure } from '../api/calls';

/** What the page that uploads asks of the API: version 1.0 of the protocol of tus. */

const version = { 'tus-resumable': '1.0.0' } as const;

/** A value as the protocol has it: the bytes of UTF-8 in base64. */
const quoted = (value: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(value)));

export const uploadCalls: UploadCalls = {
  find: (id, signal) => api.json('GET /v1/uploads/{id}', { path: { id } }, { signal }),
  begin: ({ size, ...told }, signal) => {
    const metadata = Object.entries(told).map(([name, value]) => `${name} ${quoted(value)}`);
    const headers = { ...version, 'upload-length': String(size), 'upload-metadata': metadata.join(',') };
    return api.json('POST /v1/uploads', {}, { headers, signal });
  },
  send: async (id, offset, content, signal) => {
    const headers = { ...version, 'upload-offset': String(offset) };
    const raw = { type: 'application/offset+octet-stream', content } as const;
    const answer = await api.open('PATCH /v1/uploads/{id}', { path: { id }, raw }, { headers, signal });
    return Number(answer.headers.get('upload-offset'));
  },
};

/** Has the gateway forget what it has of an upload; one that it does not know any more is as good as forgotten. */
export const removeUpload = async (id: string): Promise<void> => {
  try {
    await api.open('DELETE /v1/uploads/{id}', { path: { id } }, { headers: version });
  } catch (error) {
    if (!isFailure(error, 404)) throw error;
  }
};
