import type { TObject } from 'typebox';
import type { ObjectKind, StoredObject } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { CalledGroup, OperationRequest, Operations } from '../../common/operations.ts';

/** Where the operations of a kind are: those of a collection, and of its records. */
export interface ObjectPlace extends StoredObject {
  group: CalledGroup;
  path: `/api/${string}`;
  /**
   * PATCH and PUT change the members that a body has. POST to the collection adds a version, which has an id of its
   * own: the object is the series of its versions (see `versions.ts`).
   */
  changedBy: 'PATCH' | 'PUT' | 'POST';
  /** For messages, such as `saved query`. */
  noun: string;
}

export type Members = Record<string, unknown>;

/** What is part of a model, and has a name there. */
export type PartKind = 'table' | 'field' | 'measure';

/** A kind of object that a team can keep as files. */
export interface DefinitionKind {
  kind: ObjectKind;
  /**
   * The members of a file, as the operations that create and change the object name them, in the order of a file. A
   * member that may be omitted has a default, because a file replaces the whole object.
   */
  members: TObject;
  /** The members that are ids of other objects, wherever they are in the object. A file has keys in their place. */
  references: Readonly<Record<string, ObjectKind>>;
  /** The members that are ids of parts of the model that `modelId` names. A file has the names of the parts. */
  parts?: Readonly<Record<string, PartKind>>;
  /** For an object whose `sources` list the ids that it has in any place. */
  symbols?: SymbolKinds;
  /** Whether its recipes may use flowlets, which a file names by key, and by version unless it is the newest one. */
  usesFlowlets?: true;
  /** Whether its list returns whole objects. */
  isWholeInLists?: true;
  /**
   * The members without which an object can be created, if they refer to objects that do not exist yet: those may refer
   * to it too.
   */
  later?: readonly string[];
  /** The members that cannot change. */
  fixed?: readonly string[];
  /** The file in the form that the operation stores, where it stores another one than it gets. */
  fold?(file: Members): Members;
  /** The members of the object, where its operation returns them in another form. */
  show?(object: Members): Members;
  /** The body of the operation that creates the object, or changes it from what it is. */
  take?(members: Members, current: Members | undefined): Members;
  /** Throws if the operation has replied that it has not made the change. */
  accept?(reply: Members): void;
  /** The variables for the secrets of an object whose file has named none. */
  variablesOf?(object: Members, key: string): Members;
  /** What would be lost with the object besides its settings, as a sentence. */
  dataOf?(operations: Operations, object: Members & { id: string }): Promise<string | undefined>;
  /** The member of that body which a file has no name for: its members are those of the file. */
  inlined?: string;
  /** What other operations store beside the object: it changes apart from it. */
  beside?: BesideObject;
  /** For an object whose content has operations of its own. */
  content?: ObjectContent;
}

export interface ObjectContent {
  /** The members of the object, and the revision of its content. */
  read(operations: Operations, object: Members & { id: string }): Promise<{ members: Members; revision: number }>;
  /** The request that replaces the content. Its reply has the new `revision`. */
  write(id: string, members: Members): Promise<OperationRequest>;
  /** The members that the operation takes which creates the object, without its content. */
  first: readonly string[];
}

export interface BesideObject {
  /** The members of the file, with ids. */
  members: readonly string[];
  read(operations: Operations, object: Members & { id: string }, names: KeyFinder): Promise<Members>;
  /** Changes what differs. Repeating it changes nothing. */
  write(operations: Operations, object: Members & { id: string }, wanted: Members, names: KeyFinder): Promise<void>;
  /** What is wrong with a file of the key. */
  check(file: Members, key: string): Issue[];
}

export interface KeyFinder {
  keyOf(kind: ObjectKind, id: string): Promise<string>;
}

/** Texts such as `@query/orders` stand for ids in a file. */
export interface SymbolKinds {
  /** The kinds of objects by their names in `sources`. */
  kinds: Readonly<Record<string, ObjectKind>>;
  /** The members that are texts with ids in them. */
  inTexts: readonly string[];
  /** What an object without `sources` refers to. */
  sources?(object: Members, models: ModelFinder): Promise<readonly SymbolSource[]>;
}

export interface ModelFinder {
  /** The models whose fields an object names in filters and charts. */
  modelsBehind(kind: 'metric' | 'blend', id: string): Promise<string[]>;
}

export interface SymbolSource {
  kind: string;
  id: string;
}
