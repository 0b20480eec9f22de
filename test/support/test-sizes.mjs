// The sizes of tests, by the end of their file name (CONTRIBUTING.md), and after how long a test counts as hung, in minutes: long enough for a
// machine on which everything takes ten times as long, since nothing else may depend on its speed.
export const testSizes = {
  small: { suffix: '.spec.ts', hungAfter: 15 },
  medium: { suffix: '.medium-spec.ts', hungAfter: 20 },
  e2e: { suffix: '.e2e-spec.ts', hungAfter: 45 },
  cluster: { suffix: '.cluster-spec.ts', hungAfter: 45 },
  long: { suffix: '.long-spec.ts', hungAfter: 90 },
  bench: { suffix: '.bench.ts', hungAfter: 45 },
};

const named = process.env.TEST_SIZE ?? 'small';
if (!(named in testSizes))
  throw new Error(`TEST_SIZE must be one of ${Object.keys(testSizes).join(', ')}, not ${named}`);

/** The size that this run of Jest has. */
export const testSize = { name: named, ...testSizes[named] };
