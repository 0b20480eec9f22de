/** Milliseconds of CPU that this thread has spent; the wall clock would include other processes. */
export const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Milliseconds of CPU that this thread spends on a piece of work. */
export const cpuMillisecondsOf = (work: () => void): number => {
  const before = cpuMilliseconds();
  work();
  return cpuMilliseconds() - before;
};
