import { useEffect, useRef, useState } from 'react';
import { fetchLog } from '../../api/calls';
import { noLines, withEarlier, withText, type LogLines } from '../../format/log-lines';

/** Which log: of a cycle's attempt, its last one where none is named. */
export interface LogOf {
  readonly id: string;
  readonly cycle: number;
  readonly attempt: number | undefined;
  /** The line to show, from 1: the log is read from its beginning until it is there; undefined: its end, and what comes. */
  readonly line: number | undefined;
}

/** What of a log is shown. */
export interface ShownLog extends LogLines {
  /** Where it begins: what lies before is not shown. */
  readonly from: number;
  readonly size: number;
  /** Whose it is; 0: nothing of it was read yet. */
  readonly attempt: number;
  readonly complete: boolean;
  /** It continues after what was read to show its line. */
  readonly partly: boolean;
  readonly error?: Error;
}

/** Lines after the one that is shown, for what stands around it. */
const linesAfter = 500;
/** Bytes in which a line is looked for: lines of 20 letters fill a part of a page that is as high as browsers draw. */
export const lookedThrough = 16 * 1024 * 1024;

/** Bytes from the end that are read at first, and that each look at what lies before adds. */
const page = 256 * 1024;
const partBytes = 1024 * 1024;
const pollMs = 2_000;

const nothing: ShownLog = { ...noLines, from: 0, size: 0, attempt: 0, complete: false, partly: false };

/** Follows a log from its end on; a page that nobody sees does not look. */
export const useLog = (of: LogOf): ShownLog & { readonly showEarlier: () => void } => {
  const [log, setLog] = useState<ShownLog>(nothing);
  const end = useRef(new AbortController());
  const { id, cycle, attempt, line } = of;
  useEffect(() => {
    const stop = new AbortController();
    end.current = stop;
    setLog(nothing);
    void follow({ id, cycle, attempt, line }, setLog, stop.signal);
    return () => {
      stop.abort();
    };
  }, [id, cycle, attempt, line]);
  const showEarlier = (): void => {
    void addEarlier(of, log.from, setLog, end.current.signal);
  };
  return { ...log, showEarlier };
};

/** Whether what is read shows the line that is asked for, or the line is too far away. */
const isThere = ({ line }: LogOf, lines: number, bytes: number): boolean =>
  line !== undefined && (lines > line + linesAfter || bytes >= lookedThrough);

type SetLog = (change: (log: ShownLog) => ShownLog) => void;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A page that nobody sees does not look. */
const untilNextPoll = async (isOver: () => boolean): Promise<void> => {
  do await pause(pollMs);
  while (document.visibilityState === 'hidden' && !isOver());
};

const failed = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const follow = async (of: LogOf, setLog: SetLog, signal: AbortSignal): Promise<void> => {
  // A letter may be cut in two between two parts.
  const decoder = new TextDecoder();
  let next = of.line === undefined ? -page : 0;
  let lines = 0;
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
        attempt: part.attempt,
        complete: part.complete,
        partly: false,
      }));
      lines += text.split('\n').length - 1;
      if (part.complete) return;
      if (part.next < part.size && isThere(of, lines, next)) {
        setLog((log) => ({ ...log, partly: true }));
        return;
      }
      if (part.next < part.size) continue;
    } catch (error) {
      if (isOver()) return;
      const failure = failed(error);
      setLog((log) => ({ ...log, error: failure }));
    }
    await untilNextPoll(isOver);
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
    const failure = failed(error);
    setLog((log) => ({ ...log, error: failure }));
  }
};
