import { useEffect, useRef, useState } from 'react';
import { fetchLog } from '../api/calls';
import { noLines, withEarlier, withText, type LogLines } from '../format/log-lines';

/** Which log: of a cycle's attempt, its last one where none is named. */
export interface LogOf {
  readonly id: string;
  readonly cycle: number;
  readonly attempt: number | undefined;
}

/** What of a log is shown. */
export interface ShownLog extends LogLines {
  /** Where it begins: what lies before is not shown. */
  readonly from: number;
  readonly size: number;
  readonly complete: boolean;
  readonly error?: Error;
}

/** Bytes from the end that are read at first, and that each look at what lies before adds. */
const page = 256 * 1024;
const partBytes = 1024 * 1024;
const lookMs = 2_000;

const nothing: ShownLog = { ...noLines, from: 0, size: 0, complete: false };

/** Follows a log from its end on; a page that nobody sees does not look. */
export const useLog = (of: LogOf): ShownLog & { readonly showEarlier: () => void } => {
  const [log, setLog] = useState<ShownLog>(nothing);
  const end = useRef(new AbortController());
  const { id, cycle, attempt } = of;
  useEffect(() => {
    const stop = new AbortController();
    end.current = stop;
    setLog(nothing);
    void follow({ id, cycle, attempt }, setLog, stop.signal);
    return () => {
      stop.abort();
    };
  }, [id, cycle, attempt]);
  const showEarlier = (): void => {
    void addEarlier(of, log.from, setLog, end.current.signal);
  };
  return { ...log, showEarlier };
};

type SetLog = (change: (log: ShownLog) => ShownLog) => void;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const follow = async (of: LogOf, setLog: SetLog, signal: AbortSignal): Promise<void> => {
  // A letter may be cut in two between two parts.
  const decoder = new TextDecoder();
  let next = -page;
  let attempt = of.attempt;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      const part = await fetchLog({ ...of, attempt }, { offset: next, limit: partBytes }, signal);
      const isFirst = next < 0;
      attempt = part.attempt;
      const text = decoder.decode(part.bytes, { stream: true });
      next = part.next;
      setLog((log) => ({
        ...withText(log, text),
        from: isFirst ? part.offset : log.from,
        size: part.size,
        complete: part.complete,
      }));
      if (part.complete) return;
      if (part.next < part.size) continue;
    } catch (error) {
      if (isOver()) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      setLog((log) => ({ ...log, error: failure }));
    }
    do await pause(lookMs);
    while (document.visibilityState === 'hidden' && !isOver());
  }
};

const addEarlier = async (of: LogOf, from: number, setLog: SetLog, signal: AbortSignal): Promise<void> => {
  const offset = Math.max(0, from - page);
  try {
    const part = await fetchLog(of, { offset, limit: from - offset }, signal);
    const text = new TextDecoder().decode(part.bytes);
    setLog((log) => (log.from === from ? { ...log, ...withEarlier(log, text), from: offset } : log));
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof Error ? error : new Error(String(error));
    setLog((log) => ({ ...log, error: failure }));
  }
};
