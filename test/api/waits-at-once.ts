/** Something that can be waited for in the store. */
interface Waited<Arguments extends readonly unknown[], Answer> {
  waitAfter(...given: Arguments): Promise<Answer>;
}

/** Counts from now on how many waits are under way at the same time, at the most. */
export const waitsAtOnce = <Arguments extends readonly unknown[], Answer>(
  port: Waited<Arguments, Answer>,
): (() => number) => {
  let [now, most] = [0, 0];
  const waitAfter = port.waitAfter.bind(port);
  port.waitAfter = async (...given) => {
    now += 1;
    most = Math.max(most, now);
    try {
      return await waitAfter(...given);
    } finally {
      now -= 1;
    }
  };
  return () => most;
};
