/** The public API of this domain; everything else is internal. */
export { type LogFilter, type LogScope, readLog } from './read-log.ts';
export { AuditEntry, AuditSettings } from './schemas.ts';
export { putAuditSettings, readAuditSettings } from './settings.ts';
