import { declareRoutes } from '../route/route';
import { chunkType, uploadViewSchema } from './uploads';

const tus = { 'Tus-Resumable': '1.0.0' } as const;
const version = { 'Tus-Resumable': { description: '1.0.0', required: true } } as const;

export const uploadsRoutes = declareRoutes({
  uploads: {
    options: {
      method: 'OPTIONS',
      path: '/v1/uploads',
      permission: 'service.read',
      summary: 'Supported tus version and extensions, and maximum file size',
      status: 204,
      answerHeaders: {
        ...tus,
        'Tus-Version': '1.0.0',
        'Tus-Extension': 'creation,termination',
        'Tus-Max-Size': 'maximum file size in bytes',
      },
      errors: [404],
    },
    begin: {
      method: 'POST',
      path: '/v1/uploads',
      permission: 'upload.write',
      summary: 'Creates an upload; the file is then sent in chunks',
      description:
        "tus 1.0 (creation). `Upload-Metadata` contains `filename`, `proposal` and optionally `sha256` (SHA-256 of the whole file in hex), each encoded in base64. Allowed for the caller's proposals if the site allows uploads (`uploads` in `GET /v1/me`).",
      headers: {
        ...version,
        'Upload-Length': { description: 'file size in bytes', required: true },
        'Upload-Metadata': { description: 'filename BASE64,proposal BASE64,sha256 BASE64', required: true },
      },
      status: 201,
      answer: uploadViewSchema,
      answerHeaders: { ...tus, Location: 'the upload' },
      errors: [404, 409, 412],
    },
    offset: {
      method: 'HEAD',
      path: '/v1/uploads/{id}',
      permission: 'upload.append',
      summary: 'Current offset of an upload',
      description: '410: the upload was refused; `GET` returns the reason.',
      headers: version,
      answerHeaders: { ...tus, 'Upload-Offset': 'number of bytes received', 'Upload-Length': 'file size in bytes' },
      errors: [404, 410, 412],
    },
    view: {
      method: 'GET',
      path: '/v1/uploads/{id}',
      permission: 'upload.append',
      summary: 'State of an upload, and the path of its file when complete',
      answer: uploadViewSchema,
      errors: [404],
    },
    append: {
      method: 'PATCH',
      path: '/v1/uploads/{id}',
      permission: 'upload.append',
      summary: 'Appends a chunk to an upload; the last chunk completes it',
      description:
        'Received bytes are kept even if the request is interrupted. 409: wrong offset; `Upload-Offset` has the right one. 423: another request writes to the upload. The last byte triggers the inspection: 422 if the SHA-256 or the format is wrong, 409 `upload.exists` if the name is in use; the upload is then removed. 507: no space left at the moment.',
      headers: {
        ...version,
        'Upload-Offset': { description: 'offset of the first byte of the chunk', required: true },
      },
      rawBody: [chunkType],
      status: 204,
      answerHeaders: { ...tus, 'Upload-Offset': 'number of bytes received' },
      errors: [404, 409, 410, 412, 422, 423, 507],
    },
    remove: {
      method: 'DELETE',
      path: '/v1/uploads/{id}',
      permission: 'upload.write',
      summary: 'Removes an incomplete upload',
      description:
        'tus 1.0 (termination). 409: the upload is complete, and its file is kept. 423: another request writes to it.',
      headers: version,
      status: 204,
      answerHeaders: tus,
      errors: [404, 409, 412, 423],
    },
  },
});
