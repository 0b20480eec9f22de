import { Writable } from 'node:stream';
import { gatherWrites } from './gather-writes';

/** A socket that records each write that reaches the system. */
const aSocket = (): { readonly stream: Writable; readonly writes: string[] } => {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push(chunk);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { stream, writes };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('gatherWrites', () => {
  it('sends the commands of one turn in one write, those of the next turn in another', async () => {
    const { stream, writes } = aSocket();
    const send = (text: string): void => {
      gatherWrites({ status: 'ready', stream });
      stream.write(text);
    };
    send('a');
    await Promise.resolve().then(() => send('b'));
    send('c');
    await nextTurn();
    send('d');
    await nextTurn();
    expect(writes.join('')).toBe('abcd');
    expect(writes.at(-1)).toBe('d');
    expect(writes.length).toBeLessThan(4);
    expect(stream.writableCorked).toBe(0);
  });

  it('does not touch a connection that is not ready', () => {
    const { stream, writes } = aSocket();
    gatherWrites({ status: 'connecting', stream });
    stream.write('a');
    expect(writes).toEqual(['a']);
  });

  it('loses nothing when the connection ends in the same turn', async () => {
    const { stream, writes } = aSocket();
    gatherWrites({ status: 'ready', stream });
    stream.write('a');
    stream.end();
    await nextTurn();
    expect(writes).toEqual(['a']);
  });
});
