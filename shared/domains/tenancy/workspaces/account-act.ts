import type { AuditActor, AuditPlace } from '../../../platform/audit/act.ts';
import type { AuditObject } from '../../../platform/audit/entry.ts';
import type { UserRecord } from './records.ts';

/**
 * What the audit log says of an act on an account by its own user, also where the request has no credentials yet. It
 * belongs to the company as a whole if there is no workspace.
 */
export function actOf(
  { id, companyId, name, email }: UserRecord,
  workspaceId: string | null,
): { actor: AuditActor; place: AuditPlace; object: AuditObject } {
  return {
    actor: { type: 'user', id, name, email },
    place: { companyId, workspaceId },
    object: { type: 'user', id, name: email },
  };
}
