// Sessions in a work root that the database does not contain: those of a release that stored its records in Redis, or of a lost database.
import fs from 'node:fs';
import path from 'node:path';

const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(folder, name));

/** Whether `proposal/session/session.json` exists for any session. */
const hasSessionFolders = (workRoot) =>
  foldersIn(workRoot).some((proposal) =>
    foldersIn(proposal).some((session) => fs.existsSync(path.join(session, 'session.json'))),
  );

async function hasSessions(urlFile) {
  // The npm packages exist once an installation is ready, but not yet when this module is loaded.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: fs.readFileSync(urlFile, 'utf8').trim() });
  await client.connect();
  try {
    return (await client.query('SELECT EXISTS (SELECT FROM sessions) AS found')).rows[0].found;
  } finally {
    await client.end();
  }
}

/** What to do about session folders when the installation's own database is empty, or undefined if there is nothing to do. */
export async function recoveryHint({ url, workRoot, postgres }) {
  if (postgres.port === undefined || !hasSessionFolders(workRoot) || (await hasSessions(postgres.urlFile)))
    return undefined;
  return `The database has no sessions, but ${workRoot} has folders of sessions. Rebuild them with:\n  npx phx --server ${url} recover\n`;
}
