/** Number of sightings after which a run counts as an orphan: a single one may have read record and cluster at different moments. */
export const sightingsOfOrphan = 2;
