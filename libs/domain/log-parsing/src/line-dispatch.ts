import type { LineReader } from './line-reader';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * Shows lines to readers. Nearly all lines of a log are of no interest to anybody: one search for all triggers together spares
 * them the readers, which makes the difference between 3 and 60 MB/s.
 */
export class LineDispatch {
  private readonly eager: readonly LineReader[];
  private readonly triggered: readonly LineReader[];
  private readonly anyTrigger: RegExp | undefined;

  constructor(readonly readers: readonly LineReader[]) {
    this.eager = readers.filter(({ triggers }) => triggers === undefined);
    this.triggered = readers.filter(({ triggers }) => triggers !== undefined);
    const texts = new Set(this.triggered.flatMap(({ triggers }) => triggers ?? []));
    this.anyTrigger = texts.size === 0 ? undefined : new RegExp([...texts].map(escaped).join('|'));
  }

  line(text: string, lineNumber: number): void {
    for (const reader of this.eager) reader.line(text, lineNumber);
    if (this.anyTrigger?.test(text) === true) for (const reader of this.triggered) reader.line(text, lineNumber);
  }
}
