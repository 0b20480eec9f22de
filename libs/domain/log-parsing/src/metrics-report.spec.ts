import { metricsOfReport, withoutMetricsReport } from './index';

const stars = '*'.repeat(30);

/** A remark followed by the agent's report in its frame. */
const reported = (...entries: readonly string[]): string =>
  ['The model fits.', '', stars, 'FINAL QUALITY METRICS REPORT:', ...entries, stars, 'Bye: 7'].join('\n');

const valuesOf = (...entries: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(metricsOfReport(reported(...entries)).map(({ name, value }) => [name, value]));

describe("the metrics of the agent's report", () => {
  it("have the service's names, their line, and their source", () => {
    expect(metricsOfReport(reported('  R Free: 0.2500', ' CC (mask):  0.81'))).toEqual([
      { name: 'r_free', value: 0.25, line: 5, pattern: 'metrics report' },
      { name: 'cc_mask', value: 0.81, line: 6, pattern: 'metrics report' },
    ]);
  });

  it.each([
    ['0.2500', 0.25],
    ['-12', -12],
    ['1.5e-3', 0.0015],
    ['1.80 Å', 1.8],
    ['1.80A', 1.8],
    ['97.5 %', 97.5],
    ['True', true],
    ['False', false],
    ['P 21 21 21', 'P 21 21 21'],
    ['2.0 to 3.5', '2.0 to 3.5'],
    ['0.25  ', 0.25],
  ])('are parsed as printed: %j is %p', (printed, value) => {
    expect(valuesOf(`Some Metric: ${printed}`)).toEqual({ some_metric: value });
  });

  it('exclude unknown values', () => {
    expect(valuesOf('R Free: None', 'R Work: 0.2')).toEqual({ r_work: 0.2 });
  });

  it('are unique by name, the first counts, and need a name', () => {
    expect(valuesOf('R Free: 0.25', 'R free: 0.31', '---- : 5', 'a line of text')).toEqual({ r_free: 0.25 });
  });

  it('end at the line of stars, or with the text', () => {
    expect(valuesOf('R Free: 0.25')).not.toHaveProperty('bye');
    expect(metricsOfReport('FINAL QUALITY METRICS REPORT:\nR Free: 0.25\n  R Work: 0.2')).toMatchObject([
      { name: 'r_free', line: 2 },
      { name: 'r_work', line: 3 },
    ]);
  });

  it('are those of the last report', () => {
    expect(metricsOfReport(`${reported('R Free: 0.31')}\r\n${reported('R Free: 0.25')}`)).toMatchObject([
      { name: 'r_free', value: 0.25 },
    ]);
  });

  it('are empty without a report', () => {
    expect(metricsOfReport('R Free: 0.25')).toEqual([]);
  });
});

describe('a text without its report', () => {
  it('ends before the line of stars above the title', () => {
    expect(withoutMetricsReport(reported('R Free: 0.25'))).toBe('The model fits.');
    expect(
      withoutMetricsReport(reported('R Free: 0.25').replace(`${stars}\nFINAL`, `  ${'-'.repeat(30)} \n  FINAL`)),
    ).toBe('The model fits.');
  });

  it('includes the line above a title without a line of stars', () => {
    expect(withoutMetricsReport('  One.\nTwo.\nFINAL QUALITY METRICS REPORT:\nR Free: 0.25')).toBe('  One.\nTwo.');
    expect(withoutMetricsReport('FINAL QUALITY METRICS REPORT:\nR Free: 0.25')).toBe('');
  });

  it('is the text itself without a report', () => {
    expect(withoutMetricsReport('The model\n fits. ')).toBe('The model\n fits. ');
  });
});
