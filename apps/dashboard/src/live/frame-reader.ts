/** One message of an event stream. */
export interface Frame {
  /** The name of the message; empty: none. */
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

interface Open {
  event: string;
  id?: string;
  data: string[];
}

/**
 * Parses an event stream with any chunk boundaries (WHATWG HTML, 9.2.6). Unlike there, an id without data is a message
 * too: it moves the cursor.
 */
export class FrameReader {
  private rest = '';
  private open: Open = { event: '', data: [] };

  /** The messages completed by this chunk. */
  push(text: string): readonly Frame[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.read(line));
  }

  private read(line: string): readonly Frame[] {
    if (line === '') return this.finish();
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') this.open.event = value;
    if (name === 'id' && !value.includes('\0')) this.open.id = value;
    if (name === 'data') this.open.data.push(value);
    return [];
  }

  private finish(): readonly Frame[] {
    const { event, id, data } = this.open;
    this.open = { event: '', data: [] };
    if (id === undefined && data.length === 0) return [];
    return [{ event, ...(id !== undefined && { id }), data: data.join('\n') }];
  }
}
