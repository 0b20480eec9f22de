import { isApiError, type ApiError } from '@fleet/api-client';
import type { UploadView } from '@fleet/contracts/uploads';
import { uploadTexts } from '../texts/upload';
import { markOf, type StoredUploads } from './stored-uploads';

/** Bytes per request: the maximum loss of a broken connection. */
export const chunkBytes = 4 * 1024 * 1024;
/** Bytes above which a file is not read twice, for its checksum and to be sent. */
export const largestDigested = 2 * 1024 ** 3;

const retryMs = 1_000;
const longestRetryMs = 15_000;
const waitMs = (failures: number): number => Math.min(longestRetryMs, retryMs * 2 ** failures);
/** Maximum rejections at the gateway's own offset; a request that it considers in progress ends before. */
const mostStalls = 7;

/** The creation of an upload. */
export interface UploadRequest {
  readonly filename: string;
  readonly proposal: string;
  readonly size: number;
  /** Of the whole file, in hex; absent if it is too large to be read twice. */
  readonly sha256?: string;
}

/** The gateway's calls. */
export interface UploadCalls {
  begin(request: UploadRequest, signal: AbortSignal): Promise<UploadView>;
  find(id: string, signal: AbortSignal): Promise<UploadView>;
  /** @returns the bytes that the gateway has then */
  send(id: string, offset: number, chunk: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number>;
}

/** Progress, in bytes. */
export interface SendingStep {
  /** `offline`: no response; it is retried. */
  readonly kind: 'checking' | 'sending' | 'offline';
  readonly done: number;
}

export interface SendingTools {
  readonly calls: UploadCalls;
  readonly uploads: StoredUploads;
  readonly digest: (file: File, onDone: (bytes: number) => void, signal: AbortSignal) => Promise<string>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly report: (step: SendingStep) => void;
}

const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  isApiError(error) && statuses.includes(error.status);

/** Whether a retry may succeed: no response, a proxy without upstream, or a rate limit. */
const passes = (error: unknown): boolean => hasStatus(error, 0, 429, 502, 503, 504);

const busyCode = 'upload.busy';
/** Whether the gateway's offset differs, or another request of the same upload is in progress. */
const isElsewhere = (error: unknown): error is ApiError =>
  isApiError(error) && ['upload.wrong_offset', 'upload.complete', busyCode].includes(error.code);

const readChunk = async (file: File, offset: number): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await file.slice(offset, offset + chunkBytes).arrayBuffer());
  } catch (error) {
    throw new Error(uploadTexts.unreadable(error instanceof Error ? error.message : String(error)), { cause: error });
  }
};

/** Sends a file from where it was left. After an interruption another instance continues at the gateway's offset. */
export class FileSending {
  private readonly mark: string;
  private done = 0;
  private stalls = 0;

  constructor(
    private readonly file: File,
    private readonly proposal: string,
    private readonly tools: SendingTools,
    private readonly signal: AbortSignal,
  ) {
    this.mark = markOf(proposal, file);
  }

  /**
   * @returns its path on the gateway's machine
   * @throws ApiError if the gateway rejects it, Error with a sentence if the file cannot be read or is rejected as a
   *   whole
   */
  async run(): Promise<string> {
    let upload = (await this.begun()) ?? (await this.begin());
    while (upload.state === 'receiving') upload = await this.sendFrom(upload);
    this.tools.uploads.forget(this.mark);
    if (upload.path === undefined) throw new Error(upload.problem ?? uploadTexts.refused);
    return upload.path;
  }

  /** An earlier upload that can be resumed. */
  private async begun(): Promise<UploadView | undefined> {
    const id = this.tools.uploads.find(this.mark);
    if (id === undefined) return undefined;
    try {
      const upload = await this.steadily(() => this.tools.calls.find(id, this.signal));
      if (upload.state !== 'refused') return upload;
    } catch (error) {
      if (!hasStatus(error, 403, 404, 410)) throw error;
    }
    this.tools.uploads.forget(this.mark);
    return undefined;
  }

  private async begin(): Promise<UploadView> {
    const { name, size } = this.file;
    const sha256 = size <= largestDigested ? await this.digest() : undefined;
    // Systems use two Unicode forms of the same name.
    const request = {
      filename: name.normalize('NFC'),
      proposal: this.proposal,
      size,
      ...(sha256 !== undefined && { sha256 }),
    };
    const upload = await this.steadily(() => this.tools.calls.begin(request, this.signal));
    this.tools.uploads.keep(this.mark, upload.id);
    return upload;
  }

  private digest(): Promise<string> {
    this.report('checking', 0);
    return this.tools.digest(this.file, (done) => this.report('checking', done), this.signal);
  }

  /** Sends one chunk; if the gateway has another offset, its offset counts. */
  private async sendFrom(upload: UploadView): Promise<UploadView> {
    this.report('sending', upload.offset);
    try {
      const chunk = await readChunk(this.file, upload.offset);
      const offset = await this.steadily(() => this.tools.calls.send(upload.id, upload.offset, chunk, this.signal));
      this.stalls = 0;
      if (offset < upload.size) return { ...upload, offset };
      this.report('sending', offset);
    } catch (error) {
      if (!isElsewhere(error) || this.stalls === mostStalls) throw error;
      if (error.code === busyCode || this.stalls > 0) await this.tools.wait(waitMs(this.stalls), this.signal);
      this.stalls += 1;
    }
    return this.steadily(() => this.tools.calls.find(upload.id, this.signal));
  }

  /** Retries while there is no response. */
  private async steadily<T>(ask: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      this.signal.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        if (!passes(error)) throw error;
      }
      this.report('offline', this.done);
      await this.tools.wait(waitMs(failures), this.signal);
    }
  }

  private report(kind: SendingStep['kind'], done: number): void {
    if (kind === 'sending') this.done = done;
    this.tools.report({ kind, done });
  }
}
