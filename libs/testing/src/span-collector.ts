import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { readonly stringValue: string } | { readonly intValue: number } | { readonly boolValue: boolean };

/** A received span, with the name of its service. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string }[];
  /** 2: it failed. */
  readonly status: number;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string }[];
  readonly status?: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Wire {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const factsOf = (attributes: readonly Attribute[] = []): CollectedSpan['facts'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as string | number | boolean]));

/** A collector (OTLP over HTTP, JSON) that stores what it receives: the spans, and every byte. */
export class SpanCollector {
  readonly spans: CollectedSpan[] = [];
  /** All received bodies. */
  text = '';
  /** Status of its responses. */
  status = 200;
  private constructor(private readonly server: Server) {}

  static async start(): Promise<SpanCollector> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (collector.status === 200) collector.take(Buffer.concat(parts).toString());
        response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector = new SpanCollector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1/traces`;
  }

  of(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(body: string): void {
    this.text += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as Wire).resourceSpans) {
      const service = String(factsOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) this.spans.push(collected(service, span));
    }
  }
}

const collected = (service: string, span: WireSpan): CollectedSpan => {
  const { traceId, spanId, parentSpanId, name, attributes, links = [], status } = span;
  return {
    service,
    traceId,
    spanId,
    ...(parentSpanId !== undefined && parentSpanId !== '' && { parentSpanId }),
    name,
    facts: factsOf(attributes),
    links,
    status: status?.code ?? 0,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
  };
};
