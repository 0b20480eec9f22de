import { isDeepStrictEqual } from 'node:util';
import { Fault } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import type { TransportKnowledge } from '@fleet/knowledge-model';
import { documentCleaner } from './clean-document';
import { markerCodec } from './markers';

/** The result of encoding and decoding a document. */
interface RoundTrip {
  readonly intact: boolean;
  /** One sentence. */
  readonly message: string;
  /** Characters of the encoded text. */
  readonly encodedLength: number;
}

/** Transports requests and responses (phenix-agent.md#transport). */
export interface Transport {
  /** Cleans a request; returns what the other side will read. */
  cleanRequest(request: JsonValue): JsonValue;
  cleanResponse(response: JsonValue): JsonValue;
  /** A document as text without quotes, braces and newlines. */
  encode(document: JsonValue): string;
  /** @throws Fault `transport.unreadable` when the text is not encoded JSON */
  decode(encoded: string): JsonValue;
  /** Whether a cleaned request survives encoding and decoding. */
  verifyRoundTrip(request: JsonValue): RoundTrip;
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
  const cleanRequest = documentCleaner(rules.request, rules, codec);
  const encode = (document: JsonValue): string => codec.encode(JSON.stringify(document));
  const decode = (encoded: string): JsonValue => parse(codec.decode(encoded));
  return {
    cleanRequest,
    cleanResponse: documentCleaner(rules.response, rules, codec),
    encode,
    decode,
    verifyRoundTrip: (request) => {
      const sent = cleanRequest(request);
      const encoded = encode(sent);
      // Compared as documents, because the order of members is irrelevant.
      const intact = isDeepStrictEqual(decode(encoded), JSON.parse(JSON.stringify(sent)));
      return {
        intact,
        encodedLength: encoded.length,
        message: intact ? 'The request arrives as it was sent.' : 'The request changes on its way.',
      };
    },
  };
};
