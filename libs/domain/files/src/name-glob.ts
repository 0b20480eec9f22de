const special = /[.+^${}()|\\]/g;
const compiled = new Map<string, RegExp>();

/** `*` any text, `?` one character, `[0-9]` one of; everything else is itself. Case does not matter. */
const compile = (glob: string): RegExp => {
  const source = glob.replace(special, '\\$&').replace(/\*+/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'is');
};

/** Whether a base name matches a glob of knowledge/file_categories.yaml. */
export const matchesGlob = (name: string, glob: string): boolean => {
  let pattern = compiled.get(glob);
  if (pattern === undefined) {
    pattern = compile(glob);
    compiled.set(glob, pattern);
  }
  return pattern.test(name);
};

/** Last part of a path. Paths of sessions are POSIX paths. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Base name without its last extension. */
export const stemOf = (path: string): string => {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
};
