import type { UploadCalls } from './file-sending';
import { api, isFailure } from '../api/calls';

/** API calls of uploads: tus protocol 1.0. */

const version = { 'tus-resumable': '1.0.0' } as const;

/** A value in the protocol's form: UTF-8 bytes in base64. */
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

/** Deletes an upload at the gateway; an unknown one counts as deleted. */
export const removeUpload = async (id: string): Promise<void> => {
  try {
    await api.open('DELETE /v1/uploads/{id}', { path: { id } }, { headers: version });
  } catch (error) {
    if (!isFailure(error, 404)) throw error;
  }
};
