import type { SequenceFacts, SessionFile } from '@fleet/contracts/sessions';

/** Undefined for unknown chains. */
const chainsOf = ({ facts: { sequence } }: SessionFile): readonly string[] | undefined => sequence?.sequences;

/** The file that contains all chains of this one; of two equal files the earlier one. */
const containing = (file: SessionFile, files: readonly SessionFile[]): SessionFile | undefined => {
  const own = chainsOf(file);
  if (own === undefined) return undefined;
  return files.find((other) => {
    const theirs = chainsOf(other);
    if (other === file || theirs === undefined || !own.every((chain) => theirs.includes(chain))) return false;
    return theirs.length > own.length || files.indexOf(other) < files.indexOf(file);
  });
};

export interface SequenceContent {
  /** Together they contain every chain; a program that takes a sequence gets all of them. */
  readonly files: readonly SessionFile[];
  /** Redundant files, each with the one that contains its chains. */
  readonly repeated: ReadonlyMap<SessionFile, SessionFile>;
  /** The sum over `files`; undefined if one of them is unknown. */
  readonly facts?: SequenceFacts;
}

const sumOf = (files: readonly SessionFile[]): SequenceFacts | undefined => {
  const all = files.flatMap(({ facts: { sequence } }) => sequence ?? []);
  if (all.length === 0 || all.length < files.length) return undefined;
  const sum = (value: (facts: SequenceFacts) => number): number =>
    all.reduce((total, facts) => total + value(facts), 0);
  return {
    chains: sum(({ chains }) => chains),
    residues: sum(({ residues }) => residues),
    distinct: sum(({ chains, distinct }) => distinct ?? chains),
  };
};

/** Several sequence files form one content: the chains of the crystal or particle. Those of programs count only if none was submitted. */
export const sequenceContent = (sequences: readonly SessionFile[]): SequenceContent => {
  const submitted = sequences.filter(({ cycle }) => cycle === 0);
  const all = submitted.length > 0 ? submitted : sequences;
  const repeated = new Map(
    all.flatMap((file) => {
      const other = containing(file, all);
      return other === undefined ? [] : [[file, other] as const];
    }),
  );
  const files = all.filter((file) => !repeated.has(file));
  const facts = sumOf(files);
  return { files, repeated, ...(facts !== undefined && { facts }) };
};
