/** Milliseconds of CPU that this thread spends on a piece of work; the wall clock would include other processes. */
export const cpuMillisecondsOf = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
