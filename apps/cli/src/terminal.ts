import { styleText } from 'node:util';

/** The client's output and environment. Injected, so that tests control it. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** True: a user watches, and lines may be rewritten. */
  readonly live: boolean;
  readonly colors: boolean;
  /** Characters in a line. */
  columns(): number;
  /** Base folder of relative paths. */
  readonly cwd: string;
  /** The default submitter. */
  readonly user: string;
  /** Asks the user; undefined if none can answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** Reads a secret: typed without echo, or from a pipe. */
  readonly readSecret: (question: string) => Promise<string>;
  /** The key in FLEET_API_KEY; a key is never an option, because all users of the machine can see those. */
  readonly apiKey?: string | undefined;
  /** FLEET_KNOWLEDGE_DIR; absent: the knowledge shipped with phx. */
  readonly knowledgeFolder?: string | undefined;
  /** The user's configuration folder. */
  readonly configFolder: string;
  /** The user's folder for state that programs keep between runs. */
  readonly stateFolder: string;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Aborted by Ctrl-C, and by SIGTERM, which from the first call on no longer ends the process by itself. */
  readonly stopRequested: () => AbortSignal;
  /** Waits this many milliseconds; rejects when `signal`, by default `interrupted`, is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

export const painter = (colors: boolean): Paint =>
  colors ? (style, text): string => styleText(style, text, { validateStream: false }) : (_, text): string => text;
