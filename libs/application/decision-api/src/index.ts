/**
 * The v2 decision API (phenix-agent.md#requests-and-responses): schema and transport, conversion of requests to sessions and of decisions to
 * responses. Pure.
 */
export {
  buildDecisionApi,
  type Decider,
  type DecisionApi,
  type DecisionApiParts,
  type ModelsOfSite,
} from './decision-api';
export { apiVersion, type DecideRequest } from './request/decide-request';
export { decideRequestSchema } from './request/read-request';
export { decideResponseSchema } from './response/response-schema';
export { decisionRoutes } from './routes';
export { asDocument, type DecideResponse } from './response/decide-response';
export type { KnownFacts } from './session/client-files';
export { buildTransport, type RoundTrip, type Transport } from './transport/transport';
