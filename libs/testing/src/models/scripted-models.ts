import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { modelProtocols, type ModelProtocol } from '@fleet/contracts/models';
import { modelErrors, modelWires, type ModelError, type ModelWire } from './model-wires';

/** Further failures. */
type ModelTrouble =
  | 'reset'
  | 'hang'
  | 'keep_alive_only'
  | 'stall'
  | 'cut'
  | 'no_end'
  | 'html'
  | 'json_error_with_200'
  | 'redirect'
  | 'stream_error'
  | 'flood'
  | 'flood_of_words';

/** A scripted model's response to a request. */
export type ModelPlay =
  | {
      readonly say: string;
      readonly thinking?: string;
      readonly finish?: 'stop' | 'length' | 'refused';
      /** Milliseconds between its chunks. */
      readonly paceMs?: number;
    }
  | { readonly fault: ModelError | ModelTrouble };

export interface SeenModelRequest {
  readonly protocol: ModelProtocol;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const html = '<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>';

/**
 * A local server that speaks the four protocols and fails as scripted. Requests are answered in the order of the
 * script; its last entry applies to all that follow.
 */
export class ScriptedModels {
  readonly requests: SeenModelRequest[] = [];
  private script: readonly ModelPlay[] = [{ say: '{}' }];
  private readonly closing = new AbortController();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedModels> {
    const server = createServer();
    const models = new ScriptedModels(server);
    server.on('request', (request, response) => void models.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return models;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Base URL for a target of the protocol. */
  baseUrlOf(protocol: ModelProtocol): string {
    return `http://127.0.0.1:${this.port}${protocol === 'openai' ? '/v1' : ''}`;
  }

  /** Sets a new script, and clears the recorded requests. */
  play(...script: readonly ModelPlay[]): void {
    this.script = script;
    this.requests.length = 0;
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const protocol = modelProtocols.find((one) => modelWires[one].path.test(request.url ?? ''));
    const play = this.script[Math.min(this.requests.length, this.script.length - 1)];
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part as string;
    if (protocol === undefined || play === undefined) {
      response.writeHead(418).end(`nothing speaks at ${request.url ?? ''}`);
      return;
    }
    this.requests.push({ protocol, headers: request.headers, body });
    const wire = modelWires[protocol];
    if ('say' in play) await this.say(wire, play, response);
    else await this.misbehave(wire, play.fault, response);
  }

  private async say(
    wire: ModelWire,
    play: Extract<ModelPlay, { say: string }>,
    response: ServerResponse,
  ): Promise<void> {
    const { say, thinking = '', finish = 'stop', paceMs = 0 } = play;
    response.writeHead(200, { 'content-type': wire.contentType });
    response.write(wire.begin);
    const third = Math.max(1, Math.ceil(say.length / 3));
    const parts = say.match(new RegExp(`[^]{1,${third}}`, 'g')) ?? [];
    const pieces = [...(thinking === '' ? [] : [wire.thought(thinking)]), ...parts.map((text) => wire.piece(text))];
    for (const piece of pieces) {
      if (paceMs > 0) await this.pause(paceMs);
      response.write(piece);
    }
    response.end(wire.end(finish));
  }

  private async misbehave(wire: ModelWire, fault: ModelError | ModelTrouble, response: ServerResponse): Promise<void> {
    const known = modelErrors.find((kind) => kind === fault);
    if (known !== undefined) {
      const { status, body } = wire.error(known);
      const later = known === 'rate_limit_later' ? { 'retry-after': '7' } : {};
      response.writeHead(status, { 'content-type': 'application/json', ...later }).end(body);
      return;
    }
    if (fault === 'reset') response.socket?.resetAndDestroy();
    if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    if (fault === 'json_error_with_200')
      response.writeHead(200, { 'content-type': 'application/json' }).end(wire.error('server_error').body);
    if (fault === 'redirect') response.writeHead(307, { location: `http://127.0.0.1:${this.port}/elsewhere` }).end();
    await this.breakOff(wire, fault as ModelTrouble, response);
  }

  /** Failures after the beginning of a response. */
  private async breakOff(wire: ModelWire, trouble: ModelTrouble, response: ServerResponse): Promise<void> {
    const goOn: Partial<Record<ModelTrouble, () => void | Promise<void>>> = {
      keep_alive_only: () => this.repeat(response, wire.keepAlive, 20),
      stall: () => this.repeat(response, wire.keepAlive, 20),
      flood: () => this.repeat(response, wire.garbage, 1),
      flood_of_words: () => this.repeat(response, wire.piece('x'.repeat(20_000)), 1),
      no_end: () => void response.end(),
      stream_error: () => void response.end(wire.streamError),
      cut: async () => {
        await this.pause(20);
        response.socket?.resetAndDestroy();
      },
    };
    const more = goOn[trouble];
    if (more === undefined) return;
    response.writeHead(200, { 'content-type': wire.contentType });
    response.write(wire.begin);
    if (trouble !== 'keep_alive_only') response.write(wire.piece('{"program":'));
    await more();
  }

  private async repeat(response: ServerResponse, text: string, everyMs: number): Promise<void> {
    while (!response.destroyed) {
      response.write(text);
      await this.pause(everyMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
    if (this.closing.signal.aborted) this.server.closeAllConnections();
  }
}
