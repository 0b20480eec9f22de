import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiClient,
  isApiError,
  type Address,
  type AnswerOf,
  type ApiError,
  type ApiRequest,
  type Details,
  type JsonAddress,
  type Sending,
  type TextAddress,
} from '@fleet/api-client';
import { readRetryAfter } from '@fleet/contracts/faults';
import type { ProblemDetails, SessionView } from '@fleet/contracts/sessions';
import { CliError, isCliError } from '../cli-error';
import { exitCodes, type ExitCode } from '../exit-codes';

/** Milliseconds that a request waits, all in all, because the gateway says that it is asked too often. */
const longestWaitMs = 120_000;
const shortestWaitMs = 200;

/** Our own code in place of the gateway's: nobody answered, or not to the end. */
const lostConnection = 'gateway.unreachable';

/** Whether the gateway could not be asked at all, or its answer did not arrive. What it did is not known then. */
export const isLostConnection = (error: unknown): boolean =>
  isCliError(error) && error.document['code'] === lostConnection;

const exitCodeOf = (status: number): ExitCode => {
  if (status === 404) return exitCodes.notFound;
  return status < 500 ? exitCodes.refused : exitCodes.server;
};

const problemLines = ({ status, problems = [], requestId }: ProblemDetails): readonly string[] => [
  ...problems.flatMap(({ field, reason, allowed }) => [
    `${field}: ${reason}`,
    ...(allowed === undefined ? [] : [`  allowed: ${allowed}`]),
  ]),
  // For an administrator, who finds it in the log of the gateway.
  ...(status < 500 ? [] : [`request id ${requestId}`]),
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
  private readonly api = new ApiClient((request) => this.send(request));

  /**
   * @param server address of the gateway; a path in it is where a proxy offers the gateway
   * @param findKey the key or token to send, empty for none; asked before each request
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

  /** The same gateway with another key or token; empty: none. */
  withKey(key: string): GatewayClient {
    return new GatewayClient(this.server, this.interrupted, () => Promise.resolve(key), this.say);
  }

  /**
   * The answer itself, for its headers or to read it as it arrives.
   * @throws CliError that carries the exit code
   */
  open<A extends Address>(address: A, ...details: Details<A>): Promise<Response> {
    return this.answered(this.api.open(address, ...details), details[1]);
  }

  /** What lies at a link of an answer. @throws CliError that carries the exit code */
  follow(link: string): Promise<Response> {
    return this.answered(this.api.follow(link));
  }

  /** The answer's JSON, for gateway and client are of one release. @throws CliError that carries the exit code */
  json<A extends JsonAddress>(address: A, ...details: Details<A>): Promise<AnswerOf<A>> {
    return this.answered(this.api.json(address, ...details), details[1]);
  }

  session(id: string): Promise<SessionView> {
    return this.json('GET /v1/sessions/{id}', { path: { id } });
  }

  /** An answer that is text. @throws CliError that carries the exit code */
  text<A extends TextAddress>(address: A, ...details: Details<A>): Promise<string> {
    return this.answered(this.api.text(address, ...details), details[1]);
  }

  private async send({ path, signal: own, ...request }: ApiRequest): Promise<Response> {
    const signal = own === undefined ? this.interrupted : AbortSignal.any([this.interrupted, own]);
    const headers = { ...authorizationOf(await this.key()), ...request.headers };
    for (let waitedMs = 0; ;) {
      const response = await fetch(`${this.server.replace(/\/+$/, '')}${path}`, { ...request, headers, signal });
      const waitMs = retryAfterMs(response);
      if (waitMs === undefined || waitedMs + waitMs > longestWaitMs) return response;
      await response.body?.cancel();
      await this.wait(waitMs, signal);
      waitedMs += waitMs;
    }
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.hasWaited)
      this.say(`(too many requests: retrying in ${String(Math.ceil(ms / 1000))} s, as the gateway requires)\n`);
    this.hasWaited = true;
    await pause(ms, undefined, { signal });
  }

  /** What an answer holds. @throws CliError when the rest of it does not arrive */
  arrived<T>(body: Promise<T>): Promise<T> {
    return this.answered(body);
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
      // What fetch throws when a connection breaks; compared by name, because it comes from another realm in tests.
      if (typeof error !== 'object' || error === null || Reflect.get(error, 'name') !== 'TypeError') throw error;
      throw this.explained(error, [this.interrupted]);
    }
  }

  /** In the words for a person at the command line. */
  private async answered<T>(answer: Promise<T>, { signal }: Sending = {}): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isApiError(error)) throw this.refusal(error);
      throw this.explained(error, signal === undefined ? [this.interrupted] : [this.interrupted, signal]);
    }
  }

  private refusal({ status, problem }: ApiError): CliError {
    if (problem === undefined)
      return new CliError(
        exitCodes.server,
        `${this.server} answered ${String(status)}, but is not a phenix-fleet gateway`,
      );
    const message = `${problem.title} (${problem.code}). ${problem.detail}`;
    return new CliError(exitCodeOf(status), message, problemLines(problem), { ...problem });
  }

  private explained(error: unknown, signals: readonly AbortSignal[]): unknown {
    if (error instanceof CliError || signals.some((signal) => signal.aborted)) return error;
    const detail = `The gateway at ${this.server} cannot be reached: ${reasonOf(error)}.`;
    const hint = 'Check that it is running, and set its URL with --server URL or PHX_SERVER.';
    return new CliError(exitCodes.server, detail, [hint], { code: lostConnection, detail });
  }
}

/** Milliseconds; undefined where the gateway asks for none. */
const retryAfterMs = ({ status, headers }: Response): number | undefined => {
  const askedMs = status === 429 ? readRetryAfter(headers.get('retry-after'), Date.now()) : undefined;
  return askedMs === undefined ? undefined : Math.max(shortestWaitMs, askedMs);
};

const authorizationOf = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` };
