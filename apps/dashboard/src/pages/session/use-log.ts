import { useEffect, useRef, useState } from 'react';
import { fetchLog } from '../../api/calls';
import { noLines, withEarlier, withText, type LogLines } from '../../format/log-lines';

/** Identifies a log: a cycle's attempt, by default its last one. */
export interface LogOf {
  readonly id: string;
  readonly cycle: number;
  readonly attempt: number | undefined;
  /**
   * The line to show, from 1: the log is read from its beginning until it is found; undefined: the end, and new lines.
   */
  readonly line: number | undefined;
}

/** The shown part of a log. */
export interface ShownLog extends LogLines {
  /** Its offset: earlier bytes are not shown. */
  readonly from: number;
  readonly size: number;
  /** The attempt; 0: nothing was read yet. */
  readonly attempt: number;
  readonly complete: boolean;
  /** The log continues after the part that was read to show its line. */
  readonly partly: boolean;
  readonly error?: Error;
}

/** Lines read after the requested one, as context. */
const linesAfter = 500;
/** Bytes searched for a line: lines of 20 characters then fill a page as high as browsers can render. */
export const lookedThrough = 16 * 1024 * 1024;

/** Bytes initially read from the end, and added by each request for earlier lines. */
const page = 256 * 1024;
const partBytes = 1024 * 1024;
const pollMs = 2_000;

const nothing: ShownLog = { ...noLines, from: 0, size: 0, attempt: 0, complete: false, partly: false };

/** Follows the end of a log; a hidden page does not poll. */
export const useLog = (of: LogOf): ShownLog & { readonly showEarlier: () => void } => {
  const [log, setLog] = useState<ShownLog>(nothing);
  const end = useRef(new AbortController());
  const { id, cycle, attempt, line } = of;
  useEffect(() => {
    const stop = new AbortController();
    end.current = stop;
    setLog(nothing);
    void follow({ id, cycle, attempt, line }, setLog, stop.signal);
    return () => stop.abort();
  }, [id, cycle, attempt, line]);
  const showEarlier = (): void => {
    void addEarlier(of, log.from, setLog, end.current.signal);
  };
  return { ...log, showEarlier };
};

/** Whether the requested line was read, or is too far away. */
const isThere = ({ line }: LogOf, lines: number, bytes: number): boolean =>
  line !== undefined && (lines > line + linesAfter || bytes >= lookedThrough);

type SetLog = (change: (log: ShownLog) => ShownLog) => void;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A hidden page does not poll. */
const untilNextPoll = async (isOver: () => boolean): Promise<void> => {
  do await pause(pollMs);
  while (document.visibilityState === 'hidden' && !isOver());
};

const failed = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const follow = async (of: LogOf, setLog: SetLog, signal: AbortSignal): Promise<void> => {
  // A multi-byte character may be split between two parts.
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
