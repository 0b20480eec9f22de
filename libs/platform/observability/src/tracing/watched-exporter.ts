import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Told = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Says once that a collector takes no spans, and once that it does again; what it did not take is lost. */
export class WatchedExporter implements SpanExporter {
  private losing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly tell: (message: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: Told) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private note({ error }: Told): void {
    const losing = error !== undefined;
    if (losing === this.losing) return;
    this.losing = losing;
    this.tell(
      losing
        ? `spans are lost, for the collector does not take them: ${error.message}. The service itself is not affected; look at FLEET_TRACING_ENDPOINT`
        : 'the collector takes spans again',
    );
  }
}
