import { HealthConfig } from '@fleet/config';
import {
  HttpException,
  Inject,
  Injectable,
  Logger,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { HealthService } from './health.service';
import { ProcessMetrics } from './process-metrics';

/** The listener for administrators: /metrics, /health/live, and /health/ready unless the process serves that itself. */
@Injectable()
export class HealthListener implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(HealthListener.name);
  private server: Server | undefined;
  private ending = false;

  constructor(
    @Inject(HealthConfig) private readonly config: HealthConfig,
    @Inject(ProcessMetrics) private readonly metrics: ProcessMetrics,
    @Optional() @Inject(HealthService) private readonly health?: HealthService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.port === 0) return;
    this.metrics.withProcess();
    const server = createServer((request, response) => {
      this.answer(request.url ?? '', response).catch((error: unknown) => {
        this.logger.error({ message: 'a health request failed', reason: String(error) });
        reply(response, 500, { status: 'error' });
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.config.port, this.config.host, resolve);
    });
    this.server = server;
  }

  /** Unready as soon as the process begins to stop; alive until the steps have drained. */
  beforeApplicationShutdown(): void {
    this.ending = true;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.unref();
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (path === '/health/live') reply(response, 200, { status: 'ok' });
    else if (path === '/health/ready' && this.health !== undefined) await this.answerReady(response, this.health);
    else if (path === '/metrics') send(response, 200, this.metrics.contentType, await this.metrics.page());
    else reply(response, 404, { status: 'error', detail: 'try /health/live, /health/ready or /metrics' });
  }

  private async answerReady(response: ServerResponse, health: HealthService): Promise<void> {
    if (this.ending) {
      reply(response, 503, { status: 'shutting_down' });
      return;
    }
    try {
      reply(response, 200, await health.ready());
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      reply(response, error.getStatus(), error.getResponse());
    }
  }
}

const reply = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, 'application/json', JSON.stringify(body));

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
};
