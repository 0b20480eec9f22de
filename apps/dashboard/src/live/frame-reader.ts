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

/** Reads an event stream as it arrives, cut anywhere (WHATWG HTML, 9.2.6). What has an id but no data is a message here, too: it moves the place. */
export class FrameReader {
  private rest = '';
  private open: Open = { event: '', data: [] };

  /** The messages that this part completes. */
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
