import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { submitTexts } from '../../texts/submit';
import css from '../../parts/ways.module.css';

/** Tabs of the two submission forms. */
export const SubmitHead = (): ReactElement => (
  <>
    <VisuallyHidden component="h1">{submitTexts.title}</VisuallyHidden>
    <nav className={css.ways} data-below aria-label={submitTexts.title}>
      <Link to="/submit" search={{}} activeOptions={{ exact: true, includeSearch: false }}>
        {submitTexts.one}
      </Link>
      <Link to="/submit/manifest" search={{}} activeOptions={{ includeSearch: false }}>
        {submitTexts.many}
      </Link>
    </nav>
  </>
);
