import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setupScript } from '../hostile/setup-scripts';

interface PartState {
  readonly urlFile?: string;
}
const { postgresStarter, postgresIsReady } = setupScript('standalone-parts.mjs') as {
  readonly postgresStarter: (
    folder: string,
    how: { save: () => void; mayMove: () => boolean },
  ) => (known: PartState) => Promise<ChildProcess>;
  readonly postgresIsReady: (folder: string) => boolean;
};
const { stopServers } = setupScript('standalone-state.mjs') as {
  readonly stopServers: (state: object) => Promise<void>;
};
const { identify } = setupScript('processes.mjs') as { readonly identify: (pid: number | undefined) => object };

/** A PostgreSQL of `npm run standalone`, for services in containers: they cannot reach the socket of the one that other tests use. */
export const startLoopbackPostgres = async (): Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}> => {
  const own = mkdtempSync(path.join(tmpdir(), 'fleet-loopback-postgres-'));
  const known: PartState = {};
  const server = await postgresStarter(own, { save: () => undefined, mayMove: () => true })(known);
  while (!postgresIsReady(own)) {
    if (server.exitCode !== null) throw new Error(readFileSync(path.join(own, 'postgres/postgres.log'), 'utf8'));
    await sleep(20);
  }
  return {
    url: readFileSync(String(known.urlFile), 'utf8').trim(),
    stop: async () => {
      await stopServers({ postgres: identify(server.pid) });
      rmSync(own, { recursive: true });
    },
  };
};
