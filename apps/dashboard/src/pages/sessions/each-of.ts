/** The result of one of many. */
export type Outcome = { readonly done: true } | { readonly done: false; readonly why: string };

/** Concurrent requests: a gateway has other clients. */
const together = 4;

/**
 * Applies an action to many, some at a time; a failure does not stop the others.
 * @param onEnded called as each ends
 */
export const eachOf = async (
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  onEnded: (id: string, outcome: Outcome) => void,
): Promise<void> => {
  const rest = [...ids];
  const take = async (): Promise<void> => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
      try {
        await work(id);
        onEnded(id, { done: true });
      } catch (error) {
        onEnded(id, { done: false, why: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: together }, take));
};
