import { LogOutput } from './log-output';

/** A log whose disk fills and empties, or whose reader stops. */
class Target {
  text = '';
  trouble: string | undefined;
  /** Bytes that it accepts of the next write before the failure. */
  room = Number.POSITIVE_INFINITY;

  readonly write = (bytes: Buffer): number => {
    const taken = Math.min(this.trouble === undefined ? bytes.length : this.room, bytes.length);
    if (taken === 0) throw Object.assign(new Error('cannot write'), { code: this.trouble });
    if (this.trouble !== undefined) this.room -= taken;
    this.text += bytes.toString('utf8', 0, taken);
    return taken;
  };

  fail(trouble: string, room = 0): void {
    [this.trouble, this.room] = [trouble, room];
  }
}

const outputTo = (target: Target): LogOutput =>
  new LogOutput(1, {
    write: target.write,
    notice: ({ count, reason }) => `${String(count)} lost: ${reason}`,
  });

describe('a log that cannot be written', () => {
  it.each(['ENOSPC', 'EIO', 'EPIPE', 'EBADF'])(
    'loses lines on %s, counts them, and reports that once when it is back',
    (code) => {
      const target = new Target();
      const output = outputTo(target);
      output.line('a');
      target.fail(code);
      for (const line of ['b', 'c', 'd']) output.line(line);
      target.trouble = undefined;
      for (const line of ['e', 'f']) output.line(line);
      expect(target.text).toBe(`a\n3 lost: ${code}\ne\nf\n`);
    },
  );

  it('keeps the count even if the report itself is lost', () => {
    const target = new Target();
    const output = outputTo(target);
    target.fail('ENOSPC');
    output.line('a');
    target.fail('EIO', 3);
    output.line('b');
    target.trouble = undefined;
    output.line('c');
    expect(target.text).toBe('1 l\n2 lost: EIO\nc\n');
  });

  it('begins a new line after a truncated one', () => {
    const target = new Target();
    const output = outputTo(target);
    target.fail('ENOSPC', 4);
    output.line('{"a":1}');
    output.line('{"b":2}');
    target.trouble = undefined;
    output.line('{"c":3}');
    expect(target.text).toBe('{"a"\n2 lost: ENOSPC\n{"c":3}\n');
  });

  it('buffers lines for a slow reader, in order, up to its limit, and then loses and counts them', () => {
    const target = new Target();
    const output = outputTo(target);
    target.fail('EAGAIN', 1);
    const long = 'x'.repeat(200_000);
    for (let count = 0; count < 8; count += 1) output.line(`${String(count)}${long}`);
    target.trouble = undefined;
    output.line('end');
    output.finish();
    const starts = target.text.split('\n').map((line) => line.slice(0, 8));
    expect(starts).toEqual([...['0', '1', '2', '3', '4', '5'].map((n) => `${n}xxxxxxx`), '2 lost: ', 'end', '']);
  });
});
