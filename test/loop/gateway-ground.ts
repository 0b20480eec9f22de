import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { someReflections } from '../api/some-files';
import { startScript, type TestProcess } from './idle-process';

/** A module of this folder that a process loads before it starts, with its parameters. */
export const preloaded = (
  file: string,
  asked: Readonly<Record<string, string | number>> = {},
): Record<string, string> => {
  const url = pathToFileURL(join(__dirname, file));
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, String(value));
  return { NODE_OPTIONS: `--import ${url.href}` };
};

/** Folders, an input file and a key that real gateways and workers share. */
export class GatewayGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-gateway-')));
  readonly workRoot = join(this.root, 'work');
  readonly input = join(this.root, 'data', 'x.sca');
  readonly env: Readonly<Record<string, string>>;

  /** @param servers as the environment has them: DATABASE_URL, REDIS_URL and REDIS_KEY_PREFIX */
  constructor(servers: Readonly<Record<string, string>>) {
    for (const name of ['data', 'work']) mkdirSync(join(this.root, name));
    writeFileSync(this.input, someReflections);
    const key = join(this.root, 'installation.key');
    writeFileSync(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    this.env = {
      ...servers,
      FLEET_WORK_ROOT: this.workRoot,
      FLEET_DATA_ROOTS: join(this.root, 'data'),
      FLEET_INSTALLATION_KEY_FILE: key,
      FLEET_LOG_LEVEL: 'info',
    };
  }

  gateway(port: number, env: Readonly<Record<string, string>> = {}): TestProcess {
    return startScript('apps/gateway/src/main.ts', [], { ...this.env, FLEET_GATEWAY_PORT: String(port), ...env });
  }

  /** One request for a session; undefined when the gateway died, or cannot do it now. */
  async ask(port: number, key: string): Promise<{ readonly id: string; readonly replayed: boolean } | undefined> {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ files: [this.input], proposal: 'mx1', title: key }),
    }).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return undefined;
    if (!answer.ok) throw new Error(await answer.text());
    const { id } = (await answer.json()) as { readonly id: string };
    return { id, replayed: answer.headers.get('idempotency-replayed') === 'true' };
  }

  /** Submits like a client: repeats the request with the same key until a gateway answers, each time another one. */
  async submit(ports: readonly number[], key: string): Promise<string> {
    for (let turn = 0; ; turn += 1) {
      const answer = await this.ask(ports[turn % ports.length] ?? 0, key);
      if (answer !== undefined) return answer.id;
      await sleep(50);
    }
  }

  dispose(): void {
    rmSync(this.root, { recursive: true });
  }
}
