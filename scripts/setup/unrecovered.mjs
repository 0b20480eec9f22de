// Sessions of a work root that the database does not know: those of a release that kept its records in Redis, or of a lost database.
import fs from 'node:fs';
import path from 'node:path';

const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(folder, name));

/** Whether `proposal/session/session.json` is there for any session. */
const hasSessionFolders = (workRoot) =>
  foldersIn(workRoot).some((proposal) =>
    foldersIn(proposal).some((session) => fs.existsSync(path.join(session, 'session.json'))),
  );

async function hasSessions(urlFile) {
  // npm's packages are there by the time that an installation is ready, not when this module is loaded.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: fs.readFileSync(urlFile, 'utf8').trim() });
  await client.connect();
  try {
    return (await client.query('SELECT EXISTS (SELECT FROM sessions) AS found')).rows[0].found;
  } finally {
    await client.end();
  }
}

/** What to do about session folders beside an empty database of the installation's own, or undefined where there is nothing to do. */
export async function recoveryHint({ url, workRoot, postgres }) {
  if (postgres.port === undefined || !hasSessionFolders(workRoot) || (await hasSessions(postgres.urlFile)))
    return undefined;
  return `The database has no sessions, but ${workRoot} has folders of sessions. Rebuild them with:\n  npx phx --server ${url} recover\n`;
}
