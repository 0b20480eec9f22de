import { Fault } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import type { TransportKnowledge } from '@fleet/knowledge-model';
import { documentCleaner } from './clean-document';
import { markerCodec } from './markers';

/** Transports requests and responses (phenix-agent.md#transport). */
export interface Transport {
  /** Cleans a request; returns what the other side will read. */
  cleanRequest(request: JsonValue): JsonValue;
  cleanResponse(response: JsonValue): JsonValue;
  /** A document as text without quotes, braces and newlines. */
  encode(document: JsonValue): string;
  /** @throws Fault `transport.unreadable` when the text is not encoded JSON */
  decode(encoded: string): JsonValue;
}

const parse = (json: string): JsonValue => {
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('transport.unreadable', 'caller', `The encoded text is not JSON: ${reason}`, {
      cause: error,
      problems: [{ field: 'encoded_request', reason: 'is not encoded JSON', allowed: 'JSON with ZZxxZZ markers' }],
    });
  }
};

/** The transport as defined by knowledge/transport.yaml. */
export const buildTransport = (rules: TransportKnowledge): Transport => {
  const codec = markerCodec(rules.markers);
  return {
    cleanRequest: documentCleaner(rules.request, rules, codec),
    cleanResponse: documentCleaner(rules.response, rules, codec),
    encode: (document) => codec.encode(JSON.stringify(document)),
    decode: (encoded) => parse(codec.decode(encoded)),
  };
};
