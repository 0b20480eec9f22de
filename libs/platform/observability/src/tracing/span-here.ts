import { AsyncLocalStorage } from 'node:async_hooks';

/** A span that has not ended, as far as others have to know it. */
export interface SpanHere {
  readonly traceId: string;
  /** W3C trace context. */
  readonly context: string;
  readonly isOpen: boolean;
}

/** The span in which the present code runs. Nothing enters it where nothing is traced, and then looking costs nothing. */
const around = new AsyncLocalStorage<SpanHere>();

export const withinSpan = <T>(span: SpanHere, work: () => T): T => around.run(span, work);

/** Undefined also of what a span has left behind when it ended: a timer, a watch. */
export const spanHere = (): SpanHere | undefined => {
  const span = around.getStore();
  return span?.isOpen === true ? span : undefined;
};

const thrown = new WeakMap<object, string>();

/** An error leaves the innermost span that it ended first. */
export const noteThrown = (error: unknown, { traceId }: SpanHere): void => {
  if (typeof error === 'object' && error !== null && !thrown.has(error)) thrown.set(error, traceId);
};

/** Id of the trace in which an error was thrown, for whoever logs it afterwards; undefined: in none. */
export const traceIdOfError = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return thrown.get(error) ?? traceIdOfError(error.cause);
};
