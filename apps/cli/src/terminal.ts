import { styleText } from 'node:util';

/** Where the client's output goes, and what it may do there. Given from outside, so that tests own it. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** True: a person looks at it, lines may be rewritten. */
  readonly live: boolean;
  readonly colors: boolean;
  /** Characters in a line. */
  columns(): number;
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** Who submits, by default. */
  readonly user: string;
  /** Asks a person who sits there; undefined where nobody can answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** Reads what nobody else may see: typed, or from a pipe. */
  readonly readSecret: (question: string) => Promise<string>;
  /** The key out of FLEET_API_KEY; a key is never an option, for everybody on the machine sees those. */
  readonly apiKey?: string | undefined;
  /** FLEET_KNOWLEDGE_DIR; absent: the knowledge that is shipped with phx. */
  readonly knowledgeFolder?: string | undefined;
  /** The user's folder of configurations. */
  readonly configFolder: string;
  /** The user's folder for what programs keep from one run to the next. */
  readonly stateFolder: string;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Aborted by Ctrl-C, and by SIGTERM, which from the first call on no longer ends the process by itself. */
  readonly stopRequested: () => AbortSignal;
  /** Waits so many milliseconds; rejects when `signal` is aborted, `interrupted` where none is given. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

export const painter = (colors: boolean): Paint =>
  colors ? (style, text): string => styleText(style, text, { validateStream: false }) : (_, text): string => text;
