const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes for people: `950 B`, `1.2 MB`. */
export const bytesText = (bytes: number): string => {
  if (bytes < 1000) return `${String(bytes)} B`;
  let value = bytes;
  let unit = -1;
  do {
    value /= 1000;
    unit += 1;
  } while (value >= 999.5 && unit < units.length - 1);
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[unit] ?? ''}`;
};
