import type { Logger } from '@nestjs/common';
import { ErrorLog } from './error-log';

describe('ErrorLog', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = { error: (line: Record<string, unknown>) => lines.push(line) } as unknown as Logger;
  let now = 0;
  beforeEach(() => {
    lines.length = 0;
    now = 0;
  });

  it('logs the same error once in ten seconds, with the number of repetitions', () => {
    const log = new ErrorLog(logger, () => now);
    for (; now < 12_000; now += 1_000) log.report('a sweep', new Error('away'));
    expect(lines).toMatchObject([
      { message: 'a sweep failed', reason: 'away', repeated: 0 },
      { reason: 'away', repeated: 9 },
    ]);
  });

  it('remembers the newest thousand different errors', () => {
    const log = new ErrorLog(logger, () => now);
    for (let job = 0; job <= 1_000; job += 1) log.report('a sweep', new Error(`missing lock for job ${String(job)}`));
    log.report('a sweep', new Error('missing lock for job 1000'));
    expect(lines).toHaveLength(1_001);
    log.report('a sweep', new Error('missing lock for job 0'));
    expect(lines).toHaveLength(1_002);
  });
});
