import { databaseAddresses, databaseConnection, databaseUrlPattern } from './database-connection';

describe('databaseConnection', () => {
  it.each([
    ['postgres://fleet:p%40ss@db.example.org:5433/fleet', 'postgres://fleet:p%40ss@db.example.org:5433/fleet'],
    ['postgresql://fleet@[::1]/fleet?sslmode=disable', 'postgresql://fleet@[::1]/fleet'],
    ['postgres://fleet@/fleet?host=%2Frun%2Fdb&sslmode=disable', 'postgres://fleet@/fleet?host=%2Frun%2Fdb'],
  ])('uses no encryption to %s', (url, connectionString) => {
    expect(url).toMatch(databaseUrlPattern);
    expect(databaseConnection({ url })).toEqual({ connectionString, ssl: false });
  });

  it('verifies the server if TLS or certificate authorities are configured', () => {
    const url = 'postgres://fleet@db/fleet?sslmode=verify-full';
    expect(url).toMatch(databaseUrlPattern);
    expect(databaseConnection({ url })).toEqual({
      connectionString: 'postgres://fleet@db/fleet',
      ssl: { rejectUnauthorized: true },
    });
    const empty = (): unknown => databaseConnection({ url: 'postgres://fleet@db/fleet', caFile: '/dev/null' });
    expect(empty).toThrow(/DATABASE_CA_FILE: "\/dev\/null" contains no certificate/);
  });

  it.each([
    ['postgres://fleet:p%40ss@db.example.org:5433/fleet', [{ host: 'db.example.org', port: 5433 }]],
    ['postgresql://[::1]/fleet', [{ host: '::1', port: 5432 }]],
    ['postgres://fleet@/fleet?host=%2Frun%2Fdb', []],
  ])('returns the addresses of %s', (url, addresses) => {
    expect(databaseAddresses({ url })).toEqual(addresses);
  });

  it('rejects authorities without a verified connection', () => {
    const open = (): unknown => databaseConnection({ url: 'postgres://db/fleet?sslmode=disable', caFile: __filename });
    expect(open).toThrow(/DATABASE_CA_FILE: is set, but DATABASE_URL says sslmode=disable/);
  });

  it.each([
    'postgres://',
    'postgres://db',
    'mysql://db/fleet',
    'postgres://db/fleet?sslmode=require',
    'postgres://db/fleet?sslmode=no-verify',
    'postgres://db/fleet?application_name=x',
    'postgres://one,two/fleet',
    'postgres://user:100%@db/fleet',
  ])('rejects %s', (url) => {
    expect(url).not.toMatch(databaseUrlPattern);
  });
});
