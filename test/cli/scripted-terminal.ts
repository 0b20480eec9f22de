import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../../apps/cli/src/run-cli';
import type { Terminal } from '../../apps/cli/src/terminal';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly live?: boolean;
  readonly interrupted?: AbortSignal;
  /** Answers of the user at the terminal; by default none. */
  readonly answer?: string;
  /** What is typed or piped where a secret is asked for. */
  readonly secret?: string;
  /** FLEET_API_KEY. */
  readonly apiKey?: string;
  readonly knowledgeFolder?: string;
  /** File of logins; by default not stored. */
  readonly configFolder?: string;
  /** Folder for the state of watched folders; by default not stored. */
  readonly stateFolder?: string;
  /** Sees all that is printed as it is printed. */
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
  /** Called each time that it is about to wait, with how often it has waited before; the wait itself is short. */
  readonly onPause?: (before: number) => void | Promise<void>;
}

/** Runs `phx` in this process. */
export const runPhx = async (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
  const printed = { out: '', err: '' };
  let pauses = 0;
  const interrupted = options.interrupted ?? new AbortController().signal;
  const terminal: Terminal = {
    out: (text) => {
      const piece = typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
      printed.out += piece;
      options.onOut?.(piece);
    },
    err: (text) => {
      printed.err += text;
      options.onErr?.(text);
    },
    live: options.live ?? false,
    colors: false,
    columns: () => 80,
    cwd: options.cwd ?? process.cwd(),
    user: 'tester',
    ...(options.answer !== undefined && {
      ask: (question: string): Promise<string> => {
        printed.err += question;
        return Promise.resolve(options.answer ?? '');
      },
    }),
    readSecret: () => Promise.resolve(options.secret ?? ''),
    apiKey: options.apiKey,
    knowledgeFolder: options.knowledgeFolder,
    configFolder: options.configFolder ?? '/nothing/of/this/name',
    stateFolder: options.stateFolder ?? '/nothing/of/this/name',
    interrupted,
    stopRequested: () => interrupted,
    pause: async (ms, signal = interrupted) => {
      await options.onPause?.(pauses++);
      await sleep(Math.min(ms, 5), undefined, { signal });
    },
  };
  const code = await runCli(args, terminal);
  return { code, ...printed };
};
