import { useEffect, useState } from 'react';

/** The value with a debounce (milliseconds). */
export const useLater = <T>(value: T, waitMs: number): T => {
  const [later, setLater] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(JSON.parse(text) as T), waitMs);
    return () => clearTimeout(timer);
  }, [text, waitMs]);
  return later;
};
