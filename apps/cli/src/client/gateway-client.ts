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
import { readRetryAfter, type FieldProblem } from '@fleet/contracts/faults';
import type { ProblemDetails, SessionView } from '@fleet/contracts/sessions';
import { CliError, isCliError } from '../cli-error';
import { exitCodes, type ExitCode } from '../exit-codes';

/** Maximum total wait of a request because of rate limits, in milliseconds. */
const longestWaitMs = 120_000;
const shortestWaitMs = 200;

/** The client's own error code: no response, or an incomplete one. */
const lostConnection = 'gateway.unreachable';

/** Whether the request or its response got lost, so that its effect is unknown. */
export const isLostConnection = (error: unknown): boolean =>
  isCliError(error) && error.document['code'] === lostConnection;

const exitCodeOf = (status: number): ExitCode => {
  if (status === 404) return exitCodes.notFound;
  return status < 500 ? exitCodes.refused : exitCodes.server;
};

/** Lines of problems; what is allowed is printed once for neighbours with the same. */
export const listedProblems = (problems: readonly FieldProblem[]): readonly string[] =>
  problems.flatMap(({ field, reason, allowed }, index) => [
    `${field}: ${reason}`,
    ...(allowed === undefined || allowed === problems[index + 1]?.allowed ? [] : [`  allowed: ${allowed}`]),
  ]);

const problemLines = ({ status, problems = [], requestId }: ProblemDetails): readonly string[] => [
  ...listedProblems(problems),
  // For an administrator, who can find it in the gateway's log.
  ...(status < 500 ? [] : [`request id ${requestId}`]),
];

/**
 * The system's error code (`ECONNREFUSED`), otherwise the message. Read by name, because in tests these errors come
 * from another realm.
 */
const reasonOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  const cause: unknown = Reflect.get(error, 'cause') ?? error;
  if (typeof cause !== 'object' || cause === null) return String(cause);
  return String(Reflect.get(cause, 'code') ?? Reflect.get(cause, 'message'));
};

/** HTTP client of a gateway. A rate-limited request (429) waits as long as the gateway says, and is repeated. */
export class GatewayClient {
  private hasWaited = false;
  private readonly api = new ApiClient((request) => this.send(request));

  /**
   * @param server URL of the gateway; it may contain the path at which a proxy serves the gateway
   * @param findKey returns the key or token to send, empty for none; called before each request
   * @param say tells the waiting user why
   */
  constructor(
    readonly server: string,
    readonly interrupted: AbortSignal,
    private readonly findKey: () => Promise<string | undefined> = () => Promise.resolve(undefined),
    private readonly say: (line: string) => void = () => undefined,
  ) {}

  /** The key or token of requests; undefined if there is none. */
  key(): Promise<string | undefined> {
    return this.findKey();
  }

  /** The same gateway with another key or token; empty: none. */
  withKey(key: string): GatewayClient {
    return new GatewayClient(this.server, this.interrupted, () => Promise.resolve(key), this.say);
  }

  /**
   * The response itself, for its headers or as a stream.
   * @throws CliError with the exit code
   */
  open<A extends Address>(address: A, ...details: Details<A>): Promise<Response> {
    return this.answered(this.api.open(address, ...details), details[1]);
  }

  /** The response at a link from another response. @throws CliError with the exit code */
  follow(link: string): Promise<Response> {
    return this.answered(this.api.follow(link));
  }

  /**
   * The response's JSON, unvalidated because gateway and client are from one release. @throws CliError with the exit
   * code
   */
  json<A extends JsonAddress>(address: A, ...details: Details<A>): Promise<AnswerOf<A>> {
    return this.answered(this.api.json(address, ...details), details[1]);
  }

  session(id: string): Promise<SessionView> {
    return this.json('GET /v1/sessions/{id}', { path: { id } });
  }

  /** A text response. @throws CliError with the exit code */
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

  /** The body of a response. @throws CliError if it is incomplete */
  arrived<T>(body: Promise<T>): Promise<T> {
    return this.answered(body);
  }

  /**
   * A response's body as a stream.
   * @throws CliError if the connection breaks
   */
  async *pieces({ body }: Response): AsyncGenerator<Uint8Array> {
    const pieces: AsyncIterable<Uint8Array> | null = body;
    try {
      for await (const bytes of pieces ?? []) yield bytes;
    } catch (error) {
      // The error of fetch for a broken connection; compared by name, because in tests it comes from another realm.
      if (typeof error !== 'object' || error === null || Reflect.get(error, 'name') !== 'TypeError') throw error;
      throw this.explained(error, [this.interrupted]);
    }
  }

  /** Converts errors into messages for the user of the command line. */
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

/** Milliseconds; undefined if the gateway requests no delay. */
const retryAfterMs = ({ status, headers }: Response): number | undefined => {
  const delayMs = status === 429 ? readRetryAfter(headers.get('retry-after'), Date.now()) : undefined;
  return delayMs === undefined ? undefined : Math.max(shortestWaitMs, delayMs);
};

const authorizationOf = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` };
