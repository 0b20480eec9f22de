import { choice, flag, list, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

export const backendNames = ['local', 'kubernetes'] as const;
export type BackendName = (typeof backendNames)[number];
/** The vendor of a program: a licensed PHENIX, an open program under PHENIX's name, or a scripted stand-in. */
export const programProviders = ['phenix', 'open-phenix', 'simulated'] as const;
export type ProgramProvider = (typeof programProviders)[number];

export const installedProgramSchema = record(
  {
    program: text("PHENIX's own name, for example `phenix.refine`"),
    provider: choice(programProviders),
    version: text('for example `PHENIX 2.0-5793` or `Servalcat 0.4.142`'),
    command: list(
      text(),
      "what to execute: absolute path first, then fixed arguments (a stand-in takes the program's name)",
    ),
  },
  {
    source: text(
      "which of the backend's installations it belongs to (an image or a software volume); absent where there is one only",
    ),
    images: record(
      {},
      { cpu: text(), gpu: text() },
      'digests of its images by class of node, `sha256:…`; absent: no container, or an image that is named by a tag only',
    ),
  },
  'a program that a backend can run',
);
export type InstalledProgram = Described<typeof installedProgramSchema>;

const programCatalogueSchema = record(
  { backend: choice(backendNames), probedAt: time(), programs: list(installedProgramSchema) },
  {
    withheld: list(
      record({ program: text(), why: text('one clause') }),
      'installed as well, but not allowed by the settings of the site; absent: none',
    ),
  },
  'what a backend published about its programs',
);
export type ProgramCatalogue = Described<typeof programCatalogueSchema>;

const programViewSchema = record(
  'Program',
  { program: text(), installed: flag() },
  {
    provider: choice(programProviders),
    version: text(),
    withheld: text('why the site does not allow it; it counts as not installed'),
  },
  'a program known to the agent or installed on the backend',
);
export type ProgramView = Described<typeof programViewSchema>;

export const programsViewSchema = record(
  'Programs',
  { backend: choice(backendNames), programs: list(programViewSchema) },
  { probedAt: time('absent: no executor has published its programs yet') },
);
export type ProgramsView = Described<typeof programsViewSchema>;
