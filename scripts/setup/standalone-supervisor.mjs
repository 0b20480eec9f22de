// The process that keeps an installation on one machine running: it starts PostgreSQL, Redis and the services, and restarts any that end, with a
// growing delay. If the supervisor itself is killed, its children continue; the next supervisor adopts them by the state file.
import fs from 'node:fs';
import {
  Part,
  postgresIsReady,
  postgresStarter,
  redisIsReady,
  redisStarter,
  serviceStarter,
} from './standalone-parts.mjs';
import {
  forgetStandalone,
  lockFile,
  readStandalone,
  readRequest,
  servers,
  services,
  stopServers,
  writeStandalone,
} from './standalone-state.mjs';
import { takeLock } from './lock.mjs';
import { freePort } from './ports.mjs';
import { keepPrivate } from './private-files.mjs';
import { identify, stopAll } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

/** How to start each server, and how to check whether it accepts requests. */
const kinds = {
  redis: { starter: redisStarter, isReady: redisIsReady },
  postgres: { starter: postgresStarter, isReady: postgresIsReady },
};

/** Milliseconds between two checks. */
const lookMs = 250;

/** Lines that cannot be written to the log are lost. */
function say(words) {
  try {
    fs.writeSync(2, `${new Date().toISOString()} ${words}\n`);
  } catch (error) {
    if (error.code === undefined) throw error;
  }
}

class StandaloneSupervisor {
  #stopping = false;
  #requested = true;
  #wake = () => undefined;
  #unsaved = false;

  constructor(folder) {
    this.folder = folder;
    this.state = readStandalone(folder);
    this.state.supervisor = identify(process.pid);
    this.state.services ??= {};
  }

  stop() {
    this.#stopping = true;
    this.#wake();
  }

  ask() {
    this.#requested = true;
    this.#wake();
  }

  async run() {
    while (!this.#stopping) {
      try {
        if (this.#requested) await this.#readRequest();
        await this.#look();
      } catch (error) {
        say(`A look at the installation failed: ${error.stack}`);
      }
      if (this.#unsaved) this.#save();
      await this.#pause();
    }
    await stopAll((this.parts ?? []).map(({ known }) => known));
    await stopServers(Object.fromEntries(this.#ownServers.map(({ name, known }) => [name, known])));
    forgetStandalone(this.folder, { requestToo: false });
  }

  /** The servers for which the request names no external one. */
  get #ownServers() {
    return (this.servers ?? []).filter(({ name }) => this.request[name] === undefined);
  }

  async #readRequest() {
    this.#requested = false;
    const request = readRequest(this.folder);
    if (request === undefined) throw new SetupProblem(`Nothing was asked for in ${this.folder}.`);
    this.request = request;
    const { workRoot, dataRoots, environment } = request;
    Object.assign(this.state, { workRoot, dataRoots, environment });
    for (const name of servers) this.state[name] = request[name] ?? this.state[name] ?? {};
    await this.#makeParts();
    for (const part of [...this.#ownServers, ...this.parts]) part.forgive();
    this.state.request = request.id;
    this.#save();
  }

  async #makeParts() {
    if (this.parts !== undefined) return;
    const mayMove = () => this.parts.every((part) => !part.lives);
    const how = { save: () => this.#save(), mayMove };
    this.servers = servers.map(
      (name) => new Part(name, this.state[name], { start: kinds[name].starter(this.folder, how), say }),
    );
    for (const name of services) {
      this.state.services[name] ??= {};
      this.state.services[name].port ??= await freePort();
    }
    this.state.url = `http://127.0.0.1:${this.state.services.gateway.port}`;
    this.parts = services.map(
      (name) =>
        new Part(name, this.state.services[name], { start: serviceStarter(this.folder, this.state, name, say), say }),
    );
  }

  /** Starts services once the servers answer; running services wait for the servers themselves. */
  async #look() {
    if (this.parts === undefined) return;
    for (const server of this.#ownServers) if (await server.look()) this.#save();
    if (this.parts.some((part) => !part.lives))
      for (const { name, known } of this.#ownServers) if (!(await kinds[name].isReady(this.folder, known))) return;
    for (const part of this.parts) if (await part.look()) this.#save();
  }

  /** State that a full disk rejects is written as soon as there is space. */
  #save() {
    try {
      writeStandalone(this.folder, this.state);
      this.#unsaved = false;
    } catch (error) {
      if (!this.#unsaved) say(`The state cannot be written: ${error.message}`);
      this.#unsaved = true;
    }
  }

  #pause() {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#requested || this.#stopping ? 0 : lookMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Keeps the installation in this folder running until SIGTERM or SIGINT, then stops its services and servers. SIGHUP: read the request
 * again and start at once whatever does not run. Throws SetupProblem, with `holder`, if another supervisor already runs.
 */
export async function superviseStandalone(folder) {
  keepPrivate();
  const why = `The installation in ${folder} is looked after already.`;
  const release = await takeLock(lockFile(folder, 'supervisor'), { why });
  try {
    const supervisor = new StandaloneSupervisor(folder);
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => supervisor.stop());
    process.on('SIGHUP', () => supervisor.ask());
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    await supervisor.run();
  } finally {
    release();
  }
}
