import { ApiHeader, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { answers } from './answers';

export const FileDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Downloads a file that a cycle made, or that was submitted (cycle 0)',
      description:
        'A submitted file is served once a program of the session has done its work with it, whose account may read it, and as it was accepted: 409 `file.changed` says how it differs from that one.',
      status: 200,
      media: 'application/octet-stream',
      headers: { 'Accept-Ranges': 'bytes', ETag: 'for If-Range' },
      errors: [404, 409, 410, 416],
    },
    ApiParam({
      name: 'path',
      description: 'the name that results gives, with slashes; of a submitted file its path without the first slash',
      schema: { type: 'string' },
    }),
    ApiHeader({ name: 'Range', required: false, description: 'bytes=FROM-TO: a part of it (206)' }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description: 'the ETag: a part only of the file that it belongs to',
    }),
    ApiResponse({ status: 206, description: 'the part that was asked for' }),
  );

export const ArchiveDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Downloads files of a session in one archive (ZIP)',
      description:
        'Each file lies under its cycle, beside `summary.md`; `SHA256SUMS` has their checksums, and `MISSING.txt`, where there is one, names what ' +
        'cannot be read any more. It is written while it is read: an archive that was cut off has no end, and no program opens it.',
      status: 200,
      media: 'application/zip',
      errors: [404, 409, 410],
    },
    ApiQuery({
      name: 'which',
      required: false,
      description: 'results, by default: the best files; all: every output of every cycle',
      schema: { type: 'string', enum: ['results', 'all'] },
    }),
  );
