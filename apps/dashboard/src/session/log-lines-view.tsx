import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactElement } from 'react';

interface Viewed {
  readonly lines: readonly string[];
  readonly words: string;
  readonly isFollowing: boolean;
  readonly onFollow: (follow: boolean) => void;
}

/** Pixels; `.log-line` in dashboard.css is as high. */
const lineHeight = 18;
/** Whoever is that near to the end wants to see what comes. */
const nearPixels = 40;

/** Of a log only the lines that are seen are drawn, each as text and nothing else. */
export const LogLinesView = ({ lines, words, isFollowing, onFollow }: Viewed): ReactElement => {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines.length, virtual]);
  const isMarked = (line: string): boolean => words !== '' && line.toLowerCase().includes(words.toLowerCase());
  return (
    <div
      ref={frame}
      className="log"
      role="log"
      tabIndex={0}
      data-testid="log"
      onWheel={({ deltaY }) => {
        if (deltaY < 0) onFollow(false);
      }}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (!isFollowing && scrollHeight - scrollTop - clientHeight < nearPixels) onFollow(true);
      }}
    >
      <div className="log-all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={`log-line${isMarked(lines[index] ?? '') ? ' log-found' : ''}`}
            style={{ transform: `translateY(${String(start)}px)` }}
          >
            {lines[index]}
          </div>
        ))}
      </div>
    </div>
  );
};
