import fc from 'fast-check';
import { SseParser } from './sse-parser';

const stream =
  'retry: 1000\n\nid: 1-0\ndata: {"a":"ü\\n"}\n\n: waiting\n\nid: 2-0\r\ndata: x\r\ndata: y\r\n\r\nevent: end\ndata: {}\n\n';
const messages = [
  { event: 'message', data: '{"a":"ü\\n"}' },
  { event: 'message', data: 'x\ny' },
  { event: 'end', data: '{}' },
];

describe('SseParser', () => {
  it('parses messages and skips comments', () => {
    expect(new SseParser().push(stream)).toEqual(messages);
  });

  it('has the same result for any chunk boundaries', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
        const parser = new SseParser();
        const places = [0, ...cuts.sort((one, other) => one - other), stream.length];
        const read = places.flatMap((from, index) => parser.push(stream.slice(from, places[index + 1] ?? from)));
        expect(read).toEqual(messages);
      }),
    );
  });

  it('buffers an incomplete message', () => {
    const parser = new SseParser();
    expect(parser.push('data: a\n')).toEqual([]);
    expect(parser.push('\n')).toEqual([{ event: 'message', data: 'a' }]);
  });
});
