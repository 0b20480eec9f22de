/** The promise's value, or undefined as soon as `stop` is aborted; the promise itself continues. */
export const untilAborted = async <T>(promise: Promise<T>, stop: AbortSignal): Promise<T | undefined> => {
  let onAbort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = (): void => resolve(undefined);
    if (stop.aborted) onAbort();
    else stop.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
};
