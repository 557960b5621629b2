import type { AnchorPlace, Quote } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { ReadRule } from '../../../platform/entitlements/may-read.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

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

/** Where the rows of a subject or part come from. */
export interface RowSource {
  kind: 'dataset' | 'savedQuery' | 'model' | 'metric' | 'blend';
  id: string;
}

/** A part of a subject that can be named on its own, such as a card of a dashboard. */
export interface SubjectPart {
  type: string;
  id: string;
  name: string;
  /** Absent if it shows no rows. */
  source?: RowSource;
  /** The same for a part whose text has to be read for it; `unknown` if one of its sources cannot be found. */
  readSources?(): Promise<readonly RowSource[] | 'unknown'>;
  /** Whether the text of the part may quote rows that not every member may see. */
  quotesProtected?(): Promise<boolean>;
  /** Present if the reader may not see the part, so that nothing said about it may be shown either. */
  isHidden?: true;
  /** The part that it belongs to, such as the section of a block. */
  parent?: { type: string; id: string };
  /**
   * Present if the reader sees another text than the one in which quotes are followed: finds a quote in what the reader
   * sees.
   */
  quoteIn?(blockId: string, quote: Quote): Quote | undefined;
}

/** A kind of subjects, as its domain registers it in `shared/domains/upkeep/subject-kinds`. */
export interface SubjectKind {
  type: string;
  /** What decides, besides the rights to the single object, whether a caller may read it. */
  read: ReadRule;
  /** The types of its parts; absent if it has none. */
  partTypes?: readonly string[];
  /** Undefined if the object does not exist for the reader, also if it is deleted and can be restored. */
  find(table: Table, reader: Principal, id: string): Promise<Subject | undefined>;
  /** The parts that the reader sees, and those that are hidden from the reader. */
  parts?(table: Table, reader: Principal, id: string): Promise<readonly SubjectPart[]>;
  /** Where the rows of the object itself come from; absent if it shows none. */
  source?(id: string): RowSource;
  /** Fails a transaction once the object is deleted. */
  present(table: Table, workspaceId: string, id: string): TransactItem;
  /**
   * Finds the quoted words in the text of the object, for kinds that have a text, and completes the quote. Throws
   * `VALIDATION_FAILED` if they are not there, or not only once.
   */
  anchorText?<T extends QuotedText>(table: Table, reader: Principal, id: string, text: T): Promise<AnchoredText<T>>;
}

/** Words of a text, as a text quote selector of the W3C. */
export interface QuotedText {
  sectionId: string;
  blockId: string;
  quote: { exact: string; prefix?: string; suffix?: string };
}

/** The place of quoted words, which is followed when the text changes. */
export interface FollowedWords {
  written: AnchorPlace;
  place: AnchorPlace;
  /** The text of the section in which they have this place. */
  seq: number;
}

export interface AnchoredText<T extends QuotedText> {
  context: T;
  anchor: { state: 'anchored' | 'moved' | 'orphaned'; score: number | null; text: string | null };
  words: FollowedWords;
  /** Fails a transaction once the text has changed. */
  unchanged: TransactItem[];
}

export interface Subjects {
  kind(type: string): SubjectKind | undefined;
  /** The kinds whose objects have parts of the type. */
  withPart(type: string): readonly SubjectKind[];
  /** The types of objects and parts, for messages. */
  types(): string[];
  find(reader: Principal, subject: { type: string; id: string }): Promise<Subject | undefined>;
  /** Those among the different subjects that are stored, also if they are deleted and can be restored. */
  stored<S extends { type: string; id: string }>(workspaceId: string, subjects: readonly S[]): Promise<S[]>;
}

export function openSubjects(table: Table, kinds: readonly SubjectKind[]): Subjects {
  const kind = (type: string) => kinds.find((each) => each.type === type);
  return {
    kind,
    withPart: (type) => kinds.filter(({ partTypes }) => partTypes?.includes(type)),
    types: () => [...new Set(kinds.flatMap(({ type, partTypes = [] }) => [type, ...partTypes]))],
    find: async (reader, { type, id }) => kind(type)?.find(table, reader, id),
    async stored(workspaceId, subjects) {
      const keyed = subjects.flatMap((subject) => {
        const key = kind(subject.type)?.present(table, workspaceId, subject.id).ConditionCheck?.Key as Key | undefined;
        return key ? [{ subject, key }] : [];
      });
      const found = await readItems(
        table,
        keyed.map(({ key }) => key),
      );
      const names = new Set(found.map(({ pk, sk }) => `${pk} ${sk}`));
      return keyed.filter(({ key }) => names.has(`${key.pk} ${key.sk}`)).map(({ subject }) => subject);
    },
  };
}
