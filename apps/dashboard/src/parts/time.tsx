import { useEffect, useState, type ReactElement } from 'react';
import { serverNow } from '../api/calls';
import { agoText, timeText } from '../format/times';

/** Milliseconds of the gateway's clock, updated every second. */
export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

/** The age of a time, with the time itself on hover. */
export const Ago = ({ at }: { readonly at: string }): ReactElement => {
  const now = useNow(5000);
  return (
    <time dateTime={at} title={timeText(at)}>
      {agoText(at, now)}
    </time>
  );
};
