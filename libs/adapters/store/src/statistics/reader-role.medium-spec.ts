import { sql } from 'kysely';
import { connectDatabase } from '../database';
import { useDatabases } from '../fixtures/databases';
import { migrate } from '../migrate';
import { readerRole } from './reader-role';

const databases = useDatabases();

describe('the views of fleet_public', () => {
  it('are readable in each database by a separate role, which each start recreates', async () => {
    const { db } = await databases.context();
    const role = await readerRole(db);
    const other = await readerRole((await databases.context()).db);
    expect([role, other]).toMatchObject([
      { exists: true, reads: true },
      { exists: true, reads: true },
    ]);
    expect(role.name).not.toBe(other.name);
    await sql`DROP OWNED BY ${sql.id(role.name)}`.execute(db);
    await sql`DROP ROLE ${sql.id(role.name)}`.execute(db);
    expect(await readerRole(db)).toMatchObject({ exists: false, reads: false });
    await migrate(db);
    expect(await readerRole(db)).toMatchObject({ exists: true, reads: true });
  });

  it('wait for the role if the services may not create it', async () => {
    const { db } = await databases.context();
    const address = await databases.server.newDatabase();
    const name = /^postgres:\/\/fleet@\/(\w+)/.exec(address)?.[1] ?? '';
    const owner = `owner_of_${name}`;
    await sql`CREATE ROLE ${sql.id(owner)} LOGIN`.execute(db);
    await sql`ALTER DATABASE ${sql.id(name)} OWNER TO ${sql.id(owner)}`.execute(db);
    const fresh = connectDatabase(address.replace('fleet@', `${owner}@`));
    await migrate(fresh);
    const role = await readerRole(fresh);
    await sql`CREATE ROLE ${sql.id(role.name)} NOLOGIN`.execute(db);
    await migrate(fresh);
    expect([role, await readerRole(fresh)]).toMatchObject([
      { exists: false, mayBeMade: false },
      { exists: true, reads: true },
    ]);
    await fresh.destroy();
  });
});
