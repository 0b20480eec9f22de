import type { SpanContext } from '@opentelemetry/api';

/** Flag bit of a sampled trace. */
const sampled = 1;
const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Converts a `traceparent` for OpenTelemetry; undefined if it is invalid, or its ids are all zeros, which W3C forbids.
 */
export const spanContextOf = (traceparent: string | undefined): SpanContext | undefined => {
  const [, traceId = '', spanId = '', flags = ''] = form.exec(traceparent ?? '') ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampled, isRemote: true };
};

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
