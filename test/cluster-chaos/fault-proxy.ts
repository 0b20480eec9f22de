import { KubeConfig, type V1Job } from '@kubernetes/client-node';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as forward, type RequestOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Dice } from '../fuzz/mutations';

/** What goes wrong between a client and a healthy API server, each as the share of requests (0 to 1) that it meets. */
export interface Faults {
  /** HTTP 500, half of them after the server has done what was asked. */
  readonly internalError: number;
  /** HTTP 429 with Retry-After. */
  readonly tooManyRequests: number;
  /** The connection is cut, half of them after the server has done what was asked. */
  readonly reset: number;
  /** No answer for `hangMs`, then the connection is cut. */
  readonly hang: number;
  readonly hangMs: number;
  /** A watch receives "resource version too old": half by HTTP, half by an event. */
  readonly gone: number;
  /** No watch is let through at all. */
  readonly noWatch: boolean;
}

export const noFaults: Faults = {
  internalError: 0,
  tooManyRequests: 0,
  reset: 0,
  hang: 0,
  hangMs: 0,
  gone: 0,
  noWatch: false,
};

type Fault = 'internalError' | 'tooManyRequests' | 'reset' | 'hang' | 'gone' | 'noWatch';
const rates = ['internalError', 'tooManyRequests', 'reset', 'hang'] as const;

const status = (code: number, reason: string): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    code,
    message: `${reason} (made by a test)`,
  });

/**
 * A proxy in front of a real API server that does to some requests what a bad day does. Speaks plain HTTP to its clients
 * and the administrator's TLS to the server.
 */
export class FaultProxy {
  /** How often each fault was dealt. */
  readonly dealt: Record<Fault, number> = {
    internalError: 0,
    tooManyRequests: 0,
    reset: 0,
    hang: 0,
    gone: 0,
    noWatch: 0,
  };
  /** Requests by method, faulty ones included. */
  readonly seen: Record<string, number> = {};
  /** Jobs that the server made for clients, by name, with their uids: also those whose answer no client got. */
  readonly created = new Map<string, Set<string>>();
  faults: Faults = noFaults;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly upstream: URL,
    private readonly options: RequestOptions,
    private readonly dice: Dice,
  ) {
    server.on('request', (request, response) => this.take(request, response));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** @param kubeconfig path of the administrator's kubeconfig */
  static async start(kubeconfig: string, dice: Dice): Promise<FaultProxy> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    const url = config.getCurrentCluster()?.server;
    if (url === undefined) throw new Error(`${kubeconfig} names no cluster`);
    const agent = new Agent({ keepAlive: true, ca: options.ca, cert: options.cert, key: options.key });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultProxy(server, new URL(url), { ...options, agent }, dice);
  }

  /** Connections that clients hold open now. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Writes a kubeconfig for clients of the proxy. */
  writeKubeconfig(path: string, namespace: string): void {
    const { port } = this.server.address() as AddressInfo;
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      // The client library refuses plain HTTP without that word.
      clusters: [
        { name: 'proxy', cluster: { server: `http://127.0.0.1:${String(port)}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'admin', user: {} }],
      contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'admin', namespace } }],
      'current-context': 'proxy',
    };
    writeFileSync(path, JSON.stringify(content));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
    (this.options.agent as Agent).destroy();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const method = request.method ?? 'GET';
    this.seen[method] = (this.seen[method] ?? 0) + 1;
    const fault = this.choose(new URL(request.url ?? '/', this.upstream).searchParams.has('watch'));
    if (fault === undefined) {
      this.pass(request, response);
      return;
    }
    this.dealt[fault] += 1;
    this.doings[fault](request, response);
  }

  private readonly doings: Readonly<Record<Fault, (request: IncomingMessage, response: ServerResponse) => void>> = {
    noWatch: (request) => request.socket.destroy(),
    hang: (request) => void setTimeout(() => request.socket.destroy(), this.faults.hangMs).unref(),
    tooManyRequests: (_request, response) => answer(response, 429, 'TooManyRequests', { 'retry-after': '1' }),
    gone: (_request, response) => this.sayGone(response),
    internalError: (request, response) => this.fail(request, () => answer(response, 500, 'InternalError')),
    reset: (request) => this.fail(request, () => request.socket.destroy()),
  };

  /** From 0 up to 1. */
  private share(): number {
    return this.dice.below(1_000) / 1_000;
  }

  private choose(watch: boolean): Fault | undefined {
    if (watch && this.faults.noWatch) return 'noWatch';
    if (watch && this.share() < this.faults.gone) return 'gone';
    let drawn = this.share();
    return rates.find((rate) => {
      drawn -= this.faults[rate];
      return drawn < 0;
    });
  }

  private sayGone(response: ServerResponse): void {
    if (this.share() < 0.5) {
      answer(response, 410, 'Expired');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify({ type: 'ERROR', object: JSON.parse(status(410, 'Expired')) as unknown })}\n`);
  }

  /** Half of the time the server does what was asked, and only its answer is lost. */
  private fail(request: IncomingMessage, say: () => void): void {
    if (this.share() < 0.5) {
      request.resume();
      say();
      return;
    }
    this.forward(request, (answered) => {
      answered.resume();
      answered.once('end', say);
      answered.once('error', say);
    }).once('error', say);
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const sent = this.forward(request, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      response.flushHeaders();
      answered.pipe(response);
      answered.once('error', () => response.destroy());
      response.once('close', () => answered.destroy());
    });
    sent.once('error', () => request.socket.destroy());
    response.once('close', () => sent.destroy());
  }

  /** Remembers what was made, if that is a Job. */
  private note(answered: IncomingMessage): void {
    const chunks: Buffer[] = [];
    answered.on('data', (chunk: Buffer) => chunks.push(chunk));
    answered.once('end', () => {
      const { kind, metadata } = JSON.parse(Buffer.concat(chunks).toString()) as V1Job;
      if (kind !== 'Job' || metadata?.name === undefined || metadata.uid === undefined) return;
      this.created.set(metadata.name, (this.created.get(metadata.name) ?? new Set()).add(metadata.uid));
    });
  }

  private forward(request: IncomingMessage, onAnswer: (answer: IncomingMessage) => void): ReturnType<typeof forward> {
    const sent = forward(
      new URL(request.url ?? '/', this.upstream),
      { ...this.options, method: request.method, headers: { ...request.headers, host: this.upstream.host } },
      (answered) => {
        if (request.method === 'POST' && answered.statusCode === 201) this.note(answered);
        onAnswer(answered);
      },
    );
    request.pipe(sent);
    return sent;
  }
}

const answer = (
  response: ServerResponse,
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(status(code, reason));
};
