import { useEffect } from 'react';
import { texts } from '../texts';

/** What the browser calls the page. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
};
