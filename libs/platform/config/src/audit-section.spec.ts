import { auditForwardOf, AuditConfig } from './audit-section';
import { loadConfig } from './load-config';

const configured = (forward: string): ReturnType<typeof auditForwardOf> =>
  auditForwardOf(loadConfig(AuditConfig, { FLEET_AUDIT_FORWARD: forward }));

describe('FLEET_AUDIT_FORWARD', () => {
  it('is unset, standard output or a collector', () => {
    expect(loadConfig(AuditConfig, {})).toMatchObject({ maxMiB: 16, keepDays: 400, forward: 'none' });
    expect([configured('none'), configured('stdout')]).toEqual(['none', 'stdout']);
    expect(configured('syslog://log-1.example.org:514')).toEqual({ host: 'log-1.example.org', port: 514, tls: false });
    expect(configured('syslog+tls://[::1]:6514')).toEqual({ host: '::1', port: 6514, tls: true });
  });

  it.each([
    'syslog://host',
    'syslog://host:99999',
    'syslog+udp://host:514',
    'syslog://u:p@host:514',
    'file',
    'https://a:1',
  ])('is rejected as %s', (forward) => {
    expect(() => configured(forward)).toThrow('FLEET_AUDIT_FORWARD');
  });
});
