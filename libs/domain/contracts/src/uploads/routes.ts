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
      summary: 'What of tus is spoken, and how large a file may be',
      status: 204,
      answerHeaders: {
        ...tus,
        'Tus-Version': '1.0.0',
        'Tus-Extension': 'creation,termination',
        'Tus-Max-Size': 'bytes of the largest file',
      },
      errors: [404],
    },
    begin: {
      method: 'POST',
      path: '/v1/uploads',
      permission: 'upload.write',
      summary: 'Begins the upload of a file, which is then sent in pieces',
      description:
        'tus 1.0 (creation). `Upload-Metadata` says `filename`, `proposal` and, if it is known, `sha256` of the whole file in hex, each in base64. Only to own proposals, and only where the site allows it (`uploads` of `GET /v1/me`).',
      headers: {
        ...version,
        'Upload-Length': { description: 'bytes of the whole file', required: true },
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
      summary: 'From which byte on an upload continues',
      description: '410: it was refused; `GET` says why.',
      headers: version,
      answerHeaders: { ...tus, 'Upload-Offset': 'bytes that are kept', 'Upload-Length': 'bytes of the whole file' },
      errors: [404, 410, 412],
    },
    view: {
      method: 'GET',
      path: '/v1/uploads/{id}',
      permission: 'upload.append',
      summary: 'An upload, and where its file lies when it is complete',
      answer: uploadViewSchema,
      errors: [404],
    },
    append: {
      method: 'PATCH',
      path: '/v1/uploads/{id}',
      permission: 'upload.append',
      summary: 'A piece of an upload; the last one completes it',
      description:
        'What arrives of a piece is kept, however it ends. 409 with `Upload-Offset` where the upload continues at another byte. 423: another request writes to it. With the last byte the file is looked at and gets its name: 422 where its SHA-256 or its format is wrong, 409 `upload.exists` where the name is taken; then nothing of it is kept. 507: there is no room at the moment.',
      headers: { ...version, 'Upload-Offset': { description: 'the byte that it begins with', required: true } },
      rawBody: [chunkType],
      status: 204,
      answerHeaders: { ...tus, 'Upload-Offset': 'bytes that are kept' },
      errors: [404, 409, 410, 412, 422, 423, 507],
    },
    remove: {
      method: 'DELETE',
      path: '/v1/uploads/{id}',
      permission: 'upload.write',
      summary: 'Removes an upload that is not complete, and its outcome',
      description: 'tus 1.0 (termination). 409: it is complete, and its file stays. 423: another request writes to it.',
      headers: version,
      status: 204,
      answerHeaders: tus,
      errors: [404, 409, 412, 423],
    },
  },
});
