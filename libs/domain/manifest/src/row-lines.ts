import { longestRow } from './manifest-limits';
import type { RowText } from './manifest-row';

/** Joins chunks to lines. The rest of a line beyond the maximum is skipped, with a mark. */
export class RowLines {
  private rest = '';
  private cut = false;
  private line = 1;

  *push(text: string): Iterable<RowText> {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.keep(text.slice(start, end));
      start = end + 1;
      yield this.take();
    }
    this.keep(text.slice(start));
  }

  *end(): Iterable<RowText> {
    if (this.rest !== '' || this.cut) yield this.take();
  }

  private keep(text: string): void {
    const room = longestRow - this.rest.length;
    this.rest += text.slice(0, room);
    if (text.length > room) this.cut = true;
  }

  private take(): RowText {
    const taken = { line: this.line, text: this.rest.replace(/\r$/, ''), cut: this.cut };
    this.rest = '';
    this.cut = false;
    this.line += 1;
    return taken;
  }
}
