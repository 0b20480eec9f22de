import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Environment } from '@fleet/config';
import type { Session } from '@fleet/contracts/sessions';
import { prepareAccess } from '../../apps/gateway/src/auth/access/prepare-access';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { gatewayModule } from '../../apps/gateway/src/gateway.module';
import { startServers, type Servers } from '../support/servers';
import { runPhx, type Ran, type RunOptions } from '../cli/scripted-terminal';
import { someReflections } from './gateway-harness';

/** The gateway as a facility runs it, over a real PostgreSQL, a real Redis and the knowledge of this checkout. */
export class RealGateway {
  app!: NestFastifyApplication;
  url = '';

  private constructor(
    readonly servers: Servers,
    readonly root: string,
    /** A file that can be submitted. */
    readonly reflections: string,
    private readonly env: Environment,
  ) {}

  /** @param given a port that was chosen before; more variables, or others */
  static async start(given: { readonly port?: number; readonly env?: Environment } = {}): Promise<RealGateway> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-gateway-')));
    for (const folder of ['data', 'work']) mkdirSync(join(root, folder));
    const reflections = join(root, 'data/data.sca');
    writeFileSync(reflections, someReflections);
    const keyFile = join(root, 'installation.key');
    writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    const servers = await startServers();
    const gateway = new RealGateway(servers, root, reflections, {
      ...servers.env,
      FLEET_WORK_ROOT: join(root, 'work'),
      FLEET_SHARED_ROOTS: join(root, 'data'),
      FLEET_SHARED_ACCOUNT: 'accepted',
      FLEET_INSTALLATION_KEY_FILE: keyFile,
      ...given.env,
    });
    await gateway.listen(given.port ?? 0);
    return gateway;
  }

  /** Restarts on the same port. */
  async restart(): Promise<void> {
    await this.app.close();
    await this.comeBack();
  }

  /** Imitates a killed process: cuts every connection and accepts none. */
  async vanish(): Promise<void> {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
  }

  comeBack(): Promise<void> {
    return this.listen(Number(new URL(this.url).port));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.servers.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  submit(key?: string): Promise<Response> {
    return fetch(`${this.url}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ files: [this.reflections] }),
    });
  }

  async submitted(key?: string): Promise<Session> {
    return (await (await this.submit(key)).json()) as Session;
  }

  readonly phx = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    runPhx(['--server', this.url, ...args], options);

  /** A second gateway of the same facility, on a port of its own. */
  async another(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
    const { app, url } = await listening(0, this.env);
    return { url, stop: () => app.close() };
  }

  private async listen(port: number): Promise<void> {
    ({ app: this.app, url: this.url } = await listening(port, this.env));
  }
}

const listening = async (
  port: number,
  env: Environment,
): Promise<{ readonly app: NestFastifyApplication; readonly url: string }> => {
  const app = await createGateway(gatewayModule(env), {
    maxBodyBytes: 1024 * 1024,
    logger: false,
    drainMs: 1000,
    dashboard: { folder: join(__dirname, '../../dist/dashboard'), publicPath: '/' },
  });
  await app.init();
  await prepareAccess(app);
  await app.listen(port, '127.0.0.1');
  return { app, url: `http://127.0.0.1:${String((app.getHttpServer().address() as AddressInfo).port)}` };
};
