/** The submitter's words. Nothing reads free text yet, and nobody is to think that it was followed. */
export const adviceText = (advice: string): string =>
  advice.trim() === '' ? 'none' : `${advice} (stored, not followed yet; settings and directives are)`;
