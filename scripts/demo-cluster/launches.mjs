// Whether programs may start, as the administrator's API tells it while an upgrade is under way.
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Notes each change of the launches until it is told to stop. */
export class LaunchDiary {
  #client;
  #going = true;
  #failure;
  #loop;
  /** {mode, by, reason, since} in the order in which they were seen. */
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
      this.#failure = error; // stop() throws it
    }
  }

  /** Whether launches got into this state before the diary was closed. */
  async saw(mode) {
    while (this.#going && this.#failure === undefined) {
      if (this.seen.at(-1)?.mode === mode) return true;
      await pause(200);
    }
    return false;
  }

  /** Throws what the client said when the gateway stayed away. */
  async stop() {
    this.#going = false;
    await this.#loop;
    if (this.#failure !== undefined) throw this.#failure;
    return this.seen;
  }
}

/** An executor that has just read "open" may still make the Job it is at. */
const underWayMs = 2000;

/** Of these Jobs, those that were made while launches were drained. Kubernetes gives the time of creation in whole seconds. */
export function launchedMeanwhile(launches, jobs) {
  const drained = launches.findIndex(({ mode }) => mode === 'draining');
  const opened = launches.find(({ mode }, index) => drained >= 0 && index > drained && mode === 'open');
  if (drained < 0 || opened === undefined) return [];
  const from = Date.parse(launches[drained].since) + underWayMs;
  const to = Math.floor(Date.parse(opened.since) / 1000) * 1000;
  return jobs.filter(({ createdAt }) => Date.parse(createdAt) > from && Date.parse(createdAt) < to);
}
