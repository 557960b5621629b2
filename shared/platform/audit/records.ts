import type { StoredRecord } from '../storage/collection.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import type { AuditSubject } from './actions.ts';
import { changedMembers, type ShownMembers } from './changes.ts';
import { auditItems } from './entry.ts';

export interface AuditedRecords<T> {
  subject: AuditSubject;
  /** The id is the name where this is absent. */
  name?: (record: T) => string;
  /** Sealed members are `hidden`: the log tells that they changed. */
  members: ShownMembers<T>;
}

/** For `collection`: logs that records of one kind are created, replaced and removed. */
export function auditedRecords<T extends StoredRecord>(
  table: Table,
  { subject, name = ({ id }) => id, members }: AuditedRecords<T>,
): (before: T | undefined, after: T | undefined) => Promise<TransactItem[]> {
  const type = subject.replaceAll('_', '-');
  return (before, after) => {
    const record = (after ?? before)!;
    const verb = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
    return auditItems(table, {
      action: `${subject}.${verb}`,
      object: { type, id: record.id, name: name(record) },
      ...changedMembers(members, before, after),
    });
  };
}
