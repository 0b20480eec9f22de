const special = /[.+^${}()|\\]/g;
const compiled = new Map<string, RegExp>();

/** `*` any text, `?` one character, `[0-9]` a character class; everything else is literal. Case-insensitive. */
const compile = (globs: readonly string[]): RegExp => {
  const sources = globs.map((glob) => glob.replace(special, '\\$&').replace(/\*+/g, '.*').replace(/\?/g, '.'));
  return new RegExp(`^(?:${sources.join('|')})$`, 'is');
};

/** Whether a base name matches a glob of knowledge/file_categories.yaml. */
export const matchesGlob = (name: string, glob: string): boolean => {
  let pattern = compiled.get(glob);
  if (pattern === undefined) {
    pattern = compile([glob]);
    compiled.set(glob, pattern);
  }
  return pattern.test(name);
};

/** The same for several globs, compiled once: whether one of them matches. */
export const globTest = (globs: readonly string[]): ((name: string) => boolean) => {
  const pattern = compile(globs);
  return globs.length === 0 ? (): boolean => false : (name) => pattern.test(name);
};

/** Last part of a path. Paths of sessions are POSIX paths. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Base name without its last extension. */
export const stemOf = (path: string): string => {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
};

/** Whether a reference matches a file: by its path, or by its name if it has no folder. */
export const matchesReference = (path: string, reference: string): boolean =>
  path === reference || (!reference.includes('/') && baseName(path) === reference);

/** The same for many files: whether one of them matches. */
export const referencesTo = (paths: readonly string[]): ((reference: string) => boolean) => {
  const references = new Set(paths.flatMap((path) => [path, baseName(path)]));
  return (reference) => references.has(reference);
};

/** Whether a submitter's reference matches a file: by its path, or by its name, because the folders on the submitter's machine may differ. */
export const matchesByName = (path: string, reference: string): boolean =>
  path === reference || (path.includes('/') && baseName(path) === baseName(reference));

/** The same for many at once. */
export const namedBy = (all: readonly string[]): ((path: string) => boolean) => {
  const paths = new Set(all);
  const names = new Set(all.map(baseName));
  return (path) => paths.has(path) || (path.includes('/') && names.has(baseName(path)));
};
