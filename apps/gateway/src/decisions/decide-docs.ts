import { ApiBody, ApiResponse } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { answers } from '../openapi/answers';

const about = `What a PHENIX installation asks: given its files (names), the history and the last log, what is the next program?
Required are \`api_version\` ("2.0"), \`files\` and \`cycle_number\`; unknown fields are ignored and named in \`debug.log\`.
\`{"encoded_request": "ZZLBZZ…"}\` is answered by \`{"encoded_response": "ZZLBZZ…"}\`. Errors of a request are reported in \`error\`
and, field by field, in \`problems\`. Bodies above the limit of the gateway (FLEET_MAX_BODY_BYTES) are refused with 413, lists above the bounds of the schema with 400.
Models choose within the menu where \`settings.provider\` names some that the site has for it; \`metadata.planning\` says who decided. Such a request may take two minutes.
Decisions are made in a pool of threads: 503 with Retry-After when all are busy, 422 when a decision takes too much time or memory.`;

/** Describes POST /api/v2/decide. */
export const DecideDocs = (): MethodDecorator =>
  applyDecorators(
    answers({
      summary: 'Decides the next program for a session that is kept elsewhere',
      description: about,
      changes: true,
      status: 200,
      schema: 'DecideAnswer',
      errors: [422],
    }),
    ApiBody({ schema: { $ref: '#/components/schemas/DecideBody' } }),
    ApiResponse({
      status: 400,
      description: 'not a v2 request: `error` and `problems` say why',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/DecideAnswer' } } },
    }),
  );
