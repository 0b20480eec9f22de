import { createTheme } from '@mantine/core';

/** What differs from the library's own theme has to stand in dashboard.css too, for its variables are a static file. */
export const theme = createTheme({ cursorType: 'pointer', respectReducedMotion: true });
