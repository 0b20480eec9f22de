/** Calls on their way at once. */
const IN_FLIGHT = 32;

/** Does all of it, some at a time. */
export const allOf = async (acts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const left = acts.values();
  const worker = async (): Promise<void> => {
    for (const act of left) await act();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
};
