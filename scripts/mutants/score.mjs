// Reads the results that Stryker keeps.

const detected = new Set(['Killed', 'Timeout']);
const undetected = new Set(['Survived', 'NoCoverage']);

const share = (mutants) => {
  const killed = mutants.filter(({ status }) => detected.has(status)).length;
  const survived = mutants.filter(({ status }) => undetected.has(status)).length;
  const score =
    killed + survived === 0 ? '   -  ' : `${((100 * killed) / (killed + survived)).toFixed(1).padStart(5)}%`;
  const uncovered = mutants.filter(({ status }) => status === 'NoCoverage').length;
  return `${score}  killed ${String(killed).padStart(4)}  survived ${String(survived - uncovered).padStart(4)}  no test ${String(uncovered).padStart(4)}`;
};

const shortName = (file) => file.replace(/^.*\/src\//, '');

/** One line for each file and one for the lib: score, killed (or endless), survived, not run by any test. */
export const scoreOf = (lib, { files }) => [
  ...Object.entries(files).map(([file, { mutants }]) => `${share(mutants)}  ${shortName(file)}`),
  `${share(Object.values(files).flatMap(({ mutants }) => mutants))}  ${lib}`,
];

const original = ({ source }, { start, end }) => {
  const lines = source.split('\n');
  const first = lines[start.line - 1].slice(start.column - 1);
  return start.line === end.line ? first.slice(0, end.column - start.column) : `${first} …`;
};

const told = (name, file, { location, status, replacement = '' }) =>
  `${name}:${location.start.line}  ${status === 'NoCoverage' ? 'no test: ' : ''}${original(file, location)}  →  ${replacement.replaceAll(/\s+/g, ' ')}`;

/** What survived, a line each: file, line, what stood there and what it was replaced by. */
export const survivorsOf = ({ files }) =>
  Object.entries(files).flatMap(([name, file]) =>
    file.mutants.filter(({ status }) => undetected.has(status)).map((mutant) => told(shortName(name), file, mutant)),
  );
