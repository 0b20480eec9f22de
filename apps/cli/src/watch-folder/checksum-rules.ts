/** What is to be done with files of checksums: they count where there is one, each dataset needs one, or nobody looks. */
export const checksumRules = ['if-there', 'required', 'ignored'] as const;
export type ChecksumRule = (typeof checksumRules)[number];
