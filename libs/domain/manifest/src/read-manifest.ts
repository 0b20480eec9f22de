import { errnoOf } from '@fleet/contracts/faults';
import { CsvRows } from './csv-rows';
import { JsonLines } from './json-lines';
import { manifestFault } from './manifest-fault';
import { largestManifest } from './manifest-limits';
import type { ManifestEntry, RowReader } from './manifest-row';
import { YamlEntries } from './yaml-entries';

const manifestFormats = ['csv', 'yaml', 'jsonl'] as const;
export type ManifestFormat = (typeof manifestFormats)[number];

const readers: Readonly<Record<ManifestFormat, new () => RowReader>> = {
  csv: CsvRows,
  yaml: YamlEntries,
  jsonl: JsonLines,
};

const mib = 1024 * 1024;

/** UTF-8, with or without a byte order mark. */
class ManifestText {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private bytes = 0;

  of(piece: Uint8Array): string {
    this.bytes += piece.byteLength;
    if (this.bytes > largestManifest) {
      const allowed = `at most ${String(largestManifest / mib)} MiB; rows can be added in parts`;
      throw manifestFault('The manifest is too large.', [{ field: 'manifest', reason: 'is too large', allowed }]);
    }
    return this.decoded(() => this.decoder.decode(piece, { stream: true }));
  }

  end(): string {
    return this.decoded(() => this.decoder.decode());
  }

  private decoded(decode: () => string): string {
    try {
      return decode();
    } catch (error) {
      if (errnoOf(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      const reason = `is not UTF-8 (before byte ${String(this.bytes)})`;
      throw manifestFault('The manifest cannot be read.', [{ field: 'manifest', reason, allowed: 'text in UTF-8' }]);
    }
  }
}

/**
 * The rows of a manifest, in order as it arrives, in the memory of one row. An invalid row is reported with its reason, and reading continues
 * after it; only lines without content are skipped.
 * @throws Fault `manifest.invalid` (caller) if the rest cannot be read: it is not UTF-8, too large, or has an invalid header
 */
export async function* readManifest(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: ManifestFormat,
): AsyncGenerator<ManifestEntry> {
  const text = new ManifestText();
  const reader = new readers[format]();
  for await (const piece of pieces) yield* reader.push(text.of(piece));
  yield* reader.push(text.end());
  yield* reader.end();
}
