/** What each tier is for, ARCHITECTURE.md says. A lib lies in one of them: libs/<tier>/<lib>. */
export const tiers = ['domain', 'application', 'adapters', 'platform'];

/** Folders in which a lib may lie: its tier's, or libs itself, for libs/testing lies in none. tsconfig.json has the same list. */
export const libFolders = [...tiers.map((tier) => `libs/${tier}`), 'libs'];
