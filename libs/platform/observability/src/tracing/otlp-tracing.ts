import { isFault } from '@fleet/contracts/faults';
import { releaseVersion } from '@fleet/contracts/service';
import { untraced, type OpenSpan, type SpanEnd, type SpanFacts, type SpanStart, type Tracing } from '@fleet/ports';
import type { Attributes, Context, SpanContext } from '@opentelemetry/api';
import { noteThrown, spanHere, withinSpan, type SpanHere } from './span-here';
import { spanContextOf, traceparentOf } from './trace-context';
import { WatchedExporter } from './watched-exporter';

export interface TracingSettings {
  /** Name of the process's service. */
  readonly service: string;
  readonly endpoint: string;
  readonly ratio: number;
  readonly clients: 'linked' | 'trusted';
  /** Called once when spans are lost, and once when they are accepted again. */
  readonly onTrouble: (message: string) => void;
}

const exportTimeoutMs = 5_000;
/** Maximum buffered spans; further ones are lost. */
const maxWaiting = 2_048;
const sentEveryMs = 1_000;
/** How long a stopping process waits for the collector, in milliseconds. */
const farewellMs = 2_000;
/** Maximum length of an attribute: program, code, id. Longer ones are truncated. */
const longestValue = 128;

/** Wire names of span attributes; those of HTTP are OpenTelemetry's own. */
const attributeNames: Readonly<Record<keyof SpanFacts, string>> = {
  sessionId: 'fleet.session',
  cycle: 'fleet.cycle',
  attempt: 'fleet.attempt',
  program: 'fleet.program',
  class: 'fleet.class',
  outcome: 'fleet.outcome',
  target: 'fleet.target',
  method: 'http.request.method',
  address: 'http.route',
  status: 'http.response.status_code',
};

const attributesOf = (facts: SpanFacts = {}): Attributes =>
  Object.fromEntries(
    Object.entries(attributeNames).flatMap(([member, name]) => {
      const value = facts[member as keyof SpanFacts];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** For other errors only the class name: a message may contain file names. */
const codeOf = (error: unknown): string => (isFault(error) ? error.code : 'error');

/** Loads OpenTelemetry's packages, only if spans are sent. */
const loadPackages = async () => {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  return { api, sdk, OTLPTraceExporter, resourceFromAttributes };
};

type Packages = Awaited<ReturnType<typeof loadPackages>>;
type Api = Packages['api'];
type Provider = InstanceType<Packages['sdk']['TracerProvider']>;
type Tracer = ReturnType<Provider['getTracer']>;
type Span = ReturnType<Tracer['startSpan']>;

class LiveSpan implements OpenSpan, SpanHere {
  readonly traceId: string;
  readonly context: string;
  isOpen = true;

  constructor(
    private readonly api: Api,
    private readonly span: Span,
  ) {
    const context = span.spanContext();
    this.traceId = context.traceId;
    this.context = traceparentOf(context);
  }

  note(facts: SpanFacts): void {
    this.span.setAttributes(attributesOf(facts));
  }

  fail(code: string): void {
    this.span
      .setAttribute('error.type', code.slice(0, longestValue))
      .setStatus({ code: this.api.SpanStatusCode.ERROR });
  }

  within<T>(work: () => T): T {
    return withinSpan(this, work);
  }

  end(): void {
    this.isOpen = false;
    this.span.end();
  }
}

/** Opens the SDK and its connection to the collector. */
export const openOtlpTracing = async (settings: TracingSettings): Promise<OtlpTracing> => {
  const { service, endpoint, ratio, onTrouble } = settings;
  const { api, sdk, OTLPTraceExporter, resourceFromAttributes } = await loadPackages();
  const sender = new OTLPTraceExporter({ url: endpoint, timeoutMillis: exportTimeoutMs });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'phenix-fleet',
      'service.name': service,
      'service.version': releaseVersion,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new WatchedExporter(sender, onTrouble),
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: sentEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  return new OtlpTracing(api, provider, settings.clients);
};

/** Spans with OpenTelemetry's SDK, sent to a collector. */
export class OtlpTracing implements Tracing {
  private readonly tracer: Tracer;

  constructor(
    private readonly api: Api,
    private readonly provider: Provider,
    private readonly clients: TracingSettings['clients'],
  ) {
    this.tracer = provider.getTracer('phenix-fleet', releaseVersion);
  }

  begin({ name, facts }: SpanStart, given?: string): OpenSpan {
    const theirs = spanContextOf(given);
    const isFollowed = theirs !== undefined && this.clients === 'trusted';
    const span = this.tracer.startSpan(
      name,
      {
        kind: name === 'http.request' ? this.api.SpanKind.SERVER : this.api.SpanKind.INTERNAL,
        attributes: attributesOf(facts),
        ...(theirs !== undefined && !isFollowed && { links: [{ context: theirs }] }),
      },
      isFollowed ? this.below(theirs) : this.api.ROOT_CONTEXT,
    );
    return new LiveSpan(this.api, span);
  }

  async during<T>(
    { name, facts }: SpanStart,
    parent: string | undefined,
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T> {
    const above = spanContextOf(parent);
    if (above === undefined) return untraced.during({ name }, parent, work);
    const started = this.tracer.startSpan(name, { attributes: attributesOf(facts) }, this.below(above));
    const span = new LiveSpan(this.api, started);
    try {
      return await span.within(() => work(span));
    } catch (error) {
      span.fail(codeOf(error));
      noteThrown(error, span);
      throw error;
    } finally {
      span.end();
    }
  }

  tell({ name, facts }: SpanStart, parent: string | undefined, { from, to, failure }: SpanEnd): void {
    const above = spanContextOf(parent);
    if (above === undefined) return;
    const options = { attributes: attributesOf(facts), startTime: new Date(from) };
    const span = this.tracer.startSpan(name, options, this.below(above));
    if (failure !== undefined) new LiveSpan(this.api, span).fail(failure);
    span.end(new Date(to));
  }

  here(): string | undefined {
    return spanHere()?.context;
  }

  /** Sends the buffered spans, as long as the collector accepts them at once; others are lost. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, farewellMs)));
    // Settled: rejected spans were reported already.
    await Promise.race([Promise.allSettled([this.provider.shutdown()]), late]);
    clearTimeout(timer);
  }

  private below(above: SpanContext): Context {
    return this.api.trace.setSpanContext(this.api.ROOT_CONTEXT, above);
  }
}
