import { declareRoutes } from '@fleet/contracts/route';
import { decideRequestSchema } from './request/read-request';
import { decideResponseSchema } from './response/response-schema';

const referenceTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const encoded = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: 'in the encoding of the transport: ZZLBZZ…' } },
  required: [name],
});

/** The v2 decision API. */
export const decisionRoutes = declareRoutes({
  decisions: {
    decide: {
      method: 'POST',
      path: '/api/v2/decide',
      permission: 'decision.make',
      summary: 'Decides the next program for a session that is kept elsewhere',
      description: `What a PHENIX installation asks: given its files (names), the history and the last log, what is the next program?
Required are \`api_version\` ("2.0"), \`files\` and \`cycle_number\`; unknown fields are ignored and named in \`debug.log\`.
\`{"encoded_request": "ZZLBZZ…"}\` is answered by \`{"encoded_response": "ZZLBZZ…"}\`. Errors of a request are reported in \`error\`
and, field by field, in \`problems\`. Bodies above the limit of the gateway (FLEET_MAX_BODY_BYTES) are refused with 413, lists above the bounds of the schema with 400.
Models choose within the menu where \`settings.provider\` names some that the site has for it; \`metadata.planning\` says who decided. Such a request may take two minutes.
Decisions are made in a pool of threads: 503 with Retry-After when all are busy, 422 when a decision takes too much time or memory.`,
      body: { title: 'DecideBody' },
      examples: [{ api_version: '2.0', files: ['data.mtz', 'model.pdb'], cycle_number: 1 }],
      answer: { title: 'DecideAnswer' },
      otherAnswers: {
        400: { description: 'not a v2 request: `error` and `problems` say why', answer: { title: 'DecideAnswer' } },
      },
      errors: [422],
      components: {
        DecideRequest: decideRequestSchema,
        DecideResponse: decideResponseSchema,
        DecideBody: { anyOf: [referenceTo('DecideRequest'), encoded('encoded_request')] },
        DecideAnswer: { anyOf: [referenceTo('DecideResponse'), encoded('encoded_response')] },
      },
    },
  },
});
