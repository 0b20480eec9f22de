import { useEffect, useState } from 'react';

/** The value as it was when nothing more had been typed for a while (milliseconds). */
export const useLater = <T>(value: T, waitMs: number): T => {
  const [later, setLater] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLater(JSON.parse(text) as T);
    }, waitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [text, waitMs]);
  return later;
};
