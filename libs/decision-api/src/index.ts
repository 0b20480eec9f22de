/** The v2 decision API (seed 002): schema and transport, a request as a session, a decision as an answer. Pure. */
export { buildTransport, type RoundTrip, type Transport } from './transport/transport';
