import type { AuditEntry } from '@fleet/contracts/audit';
import { StdoutForwarder } from './stdout-forwarder';

describe('the audit log, forwarded to standard output', () => {
  it('is marked JSON lines, with the number of lines that were not read', async () => {
    let [text, lost, isBroken] = ['', 0, false];
    const forwarder = new StdoutForwarder(
      (count) => (lost += count),
      (bytes) => {
        if (isBroken) throw Object.assign(new Error('cannot write'), { code: 'EPIPE' });
        text += bytes.toString();
        return bytes.length;
      },
    );
    const entry = { id: '1', who: 'ada', object: 'line\nbreak' } as AuditEntry;
    forwarder.take(entry);
    isBroken = true;
    forwarder.take(entry);
    forwarder.take(entry);
    forwarder.take(entry);
    expect(lost).toBe(3);
    isBroken = false;
    forwarder.take(entry);
    await forwarder.close();
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { audit: entry },
      { auditNotForwarded: 3 },
      { audit: entry },
    ]);
    expect(lost).toBe(3);
  });
});
