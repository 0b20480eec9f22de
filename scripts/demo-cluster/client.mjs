// The command-line client as a person uses it, who continues when the gateway is away for a moment.
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { checkout, projectNode } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/progress.mjs';

/** phx: the gateway failed or cannot be reached, as while its pod is replaced and the port forward leads nowhere. */
const gatewayIsAway = 5;
const timeoutMs = 120_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Client {
  #watchers = new Set();

  /** key: of the API; empty where nobody has one yet. */
  constructor(url, key) {
    this.url = url;
    this.env = { ...process.env, FLEET_API_KEY: key };
  }

  #line(args) {
    return [path.join(checkout, 'dist/apps/cli/src/main.js'), '--server', this.url, ...args];
  }

  /** What `phx --json …` prints. For commands that may be given twice; throws the last refusal when the gateway stays away. */
  async json(...args) {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      try {
        return JSON.parse(
          await run(projectNode(), this.#line(['--json', ...args]), { env: this.env, what: `phx ${args[0]}` }),
        );
      } catch (error) {
        if (error.exitCode !== gatewayIsAway || Date.now() > deadline) throw error;
      }
      await pause(500);
    }
  }

  /** Gives the session's id. The key makes one session of it, however often it is sent. */
  async submit(files, ...options) {
    const { id } = await this.json('submit', '--idempotency-key', randomUUID(), ...options, ...files);
    return id;
  }

  /** The record, once `done` says so of it. */
  async untilRecord(id, done, minutes) {
    const deadline = Date.now() + minutes * 60_000;
    for (;;) {
      const record = await this.json('show', id);
      if (done(record)) return record;
      if (Date.now() > deadline)
        throw new SetupProblem(`Session ${id} is ${record.status} and did not get there within ${minutes} min.`);
      await pause(1000);
    }
  }

  /** Shows what a command prints. Gives its exit code. */
  say(...args) {
    return this.#spawned(args, 'inherit').then(({ code }) => code);
  }

  /** The same, kept instead of shown: {code, events, words}, each event as it arrived. */
  async follow(id) {
    const { code, output, words } = await this.#spawned(['--json', 'watch', id], 'pipe');
    const lines = output.split('\n').filter((line) => line !== '');
    return { code, events: lines.map((line) => JSON.parse(line)), words: words.trim() };
  }

  #spawned(args, output) {
    const child = spawn(projectNode(), this.#line(args), { env: this.env, stdio: ['ignore', output, output] });
    this.#watchers.add(child);
    const said = { output: '', words: '' };
    child.stdout?.on('data', (data) => (said.output += data));
    child.stderr?.on('data', (data) => (said.words += data));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.#watchers.delete(child);
        resolve({ code: code ?? 1, ...said });
      });
    });
  }

  /** Ends what still watches. */
  close() {
    for (const child of this.#watchers) child.kill('SIGTERM');
  }
}
