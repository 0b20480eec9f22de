import { ApiBody, ApiConsumes, ApiHeader } from '@nestjs/swagger';
import { pieceType } from '../uploads/piece-body';
import { answers } from './answers';

const header = (name: string, description: string, required = true): MethodDecorator =>
  ApiHeader({ name, description, required, schema: { type: 'string' } });

const version = header('Tus-Resumable', '1.0.0');
const told = { 'Tus-Resumable': '1.0.0' } as const;
const offset = { 'Upload-Offset': 'bytes that are kept' } as const;

export const UploadOptionsDocs = (): MethodDecorator =>
  answers({
    summary: 'What of tus is spoken, and how large a file may be',
    status: 204,
    headers: {
      ...told,
      'Tus-Version': '1.0.0',
      'Tus-Extension': 'creation,termination',
      'Tus-Max-Size': 'bytes of the largest file',
    },
    errors: [404],
  });

export const BeginUploadDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Begins the upload of a file, which is then sent in pieces',
      description:
        'tus 1.0 (creation). `Upload-Metadata` says `filename`, `proposal` and, if it is known, `sha256` of the whole file in hex, each in base64. ' +
        'Only to own proposals, and only where the site allows it (`uploads` of `GET /v1/me`).',
      changes: true,
      status: 201,
      schema: 'Upload',
      headers: { ...told, Location: 'the upload' },
      errors: [404, 409, 412],
    },
    version,
    header('Upload-Length', 'bytes of the whole file'),
    header('Upload-Metadata', 'filename BASE64,proposal BASE64,sha256 BASE64'),
  );

export const UploadOffsetDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'From which byte on an upload continues',
      description: '410: it was refused; `GET` says why.',
      status: 200,
      headers: { ...told, ...offset, 'Upload-Length': 'bytes of the whole file' },
      errors: [404, 410, 412],
    },
    version,
  );

export const UploadDocs = (): MethodDecorator =>
  answers({
    summary: 'An upload, and where its file lies when it is complete',
    status: 200,
    schema: 'Upload',
    errors: [404],
  });

export const AppendDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'A piece of an upload; the last one completes it',
      description:
        'What arrives of a piece is kept, however it ends. 409 with `Upload-Offset` where the upload continues at another byte. 423: another request writes to it. ' +
        'With the last byte the file is looked at and gets its name: 422 where its SHA-256 or its format is wrong, 409 `upload.exists` where the name is taken; ' +
        'then nothing of it is kept. 507: there is no room at the moment.',
      changes: true,
      status: 204,
      headers: { ...told, ...offset },
      errors: [404, 409, 410, 412, 422, 423, 507],
    },
    version,
    header('Upload-Offset', 'the byte that it begins with'),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary' } }),
    ApiConsumes(pieceType),
  );

export const RemoveUploadDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Removes an upload that is not complete, and its outcome',
      description: 'tus 1.0 (termination). 409: it is complete, and its file stays. 423: another request writes to it.',
      changes: true,
      status: 204,
      headers: told,
      errors: [404, 409, 412, 423],
    },
    version,
  );
