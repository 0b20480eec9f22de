/** Webhooks, their queued notices, and batches that may have ended. */
export const webhooks = `
CREATE TABLE webhooks (
  id text COLLATE "C" PRIMARY KEY,
  subject_kind text NOT NULL,
  subject text NOT NULL,
  kinds text[] NOT NULL,
  created_at timestamptz NOT NULL,
  webhook json NOT NULL,
  removed_at timestamptz,
  removed_by text,
  delivered integer NOT NULL DEFAULT 0,
  lost integer NOT NULL DEFAULT 0,
  failing integer NOT NULL DEFAULT 0,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  last_failure text,
  held_until timestamptz,
  busy_until timestamptz,
  gathered_until timestamptz
);
COMMENT ON COLUMN webhooks.removed_at IS 'the row stays, so that its file does not bring the webhook back';
COMMENT ON COLUMN webhooks.failing IS 'claims in a row of which a try has failed';
COMMENT ON COLUMN webhooks.held_until IS 'its target is left alone, or e-mail is gathered';
COMMENT ON COLUMN webhooks.busy_until IS 'its notices are claimed';
COMMENT ON COLUMN webhooks.gathered_until IS 'e-mail: what was due by then is sent without gathering again';
CREATE INDEX ON webhooks (subject, subject_kind) WHERE removed_at IS NULL;

CREATE TABLE notices (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook text COLLATE "C" NOT NULL REFERENCES webhooks,
  subject text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  notice json NOT NULL,
  died_at timestamptz,
  attempts integer,
  why text
);
COMMENT ON COLUMN notices.id IS 'the same for all webhooks, and at every try';
COMMENT ON COLUMN notices.attempts IS 'of a dead notice';
CREATE INDEX ON notices (webhook, subject, number) WHERE died_at IS NULL;
CREATE INDEX ON notices (webhook, died_at) WHERE died_at IS NOT NULL;

CREATE TABLE notice_queues (
  webhook text COLLATE "C" NOT NULL REFERENCES webhooks,
  subject text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (webhook, subject)
);
COMMENT ON TABLE notice_queues IS 'a session or batch of which notices wait; they are sent in order';
COMMENT ON COLUMN notice_queues.attempts IS 'of its first notice';
CREATE INDEX ON notice_queues (webhook, due_at);

CREATE TABLE batch_ends (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch text COLLATE "C" NOT NULL
);
COMMENT ON TABLE batch_ends IS 'something of the batch has ended, and a webhook wants its end: one row each, so that no move waits for another';
`;
