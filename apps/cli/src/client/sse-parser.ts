/** One message of an event stream. */
export interface SseMessage {
  readonly event: string;
  readonly data: string;
}

/** Parses Server-Sent Events from text chunks with any boundaries. */
export class SseParser {
  private rest = '';

  /** The messages completed by this chunk. */
  push(piece: string): readonly SseMessage[] {
    const blocks = (this.rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap(readBlock);
  }
}

const readBlock = (block: string): readonly SseMessage[] => {
  const data: string[] = [];
  let event = 'message';
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }];
};
