/** The HTTP status of what the API server answered; undefined for a connection that failed. */
export const statusOf = (error: unknown): number | undefined => {
  const code: unknown = Reflect.get(Object(error) as object, 'code');
  return typeof code === 'number' ? code : undefined;
};

/** What a healthy server never answers to a right request: it is away, its store is, or the object has moved on. */
const passing = new Set([404, 409, 410, 429, 500, 502, 503, 504]);
const brokenConnection = /abort|terminated|premature|socket|ECONN|EPIPE|fetch failed|other side closed/i;

/** True for what a client meets while the API server or its store is away, and for an object that is gone meanwhile. */
export const isApiTrouble = (error: unknown): boolean => {
  const status = statusOf(error);
  if (status !== undefined) return passing.has(status);
  if (!(error instanceof Error)) return false;
  return brokenConnection.test(error.message) || (error.cause !== undefined && isApiTrouble(error.cause));
};

/** What it comes to; undefined when the API server is in trouble. @throws every other error */
export const unlessInTrouble = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isApiTrouble(error)) return undefined;
    throw error;
  }
};
