/**
 * The v2 decision API (phenix-agent.md#requests-and-responses): schema and transport, conversion of requests to sessions and of decisions to
 * responses. Pure.
 */
export { buildDecisionApi, type DecisionApi, type ModelsOfSite } from './decision-api';
export { decideRequestSchema } from './request/read-request';
export { decisionRoutes } from './routes';
export { decideResponseSchema, type DecideResponse } from './response/decide-response';
export { buildTransport, type Transport } from './transport/transport';
