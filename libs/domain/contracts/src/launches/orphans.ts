/** Looks after which a run is believed to be an orphan: one alone may have met a record and a cluster in different moments. */
export const sightingsOfOrphan = 2;
