/** `phenix.refine` is `refine` in names of facts and folders, and in texts. */
export const shortName = (program: string): string => program.replace(/^phenix\./, '');
