import { TracingConfig } from '@fleet/config';
import { TRACING, untraced, type Tracing } from '@fleet/ports';
import { Inject, Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { openOtlpTracing, type OtlpTracing } from './otlp-tracing';

/** Sends buffered spans when the process ends, after the steps have drained. */
@Injectable()
class TracingEnd implements OnApplicationShutdown {
  constructor(@Inject(TRACING) private readonly tracing: Tracing & Partial<Pick<OtlpTracing, 'close'>>) {}

  async onApplicationShutdown(): Promise<void> {
    await this.tracing.close?.();
  }
}

const makeTracing = (service: string, { endpoint, ratio, clients }: TracingConfig): Promise<Tracing> => {
  if (endpoint === undefined) return Promise.resolve(untraced);
  const logger = new Logger('Tracing');
  const onTrouble = (message: string): void => logger.warn(message);
  logger.log({ message: 'traces are sent', to: new URL(endpoint).host, ratio });
  return openOtlpTracing({ service, endpoint, ratio, clients, onTrouble });
};

/** Provides TRACING. Needs TracingConfig from ConfigModule. */
@Module({})
export class TracingModule {
  /** @param service as in the log */
  static forService(service: string): DynamicModule {
    return {
      module: TracingModule,
      global: true,
      providers: [
        {
          provide: TRACING,
          inject: [TracingConfig],
          useFactory: (config: TracingConfig) => makeTracing(service, config),
        },
        TracingEnd,
      ],
      exports: [TRACING],
    };
  }
}
