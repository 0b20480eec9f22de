import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Reports once that a collector rejects spans, and once that it accepts them again; rejected ones are lost. */
export class WatchedExporter implements SpanExporter {
  private losing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly tell: (message: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private note({ error }: ExportResult): void {
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
