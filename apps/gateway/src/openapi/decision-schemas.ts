import { decideRequestSchema, decideResponseSchema } from '@fleet/decision-api';
import { ref, text } from './json-schema';

const encoded = (name: string): object => ({
  type: 'object',
  properties: { [name]: text('in the encoding of the transport: ZZLBZZ…') },
  required: [name],
});

/** Schemas of POST /api/v2/decide: those that its requests are read with, and their encoded forms. */
export const decisionSchemas: Readonly<Record<string, object>> = {
  DecideRequest: decideRequestSchema,
  DecideResponse: decideResponseSchema,
  DecideBody: { anyOf: [ref('DecideRequest'), encoded('encoded_request')] },
  DecideAnswer: { anyOf: [ref('DecideResponse'), encoded('encoded_response')] },
};
