import { AsyncLocalStorage } from 'node:async_hooks';

/** The public part of a span in progress. */
export interface SpanHere {
  readonly traceId: string;
  /** W3C trace context. */
  readonly context: string;
  readonly isOpen: boolean;
}

/** The span of the current code. Nothing is stored without tracing, and then reading it costs nothing. */
const around = new AsyncLocalStorage<SpanHere>();

export const withinSpan = <T>(span: SpanHere, work: () => T): T => around.run(span, work);

/** Undefined also in code that a span left running when it ended: a timer, a watch. */
export const spanHere = (): SpanHere | undefined => {
  const span = around.getStore();
  return span?.isOpen === true ? span : undefined;
};

const thrown = new WeakMap<object, string>();

/** An error belongs to the innermost span that it ended first. */
export const noteThrown = (error: unknown, { traceId }: SpanHere): void => {
  if (typeof error === 'object' && error !== null && !thrown.has(error)) thrown.set(error, traceId);
};

/** Trace id of the span in which an error was thrown, for later log messages; undefined: none. */
export const traceIdOfError = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return thrown.get(error) ?? traceIdOfError(error.cause);
};
