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

/** Reduces a row to what a wall shows. The schema is an allow list: members that are added to rows are not in it. */
export const toWallRow = ({ waiting, ...row }: SessionRow | WallRow): WallRow =>
  onlyNamed(wallRowSchema, { ...row, ...(waiting !== undefined && { waiting: true }) }) as WallRow;

/** Reduces an update to what a wall shows: its events contain paths and reasons. */
export const toWallUpdate = ({ session, was }: SessionUpdate): WallUpdate => ({
  session: toWallRow(session),
  events: [],
  ...(was !== undefined && { was }),
});
