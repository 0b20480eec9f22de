/** What a model wrote, and what it thought before. */
export interface Thoughts {
  readonly text: string;
  readonly thinking: string;
}

const open = /^\s*<(think|thinking|reasoning)>/i;

/** Takes apart an answer that begins with its thoughts between tags, as many open models write it. Thoughts without an end are no answer. */
export const apart = (written: string): Thoughts => {
  const begun = open.exec(written);
  if (begun === null) return { text: written, thinking: '' };
  const [tag, name = ''] = begun;
  const end = written.toLowerCase().indexOf(`</${name.toLowerCase()}>`, tag.length);
  if (end === -1) return { text: '', thinking: written.slice(tag.length) };
  return { text: written.slice(end + name.length + 3), thinking: written.slice(tag.length, end) };
};
