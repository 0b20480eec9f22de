import type { PurgeReport, PurgeRequest } from '@fleet/contracts/retention';
import type { Retention } from '@fleet/retention';
import { RetentionWorker } from './retention-worker';

const report = (nextCursor?: string): PurgeReport => ({
  rules: [],
  held: 0,
  failed: [],
  ...(nextCursor !== undefined && { nextCursor }),
});

describe('RetentionWorker', () => {
  it('finishes interrupted deletions, announces what is due in a week, then purges page after page', async () => {
    const done: string[] = [];
    let isOver = (): void => undefined;
    const over = new Promise<void>((resolve) => (isOver = resolve));
    const retention: Pick<Retention, 'finishPurges' | 'tellExpiries' | 'purgeDue'> = {
      finishPurges: () => {
        done.push('finish');
        return Promise.resolve({ finished: 0, bytes: 0, failed: [] });
      },
      tellExpiries: () => {
        done.push('announce');
        return Promise.resolve();
      },
      purgeDue: ({ after }: PurgeRequest) => {
        done.push(`purge ${after ?? 'first'}`);
        if (after !== undefined) isOver();
        return Promise.resolve(report(after === undefined ? 'record.' : undefined));
      },
    };
    const worker = new RetentionWorker(retention as Retention);
    worker.onApplicationBootstrap();
    await over;
    await worker.beforeApplicationShutdown();
    expect(done).toEqual(['finish', 'announce', 'purge first', 'purge record.']);
  });
});
