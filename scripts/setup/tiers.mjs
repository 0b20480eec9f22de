/** ARCHITECTURE.md explains each tier. Every lib is in one of them: libs/<tier>/<lib>. */
export const tiers = ['domain', 'application', 'adapters', 'platform'];

/** Folders that may contain a lib: those of the tiers, and libs itself, because libs/testing is in no tier. tsconfig.json has the same list. */
export const libFolders = [...tiers.map((tier) => `libs/${tier}`), 'libs'];
