import { ApiError } from '@fleet/api-client';
import type { UploadView } from '@fleet/contracts/uploads';
import { FileSending, largestDigested, chunkBytes, type SendingStep, type UploadRequest } from './file-sending';
import { StoredUploads, markOf } from './stored-uploads';

const bytes = new Uint8Array(chunkBytes * 2 + 3).map((_, at) => at % 251);
const aFile = (content = bytes): File => new File([content], 'data.mtz', { lastModified: 7 });

const memory = (): Pick<Storage, 'getItem' | 'setItem'> => {
  const items = new Map<string, string>();
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => void items.set(name, value) };
};

const refusal = (status: number, code: string, detail: string): ApiError =>
  new ApiError(status, detail, { type: 'about:blank', title: code, status, code, detail, instance: '', requestId: '' });

/** A gateway that stores what it receives, and fails on request. */
class FakeGateway {
  readonly requests: string[] = [];
  request: UploadRequest | undefined;
  readonly chunks: Uint8Array[] = [];
  /** Errors of the next requests. */
  failures: (Error | undefined)[] = [];
  end: Partial<UploadView> = { state: 'complete', path: '/data/mx1/data.mtz' };
  view: UploadView | undefined;

  readonly calls = {
    begin: (request: UploadRequest): Promise<UploadView> =>
      this.answer('begin', () => {
        this.request = request;
        const { proposal, filename: name, size } = request;
        const expiresAt = '2026-11-25T00:00:00.000Z';
        return (this.view = { id: 'u1', proposal, name, size, offset: 0, state: 'receiving', expiresAt });
      }),
    find: (id: string): Promise<UploadView> =>
      this.answer(`find ${id}`, () => {
        if (this.view === undefined) throw new ApiError(404, 'There is no such upload.');
        return this.view;
      }),
    send: (_: string, offset: number, chunk: Uint8Array): Promise<number> =>
      this.answer(`send ${String(offset)}`, () => {
        if (offset !== this.view?.offset) throw refusal(409, 'upload.wrong_offset', 'Another offset.');
        this.chunks.push(chunk);
        const reached = offset + chunk.length;
        this.view = { ...this.view, offset: reached, ...(reached === this.view.size && this.end) };
        return reached;
      }),
  };

  private async answer<T>(what: string, value: () => T): Promise<T> {
    this.requests.push(what);
    await Promise.resolve();
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    return value();
  }
}

describe('sending a file', () => {
  let gateway: FakeGateway;
  let uploads: StoredUploads;
  let steps: SendingStep[];
  let waits: number[];
  beforeEach(() => {
    [gateway, uploads, steps, waits] = [new FakeGateway(), new StoredUploads(memory()), [], []];
  });

  const send = (file = aFile(), signal = new AbortController().signal): Promise<string> =>
    new FileSending(
      file,
      'mx1',
      {
        calls: gateway.calls,
        uploads,
        digest: () => Promise.resolve('5a'),
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
        report: (step) => steps.push(step),
      },
      signal,
    ).run();
  const nobody = new ApiError(0, 'Failed to fetch');

  it('sends it in chunks, with its checksum, and returns its path', async () => {
    expect(await send()).toBe('/data/mx1/data.mtz');
    expect(gateway.request).toEqual({ filename: 'data.mtz', proposal: 'mx1', size: bytes.length, sha256: '5a' });
    expect(Buffer.concat(gateway.chunks).equals(bytes)).toBe(true);
    const sent = [0, 1, 2].map((chunk) => `send ${String(chunk * chunkBytes)}`);
    expect(gateway.requests).toEqual(['begin', ...sent, 'find u1']);
    expect(steps.map(({ done }) => done)).toEqual([0, 0, chunkBytes, 2 * chunkBytes, bytes.length]);
    expect(uploads.find(markOf('mx1', aFile()))).toBeUndefined();
  });

  it('normalises its name to composed characters, as the gateway requires', async () => {
    await send(new File(['x'], 'Messung-u\u0308.mtz'));
    expect(gateway.request?.filename).toBe('Messung-\u00fc.mtz');
  });

  it("resumes the same file after a reload, from the gateway's offset", async () => {
    gateway.failures = [undefined, undefined, new ApiError(401, 'Who are you?')];
    await expect(send()).rejects.toThrow('Who are you?');
    gateway.requests.length = 0;
    await send();
    expect(gateway.requests.slice(0, 2)).toEqual(['find u1', `send ${String(chunkBytes)}`]);
    expect(Buffer.concat(gateway.chunks).equals(bytes)).toBe(true);
  });

  it('begins again if the gateway has deleted or rejected it', async () => {
    uploads.keep(markOf('mx1', aFile()), 'u0');
    expect(await send()).toBe('/data/mx1/data.mtz');
    expect(gateway.requests.slice(0, 2)).toEqual(['find u0', 'begin']);
    uploads.keep(markOf('mx1', aFile()), 'u1');
    gateway.view = gateway.view && { ...gateway.view, state: 'refused' };
    await send();
    expect(gateway.request).toBeDefined();
    expect(gateway.requests.filter((what) => what === 'begin')).toHaveLength(2);
  });

  it('retries while there is no response, at growing intervals, and loses nothing', async () => {
    gateway.failures = [undefined, undefined, nobody, new ApiError(503, 'soon'), nobody, undefined];
    await send();
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(steps.filter(({ kind }) => kind === 'offline').map(({ done }) => done)).toEqual(
      Array.from({ length: 3 }, () => chunkBytes),
    );
    expect(Buffer.concat(gateway.chunks).equals(bytes)).toBe(true);
  });

  it("uses the gateway's offset after a lost response", async () => {
    const { send: sendChunk } = gateway.calls;
    let lost = false;
    gateway.calls.send = async (...given) => {
      const reached = await sendChunk(...given);
      if (lost) return reached;
      lost = true;
      throw nobody;
    };
    await send();
    expect(gateway.requests).toEqual([
      'begin',
      'send 0',
      'send 0',
      'find u1',
      `send ${String(chunkBytes)}`,
      `send ${String(2 * chunkBytes)}`,
      'find u1',
    ]);
    expect(Buffer.concat(gateway.chunks).equals(bytes)).toBe(true);
  });

  it('waits for an earlier request that is still in progress', async () => {
    const busy = refusal(423, 'upload.busy', 'Another request writes to it.');
    gateway.failures = [undefined, busy, undefined, busy];
    await send();
    expect(waits).toEqual([1000, 2000]);
    expect(Buffer.concat(gateway.chunks).equals(bytes)).toBe(true);
  });

  it('gives up if the gateway accepts nothing at its own offset', async () => {
    gateway.calls.send = () => Promise.reject(refusal(409, 'upload.wrong_offset', 'It continues elsewhere.'));
    await expect(send()).rejects.toThrow('It continues elsewhere.');
    expect(waits).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  it('reports why its last chunk was rejected, and begins with it again', async () => {
    const exists = refusal(409, 'upload.exists', 'There is such a file already.');
    gateway.end = { state: 'refused', problem: exists.message };
    gateway.failures = [undefined, undefined, undefined, exists];
    await expect(send()).rejects.toThrow('There is such a file already.');
  });

  it('reports why a file is rejected as a whole, and begins with it again', async () => {
    gateway.end = { state: 'refused', problem: 'Its SHA-256 is another one.' };
    await expect(send()).rejects.toThrow('Its SHA-256 is another one.');
    expect(uploads.find(markOf('mx1', aFile()))).toBeUndefined();
  });

  it('reports that the file has disappeared meanwhile', async () => {
    const file = aFile();
    file.slice = () => {
      throw new DOMException('The requested file could not be found.', 'NotFoundError');
    };
    await expect(send(file)).rejects.toThrow(/moved or changed after selection.*could not be found/);
  });

  it('sends no checksum of a file that is too large to be read twice', async () => {
    const file = aFile(new Uint8Array(1));
    Object.defineProperty(file, 'size', { value: largestDigested + 1 });
    gateway.failures = [new ApiError(422, 'Too large.')];
    await expect(send(file)).rejects.toThrow('Too large.');
    expect(steps).toEqual([]);
  });

  it('stops between two requests', async () => {
    const end = new AbortController();
    gateway.failures = [undefined, nobody];
    const sending = send(aFile(), end.signal);
    end.abort(new Error('paused'));
    await expect(sending).rejects.toThrow('paused');
    expect(gateway.requests.length).toBeLessThan(2);
  });
});
