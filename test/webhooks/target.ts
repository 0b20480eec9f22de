import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookMessage } from '@fleet/contracts/webhooks';

interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: WebhookMessage;
}

type Answer = (received: Received, reply: ServerResponse) => void;

/** A webhook endpoint over real HTTP. */
export class Target {
  /** Everything that arrived, taken or not. */
  readonly received: Received[] = [];
  /** What was answered with 2xx. */
  readonly taken: Received[] = [];
  answer: Answer = (_, reply) => {
    reply.writeHead(204).end();
  };

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(host = '127.0.0.1'): Promise<Target> {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const target = new Target(server, `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}/hook`);
    server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
      void target.take(request, reply);
    });
    return target;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { headers } = request;
    const message = JSON.parse(body) as WebhookMessage;
    const received = { id: String(headers['webhook-id']), headers, body, message };
    this.received.push(received);
    reply.on('finish', () => {
      if (reply.statusCode < 300) this.taken.push(received);
    });
    this.answer(received, reply);
  }
}
