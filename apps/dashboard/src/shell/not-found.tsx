import type { ReactElement } from 'react';
import { Page } from '../parts/page';
import { shellTexts } from '../texts/shell';

/** What a URL without a page shows. */
export const NotFound = (): ReactElement => (
  <Page>
    <h1>{shellTexts.notFound}</h1>
    <p>{shellTexts.notFoundWhy}</p>
  </Page>
);
