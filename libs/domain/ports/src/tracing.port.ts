export const TRACING = Symbol('Tracing');

/** Span names. They are stable: facilities search by them. */
type SpanName =
  | 'http.request'
  | 'batch.row'
  | `step.${'decide' | 'execute' | 'cancel' | 'analyse'}`
  | 'run.launch'
  | 'run.program'
  | 'file.inspection'
  | 'model.request';

/**
 * Attributes of a span: ids, numbers, and words of the program or the rule book. No member can hold a path, a file name, advice or a person,
 * so none can leak.
 */
export interface SpanFacts {
  readonly sessionId?: string;
  readonly cycle?: number;
  readonly attempt?: number;
  readonly program?: string;
  /** Class of nodes. */
  readonly class?: string;
  /** How it ended: of a step, a run or an inspection. */
  readonly outcome?: string;
  /** The name that the site gave a model's target. */
  readonly target?: string;
  readonly method?: string;
  /** The route pattern, with its parameters as names: `/v1/sessions/:id`. */
  readonly address?: string;
  readonly status?: number;
}

export interface SpanStart {
  readonly name: SpanName;
  readonly facts?: SpanFacts;
}

/** Times (ISO 8601) of a finished operation, and a code if it failed. */
export interface SpanEnd {
  readonly from: string;
  readonly to: string;
  readonly failure?: string;
}

/** An open span. */
export interface OpenSpan {
  /** 32 hexadecimal digits; absent: nothing is traced. */
  readonly traceId?: string;
  note(facts: SpanFacts): void;
  /** @param code of a Fault, or another code of the program: never a message, which may name files */
  fail(code: string): void;
  /** Spans that `work` begins are children of this span. */
  within<T>(work: () => T): T;
  end(): void;
}

/** Spans of this process, for operators. Cheap, drops spans rather than delay work, and never throws. */
export interface Tracing {
  /**
   * Begins a trace.
   * @param given trace context from a client: continued if the site is so configured, otherwise linked
   */
  begin(start: SpanStart, given?: string): OpenSpan;
  /**
   * Runs the work in a span. An error ends the span with its code.
   * @param parent trace context of the parent; undefined: no trace, and no span
   */
  during<T>(start: SpanStart, parent: string | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Records a finished operation. @param parent as in `during` */
  tell(start: SpanStart, parent: string | undefined, ended: SpanEnd): void;
  /** Current trace context, to be stored in a record; undefined: nothing is traced. */
  here(): string | undefined;
}

const noSpan: OpenSpan = {
  note: () => undefined,
  fail: () => undefined,
  within: (work) => work(),
  end: () => undefined,
};

/** For processes that collect no spans. */
export const untraced: Tracing = {
  begin: () => noSpan,
  during: (_start, _parent, work) => work(noSpan),
  tell: () => undefined,
  here: () => undefined,
};
