import { FrameReader } from './frame-reader';

describe('an event stream', () => {
  const stream =
    ': a comment\nid: 1\ndata: {"a":\ndata: 1}\n\nevent: ready\r\nid: 2\r\ndata:\r\n\r\nid: 3\n\n: only a comment\n\n';
  const frames = [
    { event: '', id: '1', data: '{"a":\n1}' },
    { event: 'ready', id: '2', data: '' },
    { event: '', id: '3', data: '' },
  ];

  it('is parsed with any chunk boundaries', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const reader = new FrameReader();
      const parts = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        stream.slice(at * size, (at + 1) * size),
      );
      expect(parts.flatMap((part) => reader.push(part))).toEqual(frames);
    }
  });

  it('ignores an incomplete message', () => {
    expect(new FrameReader().push('id: 1\ndata: half\n')).toEqual([]);
  });
});
