import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { freePort } from '@fleet/testing';
import { importJWK, SignJWT, type JWTPayload } from 'jose';

const script = join(__dirname, 'provider.main.mjs');

/** What the provider's tokens call the gateway. */
export const audience = 'https://fleet.example';

/** A key that a provider signs with. */
export type SigningKey = JsonWebKey & { readonly kid: string; readonly alg: string };

/** A new key. */
export const aSigningKey = (kid: string, alg: 'RS256' | 'ES256' = 'ES256'): SigningKey => {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
};

interface ProviderOptions {
  readonly redirects?: readonly string[];
  readonly afterLogout?: readonly string[];
}

/** An identity provider in a process of its own; the same address when it comes back. */
export class LocalProvider {
  private constructor(
    private running: ChildProcess | undefined,
    readonly issuer: string,
    readonly key: SigningKey,
    private readonly options: ProviderOptions,
  ) {}

  static async start(options: ProviderOptions = {}): Promise<LocalProvider> {
    const key = aSigningKey('first', 'RS256');
    const { running, issuer } = await launch(await freePort(), key, options);
    return new LocalProvider(running, issuer, key, options);
  }

  async stop(): Promise<void> {
    if (this.running === undefined) return;
    const ended = once(this.running, 'exit');
    this.running.kill('SIGKILL');
    await ended;
    this.running = undefined;
  }

  async comeBack(): Promise<void> {
    const { running } = await launch(Number(new URL(this.issuer).port), this.key, this.options);
    this.running = running;
  }

  /** `claims`: of whom what; `person`: who sits before the browser. */
  state(change: {
    readonly keys?: readonly SigningKey[];
    readonly claims?: Readonly<Record<string, JWTPayload>>;
    readonly person?: string;
    readonly accessSeconds?: number;
  }): Promise<void> {
    return this.tell('/test/state', change);
  }

  /** What the person says to the code that phx shows. */
  decide(userCode: string, approve: boolean): Promise<void> {
    return this.tell('/test/device', { userCode, approve });
  }

  /** A token of the program `program`, as the provider makes it, with these claims. */
  async token(claims: JWTPayload): Promise<string> {
    await this.state({ claims: { program: claims } });
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('program:program-secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`the provider answered ${String(answer.status)} and no token`);
    return token;
  }

  private async tell(path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.issuer}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (answer.status !== 204) throw new Error(`${path}: ${await answer.text()}`);
  }
}

const launch = async (
  port: number,
  key: SigningKey,
  options: ProviderOptions,
): Promise<{ readonly running: ChildProcess; readonly issuer: string }> => {
  const argument = JSON.stringify({ port, audience, resource: audience, keys: [key], ...options });
  const running = spawn(process.execPath, [script, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [issuer] = (await once(createInterface(running.stdout), 'line')) as [string];
  return { running, issuer };
};

/** A token that nobody but a test would make, signed with this key. */
export const forged = async (
  key: SigningKey,
  claims: JWTPayload,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ typ: 'at+jwt', kid: key.kid, ...header, alg: key.alg })
    .sign(await importJWK({ ...key }, key.alg));

/** Any header and claims with any text for a signature. */
export const unsigned = (header: object, claims: object, signature = ''): string =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + `.${signature}`;
