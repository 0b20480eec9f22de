import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What clients saw while something was done to the fleet. */
export interface ClientRequest {
  readonly requests: number;
  /** What those got that got no answer, or 5xx, in words. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

interface Answer {
  readonly path: string;
  readonly ms: number;
  /** Empty: it is an answer. */
  readonly failure: string;
}

const patienceMs = 30_000;

/** Of some answers. */
export const sumOf = (answers: readonly Answer[]): ClientRequest => ({
  requests: answers.length,
  failures: answers.filter(({ failure }) => failure !== '').map(({ path, failure }) => `${path}: ${failure}`),
  slowestMs: Math.round(Math.max(0, ...answers.map(({ ms }) => ms))),
});

/**
 * Clients that ask a gateway one thing after the other and never ask again where something fails: half of them keep their connection,
 * as programs do, the others open a new one for each request.
 */
export class ClientLoad {
  private answers: Answer[] = [];
  private readonly ended = new AbortController();
  private readonly agents: readonly Agent[];
  private readonly loops: Promise<unknown>;

  /** @param paths gives what may be asked for just now */
  constructor(
    private readonly fleet: { readonly url: string; readonly key: string },
    private readonly paths: () => readonly string[],
    { clients, everyMs }: { readonly clients: number; readonly everyMs: number },
  ) {
    this.agents = Array.from(
      { length: clients },
      (_, index) => new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 }),
    );
    this.loops = Promise.all(this.agents.map((agent, index) => this.loop(agent, index, everyMs)));
  }

  /** What was seen since the last call. */
  take(): ClientRequest {
    const seen = sumOf(this.answers);
    this.answers = [];
    return seen;
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.loops;
    for (const agent of this.agents) agent.destroy();
  }

  private async loop(agent: Agent, index: number, everyMs: number): Promise<void> {
    for (let turn = index; !this.ended.signal.aborted; turn += 1) {
      const paths = this.paths();
      const path = paths[turn % paths.length] ?? '/v1/sessions';
      const begun = performance.now();
      const failure = await this.ask(path, agent);
      this.answers.push({ path: path.replaceAll(/[0-9a-z]{26}/g, 'ID'), ms: performance.now() - begun, failure });
      await sleep(everyMs);
    }
  }

  /** What went wrong; empty: nothing. */
  private ask(path: string, agent: Agent): Promise<string> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${this.fleet.key}` };
      const outgoing = request(new URL(path, this.fleet.url), { agent, headers, timeout: patienceMs }, (response) => {
        const status = response.statusCode ?? 0;
        response.resume();
        response.on('end', () => resolve(status < 500 ? '' : String(status)));
        response.on('error', (error: Error) => resolve(error.message));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${String(patienceMs / 1000)} s`)));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const where = outgoing.reusedSocket ? 'a kept connection' : 'a new connection';
        resolve(`${error.code ?? error.message} on ${where}`);
      });
      outgoing.end();
    });
  }
}
