import { sql } from 'kysely';
import type { Database } from '../database';

export interface ReaderRole {
  readonly name: string;
  readonly exists: boolean;
  /** It may read every view of `fleet_public`. */
  readonly reads: boolean;
  /** This user may create roles. */
  readonly mayBeMade: boolean;
}

/**
 * Roles belong to the whole server, so the database's name distinguishes installations. PostgreSQL truncates names to
 * 63 bytes.
 */
export const readerRole = async (db: Database): Promise<ReaderRole> => {
  const { rows } = await sql<ReaderRole>`
    SELECT name, role IS NOT NULL AS "exists", maker.rolsuper OR maker.rolcreaterole AS "mayBeMade",
      CASE WHEN role IS NULL THEN false ELSE has_schema_privilege(role, 'fleet_public', 'USAGE') AND NOT EXISTS (
        SELECT FROM pg_class WHERE relnamespace = 'fleet_public'::regnamespace AND relkind = 'v'
          AND NOT has_table_privilege(role, pg_class.oid, 'SELECT')
      ) END AS reads
    FROM (SELECT left('fleet_reader_' || current_database(), 63) AS name) AS named
    LEFT JOIN (SELECT rolname, oid AS role FROM pg_roles) AS known ON known.rolname = named.name
    JOIN pg_roles AS maker ON maker.rolname = current_user`.execute(db);
  const [role] = rows;
  if (role === undefined) throw new TypeError('the current user is not a role');
  return role;
};

/**
 * Grants a role read access to the views of `fleet_public` only. If this user may not create roles, an administrator
 * creates it, and the next start of a service grants it access. Runs at every start, because a restored database may be
 * on a server without the role.
 */
export const admitReaders = async (tx: Database): Promise<void> => {
  const role = await readerRole(tx);
  if (role.reads || (!role.exists && !role.mayBeMade)) return;
  const name = sql.id(role.name);
  if (!role.exists) await sql`CREATE ROLE ${name} NOLOGIN`.execute(tx);
  await sql`GRANT USAGE ON SCHEMA fleet_public TO ${name}`.execute(tx);
  await sql`GRANT SELECT ON ALL TABLES IN SCHEMA fleet_public TO ${name}`.execute(tx);
};
