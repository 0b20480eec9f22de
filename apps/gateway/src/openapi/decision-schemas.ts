import { decideRequestSchema, decideResponseSchema } from '@fleet/decision-api';
import { referenceTo } from './components';

const encoded = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: 'in the encoding of the transport: ZZLBZZ…' } },
  required: [name],
});

/** Schemas of POST /api/v2/decide: those that its requests are read with, and their encoded forms. */
export const decisionSchemas: Readonly<Record<string, object>> = {
  DecideRequest: decideRequestSchema,
  DecideResponse: decideResponseSchema,
  DecideBody: { anyOf: [referenceTo('DecideRequest'), encoded('encoded_request')] },
  DecideAnswer: { anyOf: [referenceTo('DecideResponse'), encoded('encoded_response')] },
};
