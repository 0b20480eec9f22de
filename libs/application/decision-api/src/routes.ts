import { declareRoutes } from '@fleet/contracts/route';
import { decideRequestSchema } from './request/read-request';
import { decideResponseSchema } from './response/decide-response';

const referenceTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const encoded = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: 'body in the transport encoding: ZZLBZZ…' } },
  required: [name],
});

/** The v2 decision API. */
export const decisionRoutes = declareRoutes({
  decisions: {
    decide: {
      method: 'POST',
      path: '/api/v2/decide',
      permission: 'decision.make',
      summary: 'Decides the next program for a session that the client stores',
      description: `A PHENIX installation sends its file names, the history and the last log. The response is the next program with its command.
Required fields: \`api_version\` ("2.0"), \`files\` and \`cycle_number\`. Unknown fields are ignored and listed in \`debug.log\`.
\`{"encoded_request": "ZZLBZZ…"}\` returns \`{"encoded_response": "ZZLBZZ…"}\`. Errors of a request are reported in \`error\`
and, field by field, in \`problems\`. The gateway rejects bodies larger than FLEET_MAX_BODY_BYTES with 413 and lists longer than the schema allows with 400.
A language model chooses from the menu if \`settings.provider\` names one that the site has configured; \`metadata.planning\` reports who decided. Such a request may take two minutes.
503 with Retry-After if all decision threads are busy; 422 if a decision takes too much time or memory.`,
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
