import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import type { AuditSubject } from './actions.ts';
import { boundedMembers, changedMembers, type Members, type ShownMembers } from './changes.ts';
import { auditItems } from './entry.ts';

export interface AuditedRecords<T> {
  subject: AuditSubject;
  /** The id is the name where this is absent. */
  name?: (record: T) => string;
  /** Sealed members are `hidden`: the log shows that they changed. */
  members: ShownMembers<T>;
  /** What else changes with the record, such as parts of it that are stored apart. */
  parts?: { before: Members; after: Members };
}

/** For `collection`: logs that records of one kind are created, replaced and removed. */
export function auditedRecords<T extends StoredRecord>(
  table: Table,
  { subject, name = ({ id }) => id, members, parts }: AuditedRecords<T>,
): (before: T | undefined, after: T | undefined) => Promise<TransactItem[]> {
  const type = subject.replaceAll('_', '-');
  return (before, after) => {
    const record = (after ?? before)!;
    const verb = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
    const changed = changedMembers(members, before, after);
    return auditItems(table, {
      action: `${subject}.${verb}`,
      object: { type, id: record.id, name: name(record) },
      ...changed,
      ...(parts && {
        before: { ...changed.before, ...boundedMembers(parts.before) },
        after: { ...changed.after, ...boundedMembers(parts.after) },
      }),
    });
  };
}
