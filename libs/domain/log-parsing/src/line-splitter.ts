/** Longer lines are cut, so that an endless line needs no memory. In characters. */
const longestLine = 4_096;

export interface LineListener {
  /** `lineNumber` is 1-based; `cut` if the line was longer than `longestLine`. */
  (line: string, lineNumber: number, cut: boolean): void;
}

/**
 * Splits a stream of bytes into lines in constant memory: invalid UTF-8 becomes the replacement character, endless lines are cut. A carriage
 * return at the end of a line is dropped; inside a line (progress displays) it is passed to the listener.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8');
  private rest = '';
  private cut = false;
  private count = 0;

  constructor(private readonly listener: LineListener) {}

  push(chunk: Uint8Array): void {
    this.take(this.decoder.decode(chunk, { stream: true }));
  }

  /** Flushes a last line without a line feed. Returns the number of lines. */
  end(): number {
    this.take(this.decoder.decode());
    if (this.rest !== '' || this.cut) this.emit(this.rest);
    return this.count;
  }

  private take(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.emit(this.append(text, from, at));
      from = at + 1;
    }
    this.rest = this.append(text, from, text.length);
  }

  /** The current line so far, at most `longestLine` characters of it. */
  private append(text: string, from: number, to: number): string {
    const room = longestLine - this.rest.length;
    if (to - from > room) this.cut = true;
    const piece = text.slice(from, Math.min(to, from + Math.max(0, room)));
    return this.rest === '' ? piece : this.rest + piece;
  }

  private emit(line: string): void {
    this.count += 1;
    const cut = this.cut;
    this.rest = '';
    this.cut = false;
    this.listener(line.endsWith('\r') ? line.slice(0, -1) : line, this.count, cut);
  }
}
