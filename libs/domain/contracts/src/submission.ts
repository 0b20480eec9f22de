import { text } from './schema';

const folderName = '[A-Za-z0-9](?:[A-Za-z0-9_-]|\\.(?!\\.))*';
const folderNameAllowed = 'letters, digits, ".", "_" and "-", starting with a letter or digit';
const oneLine = { pattern: '^[^\\p{Cc}]*$', 'x-allowed': 'one line of text' } as const;

/** What a submitter says in words; the record keeps it as it is. */
export const submitted = {
  title: text('a name for people; by default the name of the first file', { default: '', maxLength: 200, ...oneLine }),
  proposal: text('the proposal the data belong to; results lie in a folder of this name', {
    default: 'none',
    maxLength: 64,
    pattern: `^${folderName}$`,
    'x-allowed': folderNameAllowed,
  }),
  beamline: text('the beamline or microscope', {
    default: '',
    maxLength: 64,
    pattern: `^$|^${folderName}$`,
    'x-allowed': folderNameAllowed,
  }),
  submitter: text('who submits', { default: '', maxLength: 200, ...oneLine }),
  advice: text(
    'a note in plain words: kept, not followed yet; what is to be followed goes into settings and directives',
    {
      default: '',
      maxLength: 20_000,
      // A NUL ends strings in the programs that would read it.
      pattern: '^[^\\u0000]*$',
      'x-allowed': 'text without NUL characters',
    },
  ),
} as const;
