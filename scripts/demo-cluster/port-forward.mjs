// `kubectl port-forward` for the duration of the demo: it ends with its pod, so it is restarted on the same port.
import { spawn } from 'node:child_process';
import { freePort } from '../setup/ports.mjs';
import { SetupProblem } from '../setup/progress.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class PortForward {
  #child;
  #closed = false;
  #loop;
  #lastWords = '';

  constructor(tools, namespace, service) {
    this.tools = tools;
    this.namespace = namespace;
    this.service = service;
  }

  /** Opens the forward, waits until the Service answers, and returns its URL. */
  async open(timeoutMs = 60_000) {
    this.port = await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    this.#loop = this.#keepOpen();
    const deadline = Date.now() + timeoutMs;
    while (!(await this.answers())) {
      if (Date.now() > deadline)
        throw new SetupProblem(`No answer from Service ${this.service}: ${this.#lastWords.trim()}`);
      await pause(200);
    }
    return this.url;
  }

  async answers() {
    try {
      const response = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(2000) });
      return response.ok;
    } catch (error) {
      if (error instanceof TypeError || error.name === 'TimeoutError') return false; // not listening yet
      throw error;
    }
  }

  async #keepOpen() {
    while (!this.#closed) {
      await this.#once();
      if (!this.#closed) await pause(300);
    }
  }

  #once() {
    const line = ['port-forward', '--namespace', this.namespace, `service/${this.service}`, `${this.port}:80`];
    const child = spawn(this.tools.program('kubectl'), line, {
      env: this.tools.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (data) => (this.#lastWords = String(data)));
    // A forward whose pod has gone stays open without answering; kubectl reports each lost connection.
    child.stderr.on('data', (data) => {
      if (/lost connection|error forwarding|not running/i.test(String(data))) child.kill();
    });
    return new Promise((resolve) => {
      child.on('error', resolve);
      child.on('close', resolve);
    });
  }

  async close() {
    this.#closed = true;
    this.#child?.kill();
    await this.#loop;
  }
}
