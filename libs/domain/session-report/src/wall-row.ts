import type { JsonSchema } from '@fleet/contracts/schema';
import {
  wallRowSchema,
  type SessionUpdate,
  type SessionRow,
  type WallUpdate,
  type WallRow,
} from '@fleet/contracts/sessions';

/** Only the members that a schema names, at every level. */
const onlyNamed = ({ properties }: JsonSchema, value: unknown): unknown =>
  properties === undefined || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) =>
          properties[name] === undefined ? [] : [[name, onlyNamed(properties[name], member)]],
        ),
      );

/** A row cut to what a wall shows. The schema is the list of what is allowed: a member that is added to rows is not in it. */
export const toWallRow = ({ waiting, ...row }: SessionRow | WallRow): WallRow =>
  onlyNamed(wallRowSchema, { ...row, ...(waiting !== undefined && { waiting: true }) }) as WallRow;

/** An update cut to what a wall shows: its events say paths and reasons. */
export const toWallUpdate = ({ session, was }: SessionUpdate): WallUpdate => ({
  session: toWallRow(session),
  events: [],
  ...(was !== undefined && { was }),
});
