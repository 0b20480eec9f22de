/**
 * Whether the gateway serves another build than the one that runs.
 * @param page the text of its index.html
 * @param own the program that runs
 */
export const isOtherBuild = (page: string, own: string | undefined): boolean =>
  own !== undefined && /<script\b/.test(page) && !page.includes(own);
