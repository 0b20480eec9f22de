import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { logLine } from '../../format/log-lines';
import { logTexts } from '../../texts/session';
import css from './session.module.css';

/** A rendered line; only visible ones are rendered, because a log may have a million. */
export const shownLine = (line: string): string => logLine(line, logTexts.cut);

interface Viewed {
  /** As the program wrote them. */
  readonly lines: readonly string[];
  readonly words: string;
  readonly isFollowing: boolean;
  readonly onFollow: (follow: boolean) => void;
  /** The line in the URL, from 1. */
  readonly line: number | undefined;
  /** Content before a line: its number, if known. */
  readonly before: (line: number) => ReactNode;
}

/** Pixels; must equal the height of `.log-line` in dashboard.css. */
const lineHeight = 18;
/** Within this distance of the end the view follows new lines. */
const nearPixels = 40;

/** Renders only the visible lines of a log, as plain text. */
export const LogLinesView = ({ lines, words, isFollowing, onFollow, line, before }: Viewed): ReactElement => {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  const isRead = line !== undefined && line <= lines.length;
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines.length, virtual]);
  useEffect(() => {
    if (isRead) virtual.scrollToIndex(line - 1, { align: 'center' });
  }, [isRead, line, virtual]);
  const isFound = (text: string): boolean => words !== '' && text.toLowerCase().includes(words.toLowerCase());
  return (
    <div
      ref={frame}
      className={css.log}
      role="log"
      tabIndex={0}
      data-testid="log"
      onWheel={({ deltaY }) => {
        if (deltaY < 0) onFollow(false);
      }}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (line === undefined && !isFollowing && scrollHeight - scrollTop - clientHeight < nearPixels) onFollow(true);
      }}
    >
      <div className={css.logAll} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const text = shownLine(lines[index] ?? '');
          return (
            <div
              key={index}
              className={css.line}
              data-testid="log-line"
              {...(isFound(text) && { 'data-found': true })}
              {...(index + 1 === line && { 'data-named': true })}
              style={{ transform: `translateY(${String(start)}px)` }}
            >
              {before(index + 1)}
              <span>{text}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
};
