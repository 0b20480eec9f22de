import { isApiError } from '@fleet/api-client';
import type { SendingStep } from './file-sending';
import { markOf } from './stored-uploads';
import { uploadProblem } from './upload-problem';

/** The state of a file. */
type UploadState =
  /** `login`: the user must log in again. */
  | { readonly kind: 'waiting' | 'paused' | 'login' }
  | SendingStep
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'complete'; readonly path: string };

export interface QueuedFile {
  /** Its key. */
  readonly mark: string;
  readonly file: File;
  readonly proposal: string;
  /** Bytes that the gateway has. */
  readonly done: number;
  readonly state: UploadState;
}

export interface QueueTools {
  /** Sends a file from where it was left, and returns its path. */
  readonly send: (
    file: File,
    proposal: string,
    report: (step: SendingStep) => void,
    signal: AbortSignal,
  ) => Promise<string>;
  /** Deletes a file's upload at the gateway. */
  readonly remove: (mark: string) => Promise<void>;
  /** Called when the user must log in again. */
  readonly onRefused: (error: Error) => void;
}

const isUnknown = (error: unknown): error is Error => isApiError(error) && error.status === 401;

/** Files that are sent in sequence. An interrupted one resumes where it was. */
export class UploadQueue {
  private files: readonly QueuedFile[] = [];
  private readonly listeners = new Set<() => void>();
  /** The file in progress. */
  private current: { readonly mark: string; readonly end: AbortController } | undefined;
  private ended = Promise.resolve();

  constructor(private readonly tools: QueueTools) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly list = (): readonly QueuedFile[] => this.files;

  /** A queued file is not added twice; a failed one is retried. */
  add(files: readonly File[], proposal: string): void {
    for (const file of files) {
      const mark = markOf(proposal, file);
      const before = this.files.find((one) => one.mark === mark);
      if (before === undefined)
        this.files = [...this.files, { mark, file, proposal, done: 0, state: { kind: 'waiting' } }];
      else if (before.state.kind === 'failed' || before.state.kind === 'paused')
        // The previous one may have been moved.
        this.set(mark, { file, state: { kind: 'waiting' } });
    }
    this.changed();
  }

  pause(mark: string): void {
    this.set(mark, { state: { kind: 'paused' } });
    if (this.current?.mark === mark) this.current.end.abort();
    this.changed();
  }

  resume(mark: string): void {
    this.set(mark, { state: { kind: 'waiting' } });
    this.changed();
  }

  /** Resumes files that waited for a login. */
  resumeAfterLogin(): void {
    for (const { mark, state } of this.files) if (state.kind === 'login') this.resume(mark);
  }

  /** Removes it here and at the gateway. If the gateway does not respond it stays, with an error. */
  async cancel(mark: string): Promise<void> {
    const ended = this.current?.mark === mark ? this.ended : undefined;
    this.pause(mark);
    await ended;
    try {
      await this.tools.remove(mark);
      this.takeOut([mark]);
    } catch (error) {
      this.set(mark, { state: { kind: 'failed', why: uploadProblem(error) } });
      this.changed();
      if (isUnknown(error)) this.tools.onRefused(error);
    }
  }

  takeOut(marks: readonly string[]): void {
    this.files = this.files.filter(({ mark }) => !marks.includes(mark));
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
    const isClosed = this.files.some(({ state }) => state.kind === 'login');
    const next = this.files.find(({ state }) => state.kind === 'waiting');
    if (this.current === undefined && next !== undefined && !isClosed) this.ended = this.send(next);
  }

  private async send({ mark, file, proposal }: QueuedFile): Promise<void> {
    const end = new AbortController();
    this.current = { mark, end };
    const report = (step: SendingStep): void => {
      if (end.signal.aborted) return;
      this.set(mark, { state: step, ...(step.kind !== 'checking' && { done: step.done }) });
      this.changed();
    };
    try {
      const path = await this.tools.send(file, proposal, report, end.signal);
      this.set(mark, { done: file.size, state: { kind: 'complete', path } });
    } catch (error) {
      if (!end.signal.aborted) this.failed(mark, error);
    }
    this.current = undefined;
    this.changed();
  }

  private failed(mark: string, error: unknown): void {
    const isRefused = isUnknown(error);
    this.set(mark, { state: isRefused ? { kind: 'login' } : { kind: 'failed', why: uploadProblem(error) } });
    if (isRefused) this.tools.onRefused(error);
  }

  private set(mark: string, more: Partial<Pick<QueuedFile, 'file' | 'done' | 'state'>>): void {
    this.files = this.files.map((one) => (one.mark === mark ? { ...one, ...more } : one));
  }
}
