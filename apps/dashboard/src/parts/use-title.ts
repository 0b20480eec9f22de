import { useEffect } from 'react';
import { shellTexts } from '../texts/shell';

/** What the browser calls the page. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · ${shellTexts.product}`;
  }, [title]);
};
