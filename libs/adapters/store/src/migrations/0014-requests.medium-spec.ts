import { aGuidance, anId, aRequest } from '@fleet/testing';
import { progressOf } from '@fleet/session-report';
import { sql } from 'kysely';
import { useDatabases } from '../fixtures/databases';
import { migrate, migrations } from '../migrate';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();

it('renames what an earlier release wrote, also where its texts are not Unicode or name the same', async () => {
  const db = await databases.empty();
  await migrate(
    db,
    migrations.filter(({ number }) => number < 14),
  );
  const id = anId();
  const from = { session: anId(), afterCycle: 1 };
  const named = '\u0000 "asked":[{"program": "forkedFrom":{"asked":';
  const request = aRequest({ title: named });
  const { reading, ...guidance } = aGuidance();
  const programs = [{ program: 'phenix.refine', times: 2 }];
  const asked = { ...guidance, reading: { ...reading, text: named, asked: programs } };
  await sql`INSERT INTO sessions (id, version, wake_ups, status, stage, cycle, attempt, title, proposal, beamline, submitter, created_at, updated_at,
      content, folder, request, guidance, progress)
    VALUES (${id}, 1, 0, 'running', 'deciding', 1, 1, '', '', '', '', now(), now(), '{}', '',
      ${JSON.stringify({ ...request, forkedFrom: { ...from, asked: 'ab' } })}, ${JSON.stringify(asked)},
      ${JSON.stringify(progressOf({ request, cycles: [] }))})`.execute(db);
  await sql`INSERT INTO model_directives (session, cycle, number, requested_at, due_at) VALUES (${id}, 3, 2, now(), now())`.execute(
    db,
  );
  await migrate(db);
  const store = new PostgresStore(db);
  const read = await store.records.load(id);
  expect(read?.request).toMatchObject({ title: named, forkedFrom: { ...from, requestDigest: 'ab' } });
  expect(read?.request.forkedFrom).not.toHaveProperty('asked');
  expect(read?.guidance?.reading).toEqual({ ...reading, text: named, requestedPrograms: programs });
  await expect(store.textRequests.find({ session: id, cycle: 3 })).resolves.toMatchObject({ number: 2 });
});
