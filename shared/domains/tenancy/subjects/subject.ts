import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** An object that people comment on and are notified about, as one reader sees it. */
export interface Subject {
  type: string;
  id: string;
  name: string;
  /** Its page for people, relative to the address of the API; null if it has none. */
  path: string | null;
  /** Whether the reader may change the object, and so moderate what is said about it. */
  mayEdit: boolean;
  /** The user who answers for it. */
  ownerId: string | null;
}

/** A part of a subject that can be named on its own, such as a card of a dashboard. */
export interface SubjectPart {
  type: string;
  id: string;
  name: string;
  /** Where its rows come from; absent if it shows none. */
  source?: { kind: 'dataset' | 'savedQuery' | 'model' | 'metric'; id: string };
}

/** A kind of subjects, as its domain registers it in `shared/domains/upkeep/subject-kinds`. */
export interface SubjectKind {
  type: string;
  /** The type of its parts; absent if it has none. */
  partType?: string;
  /** Undefined if the object does not exist for the reader, also if it is deleted and can be restored. */
  find(table: Table, reader: Principal, id: string): Promise<Subject | undefined>;
  /** The parts that the reader sees. */
  parts?(table: Table, reader: Principal, id: string): Promise<readonly SubjectPart[]>;
}

export interface Subjects {
  /** Whether there are subjects of the type. */
  has(type: string): boolean;
  kind(type: string): SubjectKind | undefined;
  find(reader: Principal, subject: { type: string; id: string }): Promise<Subject | undefined>;
}

export function openSubjects(table: Table, kinds: readonly SubjectKind[]): Subjects {
  const kind = (type: string) => kinds.find((each) => each.type === type);
  return {
    has: (type) => kind(type) !== undefined,
    kind,
    find: async (reader, { type, id }) => kind(type)?.find(table, reader, id),
  };
}
