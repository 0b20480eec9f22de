import { hostname } from 'node:os';
import type { AuditEntry } from '@fleet/contracts/audit';

/** Facility 13 of RFC 5424, "log audit". */
const logAudit = 13;
const warning = 4;
const informational = 6;

/** A header field: visible ASCII, truncated to `longest` characters. */
const word = (text: string, longest: number): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, longest) || '-';

/** An entry as an RFC 5424 message with JSON text and a length prefix (octet counting, RFC 6587). */
export const syslogMessage = (entry: AuditEntry): Buffer => {
  const severity = entry.outcome === 'denied' || entry.outcome === 'failed' ? warning : informational;
  const priority = `<${String(logAudit * 8 + severity)}>1`;
  const header = [priority, entry.at, word(hostname(), 255), 'phenix-fleet', String(process.pid)];
  const text = Buffer.from([...header, word(entry.action, 32), '-', JSON.stringify(entry)].join(' '));
  return Buffer.concat([Buffer.from(`${String(text.length)} `), text]);
};
