// Which libs are mutated, and whose specs have to notice.

/** The smallest first. */
export const mutatedLibs = ['log-parsing', 'commands', 'files', 'workflow'];

const scenarios = process.env.PHENIX_FLEET_TEST_SCENARIOS ? ['test/scenarios'] : [];

/**
 * Folders of specs by round. What the quick specs of the domain do not notice is shown to those that walk whole sessions, and to the
 * recorded requests where they are.
 */
export const roundsOf = (lib) => {
  if (lib === 'log-parsing') return [['libs/domain/log-parsing']];
  const domain = mutatedLibs.filter((each) => each !== 'log-parsing').map((each) => `libs/domain/${each}`);
  return [domain, [...domain, 'libs/application/decision-graph', ...scenarios]];
};
