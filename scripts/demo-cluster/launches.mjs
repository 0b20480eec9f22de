// Records whether programs may start, according to the administrator's API during an upgrade.
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Records each change of the launch mode until `stop` is called. */
export class LaunchDiary {
  #client;
  #going = true;
  #failure;
  #loop;
  /** {mode, by, reason, since} in order of observation. */
  seen = [];

  constructor(client) {
    this.#client = client;
    this.#loop = this.#write();
  }

  async #write() {
    try {
      while (this.#going) {
        const { launches } = await this.#client.json('admin', 'status');
        const last = this.seen.at(-1);
        if (launches.mode !== last?.mode || launches.since !== last.since) this.seen.push(launches);
        await pause(500);
      }
    } catch (error) {
      this.#failure = error; // stop() throws this error
    }
  }

  /** Whether launches reached this mode before the diary was closed. */
  async saw(mode) {
    while (this.#going && this.#failure === undefined) {
      if (this.seen.at(-1)?.mode === mode) return true;
      await pause(200);
    }
    return false;
  }

  /** Throws the client's error if the gateway stayed unavailable. */
  async stop() {
    this.#going = false;
    await this.#loop;
    if (this.#failure !== undefined) throw this.#failure;
    return this.seen;
  }
}

/** Grace period: an executor that has just read "open" may still create its current Job. */
const inProgressMs = 2000;

/** Those of these Jobs that were created while launches were drained. Kubernetes gives creation times in whole seconds. */
export function launchedMeanwhile(launches, jobs) {
  const drained = launches.findIndex(({ mode }) => mode === 'draining');
  const opened = launches.find(({ mode }, index) => drained >= 0 && index > drained && mode === 'open');
  if (drained < 0 || opened === undefined) return [];
  const from = Date.parse(launches[drained].since) + inProgressMs;
  const to = Math.floor(Date.parse(opened.since) / 1000) * 1000;
  return jobs.filter(({ createdAt }) => Date.parse(createdAt) > from && Date.parse(createdAt) < to);
}
