import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@fleet/testing';

/** A span as Jaeger's query API tells of it. */
interface JaegerSpan {
  readonly spanID: string;
  readonly operationName: string;
  readonly processID: string;
  readonly references: readonly { readonly refType: string; readonly spanID: string }[];
  readonly tags: readonly { readonly key: string; readonly value: unknown }[];
}

interface JaegerTrace {
  readonly spans: readonly JaegerSpan[];
  readonly processes: Readonly<Record<string, { readonly serviceName: string }>>;
}

/** Letters of what it said last that are kept. */
const toldLength = 2_000;

const program = (): string => {
  const script = join(__dirname, '../../scripts/cluster.mjs');
  const output = execFileSync(process.execPath, [script, 'build', 'jaeger'], { encoding: 'utf8' });
  return output.trim().split('\n').at(-1) ?? '';
};

/** A Jaeger of its own: collector, store in memory and query API in one process, on ports of this machine alone. */
export class Jaeger {
  private told = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly endpoint: string,
    private readonly query: string,
  ) {}

  static async start(): Promise<Jaeger> {
    const address = async (): Promise<string> => `127.0.0.1:${String(await freePort())}`;
    const [collector, query] = [await address(), await address()];
    const others = [
      'collector.otlp.grpc.host-port',
      'collector.grpc-server.host-port',
      'collector.http-server.host-port',
      'query.grpc-server.host-port',
      'admin.http.host-port',
    ];
    const args = [`--collector.otlp.http.host-port=${collector}`, `--query.http-server.host-port=${query}`];
    for (const name of others) args.push(`--${name}=${await address()}`);
    const child = spawn(program(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const jaeger = new Jaeger(child, `http://${collector}/v1/traces`, `http://${query}`);
    child.stderr.on('data', (bytes: Buffer) => (jaeger.told = `${jaeger.told}${bytes.toString()}`.slice(-toldLength)));
    return jaeger;
  }

  /** @throws Error when it has ended, with the last it said */
  isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`Jaeger ended with ${String(this.child.exitCode)}: ${this.told}`);
    return fetch(`${this.query}/api/services`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Undefined while it knows none of that id; with all of it as text, as whoever searches it would see it. */
  async trace(id: string): Promise<(JaegerTrace & { readonly text: string }) | undefined> {
    const answer = await fetch(`${this.query}/api/traces/${id}`);
    const text = await answer.text();
    if (!answer.ok) return undefined;
    const [trace] = (JSON.parse(text) as { readonly data: readonly JaegerTrace[] }).data;
    return trace && { ...trace, text };
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
