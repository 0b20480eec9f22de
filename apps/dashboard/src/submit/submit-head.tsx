import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { submitTexts } from '../texts-submit';

/** The two ways to submit. */
export const SubmitHead = (): ReactElement => (
  <>
    <h1 className="hidden">{submitTexts.title}</h1>
    <nav className="ways" aria-label={submitTexts.title}>
      <Link to="/submit" search={{}} activeOptions={{ exact: true, includeSearch: false }}>
        {submitTexts.one}
      </Link>
      <Link to="/submit/manifest" search={{}} activeOptions={{ includeSearch: false }}>
        {submitTexts.many}
      </Link>
    </nav>
  </>
);
