// Before anything else of compose.yaml starts: gives each volume to the user of those who write there, and makes the passwords of PostgreSQL
// and Redis, once. Runs as root, with no right but to change owners. Arguments: UID:GID, the volume for secrets, the other volumes.
'use strict';
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const [, , user = '', secrets, ...volumes] = process.argv;
const [uid, gid] = user.split(':').map(Number);
if (!Number.isInteger(uid) || !Number.isInteger(gid) || secrets === undefined) {
  process.stderr.write(`FLEET_USER: "${user}" is not a user and a group as numbers, such as 10001:10001.\n`);
  process.exit(64);
}

/** Appears whole, for this user alone; one that is there stays, and belongs to the user of today. */
const secret = (name, text) => {
  const file = path.join(secrets, name);
  if (!fs.existsSync(file)) {
    const partial = `${file}.new`;
    fs.rmSync(partial, { force: true });
    fs.writeFileSync(partial, text, { mode: 0o400, flag: 'wx' });
    fs.renameSync(partial, file);
  }
  fs.chownSync(file, uid, gid);
};

process.umask(0o077);
/** A password in two files, written as one so that they never differ: the URL is what the services read, the other what the server reads. */
const secretPair = (names, textsOf) => {
  const files = names.map((name) => path.join(secrets, name));
  if (!files.every((file) => fs.existsSync(file))) for (const file of files) fs.rmSync(file, { force: true });
  const texts = textsOf(randomBytes(32).toString('hex'));
  names.forEach((name, index) => secret(name, texts[index]));
};
// PostgreSQL takes it when it makes its data folder, so that one that is there has to stay.
secretPair(['database-url', 'postgres-password'], (password) => [
  `postgres://fleet:${password}@postgres:5432/fleet\n`,
  `${password}\n`,
]);
secretPair(['redis-url', 'redis.conf'], (password) => [
  `redis://:${password}@redis:6379\n`,
  `requirepass ${password}\n`,
]);
// The volume itself stays root's: no other user can put a file there.
fs.chmodSync(secrets, 0o755);
for (const volume of volumes) fs.chownSync(volume, uid, gid);
