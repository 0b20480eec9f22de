import type { ProblemDetails } from '@fleet/contracts/sessions';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Whether the client is a browser that shows the response to a user. */
export const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') === true;

/**
 * The error of a login as a page; programs get the same as problem+json.
 * @param again URL to begin again
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
