/** A model's text, and its preceding thoughts. */
export interface Thoughts {
  readonly text: string;
  readonly thinking: string;
}

const open = /^\s*<(think|thinking|reasoning)>/i;

/**
 * Splits a reply that begins with thoughts between tags, as many open models write it. Thoughts without a closing tag
 * are not a reply.
 */
export const apart = (written: string): Thoughts => {
  const begun = open.exec(written);
  if (begun === null) return { text: written, thinking: '' };
  const [tag, name = ''] = begun;
  const end = written.toLowerCase().indexOf(`</${name.toLowerCase()}>`, tag.length);
  if (end === -1) return { text: '', thinking: written.slice(tag.length) };
  return { text: written.slice(end + name.length + 3), thinking: written.slice(tag.length, end) };
};
