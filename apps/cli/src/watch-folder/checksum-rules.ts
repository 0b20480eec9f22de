/** Use of checksum files: used if present, required for each dataset, or ignored. */
export const checksumRules = ['if-there', 'required', 'ignored'] as const;
export type ChecksumRule = (typeof checksumRules)[number];
