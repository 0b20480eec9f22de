import { METRICS } from '@fleet/ports';
import { Global, Module } from '@nestjs/common';
import { ProcessMetrics } from './process-metrics';

/** What this process measures: METRICS for whoever measures, ProcessMetrics for whoever shows it. */
@Global()
@Module({
  providers: [ProcessMetrics, { provide: METRICS, useExisting: ProcessMetrics }],
  exports: [ProcessMetrics, METRICS],
})
export class MetricsModule {}
