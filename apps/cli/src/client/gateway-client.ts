import { setTimeout as pause } from 'node:timers/promises';
import { readRetryAfter, type ProblemDetails } from '@fleet/contracts';
import { CliError, isCliError } from '../cli-error';
import { exitCodes, type ExitCode } from '../exit-codes';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: unknown;
  /** Sent as it is, in the place of a body in JSON. */
  readonly raw?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
  /** Key or token in the place of the usual one; empty: none. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** Milliseconds that a request waits, all in all, because the gateway says that it is asked too often. */
const longestWaitMs = 120_000;
const shortestWaitMs = 200;

/** Our own code in the place of the gateway's: nobody answered, or not to the end. */
const lostConnection = 'gateway.unreachable';

/** Whether the gateway could not be asked at all, or its answer did not arrive. What it did is not known then. */
export const isLostConnection = (error: unknown): boolean =>
  isCliError(error) && error.document['code'] === lostConnection;

const exitCodeOf = (status: number): ExitCode => {
  if (status === 404) return exitCodes.notFound;
  return status < 500 ? exitCodes.refused : exitCodes.server;
};

const isProblem = (value: unknown): value is ProblemDetails =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'title' in value;

const problemLines = ({ problems = [], errorId }: ProblemDetails): readonly string[] => [
  ...problems.flatMap(({ field, reason, allowed }) => [
    `${field}: ${reason}`,
    ...(allowed === undefined ? [] : [`  allowed: ${allowed}`]),
  ]),
  ...(errorId === undefined ? [] : [`error id ${errorId}`]),
];

/** The system's word for it (`ECONNREFUSED`), else the message. Read by name, for these errors come from another realm in tests. */
const reasonOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  const cause: unknown = Reflect.get(error, 'cause') ?? error;
  if (typeof cause !== 'object' || cause === null) return String(cause);
  return String(Reflect.get(cause, 'code') ?? Reflect.get(cause, 'message'));
};

/** Speaks with a gateway over HTTP. Where it says that it is asked too often (429) requests wait for as long as it says, and are sent again. */
export class GatewayClient {
  private hasWaited = false;

  /**
   * @param server address of the gateway; a path in it is where a proxy offers the gateway
   * @param findKey the key or token to send; asked before each request
   * @param say tells the person who waits why
   */
  constructor(
    readonly server: string,
    readonly interrupted: AbortSignal,
    private readonly findKey: () => Promise<string | undefined> = () => Promise.resolve(undefined),
    private readonly say: (line: string) => void = () => undefined,
  ) {}

  /** The key or token that requests carry; undefined where there is none. */
  key(): Promise<string | undefined> {
    return this.findKey();
  }

  /** @throws CliError that carries the exit code */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    const signals = options.signal === undefined ? [this.interrupted] : [this.interrupted, options.signal];
    const signal = AbortSignal.any(signals);
    const init = { ...(await this.requestOf(options)), signal };
    try {
      for (let waitedMs = 0; ;) {
        const response = await fetch(`${this.server.replace(/\/+$/, '')}${path}`, init);
        if (response.ok) return response;
        const waitMs = askedToWait(response);
        if (waitMs === undefined || waitedMs + waitMs > longestWaitMs) throw await this.refusal(response);
        await response.body?.cancel();
        await this.wait(waitMs, signal);
        waitedMs += waitMs;
      }
    } catch (error) {
      throw this.explained(error, signals);
    }
  }

  private async requestOf(options: RequestOptions): Promise<RequestInit> {
    const { method = 'GET' } = options;
    const sent = sentBody(options);
    const key = options.key ?? (await this.key());
    return {
      method,
      headers: {
        ...authorizationOf(key),
        ...(sent !== undefined && { 'content-type': sent.type }),
        ...options.headers,
      },
      ...(sent !== undefined && { body: sent.bytes }),
    };
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.hasWaited)
      this.say(`(the gateway is asked too often; going on in ${String(Math.ceil(ms / 1000))} s, as it says)\n`);
    this.hasWaited = true;
    await pause(ms, undefined, { signal });
  }

  /** The answer's JSON; what is read of it is up to the caller, for gateway and client are of one release. */
  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const response = await this.send(path, { ...options, headers: { accept: 'application/json', ...options.headers } });
    const answer = readJson(await this.arrived(response.text()));
    if (answer === undefined) throw this.stranger(response);
    return answer as T;
  }

  /** An answer that is text. */
  async text(path: string): Promise<string> {
    return this.arrived((await this.send(path)).text());
  }

  /** @throws CliError when the rest of an answer does not arrive */
  async arrived<T>(body: Promise<T>): Promise<T> {
    try {
      return await body;
    } catch (error) {
      throw this.explained(error, [this.interrupted]);
    }
  }

  /**
   * An answer's body as it arrives.
   * @throws CliError when the connection breaks
   */
  async *pieces({ body }: Response): AsyncGenerator<Uint8Array> {
    const pieces: AsyncIterable<Uint8Array> | null = body;
    try {
      for await (const bytes of pieces ?? []) yield bytes;
    } catch (error) {
      // What fetch throws when a connection breaks; compared by name, for it comes from another realm in tests.
      if (typeof error !== 'object' || error === null || Reflect.get(error, 'name') !== 'TypeError') throw error;
      throw this.explained(error, [this.interrupted]);
    }
  }

  private async refusal(response: Response): Promise<CliError> {
    const problem = readJson(await response.text());
    if (isProblem(problem)) {
      const message = `${problem.title} (${problem.code}). ${problem.detail}`;
      return new CliError(exitCodeOf(response.status), message, problemLines(problem), { ...problem });
    }
    return this.stranger(response);
  }

  private stranger({ status }: Response): CliError {
    const what = `${this.server} answered ${String(status)}, but is not a phenix-fleet gateway`;
    return new CliError(exitCodes.server, what);
  }

  private explained(error: unknown, signals: readonly AbortSignal[]): unknown {
    if (error instanceof CliError || signals.some((signal) => signal.aborted)) return error;
    const detail = `The gateway at ${this.server} cannot be reached: ${reasonOf(error)}.`;
    const hint = 'Check that it is running, and give its address with --server URL or PHX_SERVER.';
    return new CliError(exitCodes.server, detail, [hint], { code: lostConnection, detail });
  }
}

/** Milliseconds; undefined where the gateway asks for none. */
const askedToWait = ({ status, headers }: Response): number | undefined => {
  const askedMs = status === 429 ? readRetryAfter(headers.get('retry-after'), Date.now()) : undefined;
  return askedMs === undefined ? undefined : Math.max(shortestWaitMs, askedMs);
};

const authorizationOf = (key: string | undefined): { readonly authorization?: string } =>
  key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` };

const sentBody = ({
  body,
  raw,
}: RequestOptions): { readonly type: string; readonly bytes: string | Uint8Array<ArrayBuffer> } | undefined => {
  if (raw !== undefined) return raw;
  return body === undefined ? undefined : { type: 'application/json', bytes: JSON.stringify(body) };
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
