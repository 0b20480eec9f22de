// Runs the command-line client as a user does, and retries while the gateway is unavailable for a moment.
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { checkout, projectNode } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/progress.mjs';

/** Exit code of phx: the gateway failed or is unreachable, for example while its pod is replaced and the port forward is broken. */
const gatewayIsAway = 5;
const timeoutMs = 120_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Client {
  #watchers = new Set();

  /** key: an API key; empty if no key exists yet. */
  constructor(url, key) {
    this.url = url;
    this.env = { ...process.env, FLEET_API_KEY: key };
  }

  #line(args) {
    return [path.join(checkout, 'dist/apps/cli/src/main.js'), '--server', this.url, ...args];
  }

  /** Output of `phx --json …`. For commands that may run twice; throws the last error if the gateway stays unavailable. */
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

  /** Submits and returns the session's id. The idempotency key makes one session, however often the request is sent. */
  async submit(files, ...options) {
    const { id } = await this.json('submit', '--idempotency-key', randomUUID(), ...options, ...files);
    return id;
  }

  /** Waits until `done` accepts the session's record, and returns it. */
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

  /** Runs a command with its output on the terminal and returns its exit code. */
  say(...args) {
    return this.#spawned(args, 'inherit').then(({ code }) => code);
  }

  /** Watches a session and returns the collected output: {code, events, words}, each event as it arrived. */
  async follow(id) {
    const { code, output, words } = await this.#spawned(['--json', 'watch', id], 'pipe');
    const lines = output.split('\n').filter((line) => line !== '');
    return { code, events: lines.map((line) => JSON.parse(line)), words: words.trim() };
  }

  #spawned(args, output) {
    const child = spawn(projectNode(), this.#line(args), { env: this.env, stdio: ['ignore', output, output] });
    this.#watchers.add(child);
    const collected = { output: '', words: '' };
    child.stdout?.on('data', (data) => (collected.output += data));
    child.stderr?.on('data', (data) => (collected.words += data));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.#watchers.delete(child);
        resolve({ code: code ?? 1, ...collected });
      });
    });
  }

  /** Ends all running watchers. */
  close() {
    for (const child of this.#watchers) child.kill('SIGTERM');
  }
}
