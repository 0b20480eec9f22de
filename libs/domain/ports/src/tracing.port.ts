export const TRACING = Symbol('Tracing');

/** What takes a while and is shown as a span. Wire names: facilities search by them. */
export type SpanName =
  | 'http.request'
  | 'batch.row'
  | `step.${'decide' | 'execute' | 'cancel' | 'analyse'}`
  | 'run.launch'
  | 'run.program'
  | 'file.inspection'
  | 'model.request';

/**
 * What a span may say: ids, numbers, and words out of the program or the rule book. There is no member for a path, a file's name, advice or a
 * person, so that none can get in.
 */
export interface SpanFacts {
  readonly sessionId?: string;
  readonly cycle?: number;
  readonly attempt?: number;
  readonly program?: string;
  /** Kind of node. */
  readonly class?: string;
  /** How it ended: of a step, a run or an inspection. */
  readonly outcome?: string;
  /** Of a model: the name that the site gave its target. */
  readonly target?: string;
  readonly method?: string;
  /** The pattern of the address, with its parameters as names: `/v1/sessions/:id`. */
  readonly address?: string;
  readonly status?: number;
}

export interface SpanStart {
  readonly name: SpanName;
  readonly facts?: SpanFacts;
}

/** Times (ISO 8601) of what is over, and, where it failed, a word of the program for how. */
export interface SpanEnd {
  readonly from: string;
  readonly to: string;
  readonly failure?: string;
}

/** A span that has begun. */
export interface OpenSpan {
  /** 32 hexadecimal digits; absent: nothing is traced. */
  readonly traceId?: string;
  note(facts: SpanFacts): void;
  /** @param code of a Fault, or another word of the program: never a message, which may name files */
  fail(code: string): void;
  /** What is begun in `work` belongs to this span. */
  within<T>(work: () => T): T;
  end(): void;
}

/** Spans of what this process does, for whoever looks after the service. Costs next to nothing, loses spans rather than time, and never throws. */
export interface Tracing {
  /**
   * Begins a trace.
   * @param given trace context that a client sent: continued where the site says so, else a link to it
   */
  begin(start: SpanStart, given?: string): OpenSpan;
  /**
   * Does the work in a span. What it throws ends the span with its code.
   * @param parent trace context of what it belongs to; undefined: it belongs to no trace, and there is no span
   */
  during<T>(start: SpanStart, parent: string | undefined, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Tells of what is over. @param parent as of `during` */
  tell(start: SpanStart, parent: string | undefined, ended: SpanEnd): void;
  /** Trace context of what is done here, which a record keeps; undefined: nothing is traced. */
  here(): string | undefined;
}

const noSpan: OpenSpan = {
  note: () => undefined,
  fail: () => undefined,
  within: (work) => work(),
  end: () => undefined,
};

/** Where nobody collects spans. */
export const untraced: Tracing = {
  begin: () => noSpan,
  during: (_start, _parent, work) => work(noSpan),
  tell: () => undefined,
  here: () => undefined,
};
