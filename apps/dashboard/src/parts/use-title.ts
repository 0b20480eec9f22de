import { useEffect } from 'react';
import { shellTexts } from '../texts/shell';

/** Sets the page title. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · ${shellTexts.product}`;
  }, [title]);
