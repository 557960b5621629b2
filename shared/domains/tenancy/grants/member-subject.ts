import { isPermitted, type Permission } from '../../../platform/auth/permissions.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { SubjectKind } from '../subjects/index.ts';
import { mayEdit } from './may-edit.ts';
import type { ObjectType } from './object-kinds.ts';

/** Kinds of which all records are open to the same roles. */
const UNGRANTED = ['dataset', 'pipeline', 'term'] as const;
type Ungranted = (typeof UNGRANTED)[number];

const isUngranted = (type: string): type is Ungranted => (UNGRANTED as readonly string[]).includes(type);

interface Records {
  read: SubjectKind['read'];
  write: Permission;
  /** Whether single records can be granted to editors. */
  type: ObjectType | Ungranted;
  source?: SubjectKind['source'];
  key(table: Table, workspaceId: string, id: string): Key;
  get(
    table: Table,
    workspaceId: string,
    id: string,
  ): Promise<{ id: string; name: string; ownerId: string | null } | undefined>;
}

/** A kind of subjects that every member of the workspace sees, and that have no page of their own. */
export const memberSubject = ({ type, read, write, get, key, source }: Records): SubjectKind => ({
  type,
  read,
  ...(source && { source }),
  present: (table, workspaceId, id) => ({
    ConditionCheck: {
      TableName: table.name,
      Key: key(table, workspaceId, id),
      ConditionExpression: 'attribute_exists(pk)',
    },
  }),
  async find(table, reader, id) {
    const record = await get(table, reader.workspaceId, id);
    if (!record) return undefined;
    const isEditor = isUngranted(type)
      ? isPermitted(write, { ...reader, scope: null })
      : await mayEdit(table, reader, { type, id }, write);
    return { type, id, name: record.name, path: null, mayEdit: isEditor, ownerId: record.ownerId };
  },
});
