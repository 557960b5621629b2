/** The attributes that the table adds to a record; they are internal to this layer. */
const STORAGE_ATTRIBUTES = ['pk', 'sk', 'entity', 'collection', 'position', 'due', 'dueAt', 'expiresAt'] as const;

export interface StoredRecord {
  id: string;
  workspaceId: string;
  createdAt: string;
  updatedAt: string;
  /** In a versioned collection: 1 when created, incremented with every change. */
  revision?: number;
}

/** Returns an item without the attributes that only the table needs. */
export function toRecord<T>(item: Record<string, unknown>): T {
  const record = { ...item };
  for (const name of STORAGE_ATTRIBUTES) delete record[name];
  return record as T;
}
