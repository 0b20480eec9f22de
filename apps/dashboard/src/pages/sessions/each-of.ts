/** The outcome of one of many. */
export type Outcome = { readonly done: true } | { readonly done: false; readonly why: string };

/** Requests at once: a gateway has other clients. */
const together = 4;

/**
 * Does the same to many, some at a time; one that is refused stops none of the others.
 * @param onEnded told of each as it ends
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
