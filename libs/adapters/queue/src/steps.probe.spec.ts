import { StepsProbe } from './steps.probe';

const limit = { stepAgeLimitS: 300 };

describe('StepsProbe', () => {
  it.each([
    ['nothing runs', { inProgress: 0, oldestMs: 0 }, true],
    ['a hundred steps are young', { inProgress: 100, oldestMs: 299_000 }, true],
    ['one step hangs', { inProgress: 1, oldestMs: 302_000 }, false],
  ])('reports whether steps make progress while %s', async (_what, steps, healthy) => {
    const report = await new StepsProbe(steps, limit).check();
    expect(report.healthy).toBe(healthy);
    expect(report.detail).toMatchObject({ inProgress: steps.inProgress, oldestS: steps.oldestMs / 1000 });
  });
});
