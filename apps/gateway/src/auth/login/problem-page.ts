import type { ProblemDetails } from '@fleet/contracts/sessions';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Whether a browser shows the answer to a person. */
export const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') === true;

/**
 * What went wrong with a login, for a person; programs read the same as problem+json.
 * @param again where it is begun again
 */
export const problemPage = ({ title, detail }: Pick<ProblemDetails, 'title' | 'detail'>, again: string): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>`,
    `<h1>${escaped(title)}</h1>`,
    `<p>${escaped(detail)}</p>`,
    `<p><a href="${escaped(again)}">Log in</a></p>`,
    '',
  ].join('\n');
