import { createHash } from 'node:crypto';
import {
  changesBetween,
  type DefinitionRecord,
  definitionId,
} from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { ManagedBy } from '../../../../shared/platform/http/managed-by.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import { invalidFile, readYamlFile } from '../../../../shared/platform/validation/yaml-file.ts';
import { contentOf, type FileContent, type FileMembers, fileOf, membersOf, textOf } from '../files/file-content.ts';
import { fileName } from '../files/file-names.ts';
import { fileSchemaOf } from '../files/file-schema.ts';
import { secretsOf } from '../files/secrets.ts';
import { kindOf } from '../kinds/index.ts';
import type { DefinitionKind, Members } from '../kinds/kind.ts';
import type { DefinitionReport } from '../schemas.ts';
import { marksOf } from './compare-secrets.ts';
import type { ApiObject, Context, Named } from './context.ts';
import { type Found, findDefinition, idOfNew } from './find-definition.ts';
import { type KeyBook, keyBook } from './key-book.ts';
import { readContent, withVariables } from './objects.ts';
import { changeObject, createObject, type Source, type Stored, writeBeside } from './write-object.ts';

export interface Command extends Named {
  yaml: string;
  managedBy?: ManagedBy | undefined;
  /** The values of variables that the file names in place of secrets. They are stored with the object alone. */
  secrets?: Readonly<Record<string, string>> | undefined;
  dryRun: boolean;
  /** Manages an object from the file that no file, or one of another project, has managed. */
  adopt: boolean;
  /** The digest of the state that the file may replace although it is not the one that was last deployed. */
  overwrite?: string | undefined;
  /** Creates the object again if it is gone. */
  recreate: boolean;
  /** Creates the object without what refers to objects that do not exist yet. */
  partial: boolean;
}

/** A file that is valid, and the content that its object is to have. */
interface Wanted extends Source {
  /** The file as it is stored as deployed. */
  yaml: string;
  content: FileContent;
  /** The members of the file that are left out for now. */
  omitted: readonly string[];
  follows: Record<string, string>;
  /** What the file names in place of secrets. */
  variables: Members;
  /** An issue for each secret whose value was not sent. */
  missing: readonly Issue[];
}

/** The members with the values of secrets that were sent. Others are kept by the object. */
function withSecrets(kind: DefinitionKind, members: Members, values: Command['secrets'] = {}) {
  if (!kind.variablesOf) return { members, variables: {}, missing: [] };
  const variables = members.secrets as Members;
  const { secrets, missing } = secretsOf(variables, values);
  return { members: { ...members, secrets }, variables, missing };
}

/**
 * Gives the object the content of the file, as a whole: one write by the operation that creates or changes it, on the
 * condition that the object is as it was read. What was deployed is stored afterwards. A deployment that is interrupted
 * in between finds the object with its content, and only stores that.
 */
export async function deployDefinition(context: Context, command: Command): Promise<DefinitionReport> {
  const kind = kindOf(command.kind);
  const file = await readYamlFile(fileSchemaOf(kind), command.yaml);
  const folded = kind.fold ? kind.fold(file.file as Members) : (file.file as Members);
  const record = await context.definitions.get(context.workspaceId, command.kind, command.key);
  // An object may refer to itself before there is one, such as a dashboard with a link to itself.
  const own = { kind: command.kind, key: command.key, id: idOfNew(context, command, record) };
  let book = keyBook(context, own);
  const whole = await membersOf(kind, folded, book);
  const misplaced = kind.beside?.check(folded, command.key) ?? [];
  if (misplaced.length > 0) throw invalidFile(file, misplaced);
  const part = command.partial && whole.issues.length > 0 ? await partOf(kind, folded, book) : undefined;
  const { members, file: only, follows, issues } = part ?? whole;
  if (issues.length > 0) throw invalidFile(file, issues);
  const content = contentOf(kind, only);
  const omitted = part ? (kind.later ?? []).filter((name) => Object.hasOwn(folded, name)) : [];
  // What is stored as deployed is the part.
  const yaml = part ? await textOf(content) : command.yaml;
  const wanted: Wanted = {
    kind,
    file,
    yaml,
    content,
    omitted,
    follows,
    ...withSecrets(kind, members, command.secrets),
  };
  return onNewest('STALE_WRITE', async () => {
    const found = await findDefinition(context, book, command);
    if (part && found.object) throw invalidFile(file, whole.issues);
    try {
      return found.object
        ? await change(context, book, command, wanted, { ...found, object: found.object })
        : await create(context, book, command, wanted, found);
    } finally {
      book = keyBook(context);
    }
  });
}

/** What a file says without the members that can be written later. */
function partOf(kind: DefinitionKind, file: Members, book: KeyBook): Promise<FileMembers> {
  const kept = Object.entries(file).filter(([name]) => !kind.later?.includes(name));
  return membersOf(kind, Object.fromEntries(kept), book);
}

async function create(context: Context, book: KeyBook, command: Command, wanted: Wanted, { record, isHidden }: Found) {
  const { dryRun: isRehearsal, recreate } = command;
  // Another object of the key would be a second one as soon as the caller can see the first one again.
  if (isHidden) throw new AppError('FORBIDDEN', { detail: 'The key belongs to an object that you cannot see.' });
  if (record && !record.isDeleted && !recreate)
    throw new AppError('DEFINITION_GONE', { members: { ...(await context.deletionOf(record)) } });
  if (wanted.missing.length > 0 && !isRehearsal) throw invalidFile(wanted.file, wanted.missing);
  const id = idOfNew(context, command, record);
  const changes = changesBetween({}, wanted.content.file);
  const { digest } = wanted.content;
  const { omitted } = wanted;
  if (isRehearsal) {
    // Pull requests are checked where secrets are not known: variables stand for themselves.
    const { members, variables, missing } = wanted;
    const rehearsed = missing.length > 0 ? { ...wanted, members: { ...members, secrets: variables } } : wanted;
    const isAllowed = await isPermitted(() => createObject(context, rehearsed, { id, isRehearsal }));
    return report(command, { id, digest, revision: 1, isNew: true, changes, isAllowed, omitted });
  }
  const made = await createObject(context, wanted, { id, isRehearsal });
  if (!made) throw new Error('the operation that creates the object has returned nothing');
  const { kind } = wanted;
  await writeBeside(context, wanted, made, book);
  const stored = kind.content ? await fill(context, book, wanted, made) : { id, revision: made.revision, object: made };
  const applied = await digestOfStored(context, wanted, { stored, object: made }, book);
  // Another deployment was first to create it, with another content.
  if (!kind.content && applied !== digest) throw new AppError('STALE_WRITE');
  await store(context, command, { record, stored, digest: applied, wanted });
  return report(command, { id, digest, revision: stored.revision, isNew: true, changes, omitted });
}

/** Gives a new object its content, which an operation of its own takes. */
async function fill(context: Context, book: KeyBook, wanted: Wanted, object: ApiObject): Promise<Stored> {
  const { revision } = await readContent(context, wanted.kind, object, book);
  return changeObject(context, wanted, { object, revision, isRehearsal: false });
}

/**
 * The digest of what an operation has stored. Where it returns only a revision, the content is read again: the
 * operation may have filled in what the file leaves out, such as the types of measures.
 */
async function digestOfStored(
  context: Context,
  { kind, content, variables }: Wanted,
  { stored, object }: { stored: Stored; object: ApiObject },
  book: KeyBook,
): Promise<string> {
  if (stored.object && !kind.beside) return (await fileOf(kind, { ...stored.object, secrets: variables }, book)).digest;
  const { digest, revision } = await readContent(context, kind, stored.object ?? object, book);
  // A change in between is drift.
  return revision === stored.revision ? digest : content.digest;
}

type Present = Found & { object: ApiObject };

async function change(context: Context, book: KeyBook, command: Command, wanted: Wanted, found: Present) {
  const { dryRun, overwrite } = command;
  assertManaged(command, found);
  const { record, object } = found;
  const current = await readContent(context, wanted.kind, withVariables(wanted.kind, found, command.key), book);
  const last = record?.objectId === object.id ? record.applied : undefined;
  // The object may have more than the file that it was made of says.
  const isAsDeployed = current.digest === last?.digest && last.fileDigest === digestOfFile(wanted);
  const isSame = isAsDeployed || current.digest === wanted.content.digest;
  const changes = isAsDeployed ? UNCHANGED : changesBetween(current.file, wanted.content.file);
  // The keys of other objects may have changed, which changes the digest and not the object.
  const isUntouched =
    current.digest === last?.digest ||
    (current.revision === last?.revision && (await isBetween(context, found, current, wanted)));
  if (!isSame && !isUntouched && overwrite !== current.digest && !isEmptyShell(wanted, found)) {
    // The parts of an object with a content of its own have changed at times of their own.
    const lastChange = wanted.kind.content ? {} : { changedAt: object.updatedAt, changedBy: object.updatedBy };
    throw new AppError('DEFINITION_DRIFTED', { members: { digest: current.digest, ...lastChange, ...changes } });
  }
  assertFixed(wanted, current);
  if (dryRun) {
    const rehearsal = { object, revision: current.revision, isRehearsal: true };
    const isAllowed = await isPermitted(() => changeObject(context, wanted, rehearsal));
    const { revision } = current;
    return report(command, {
      id: object.id,
      digest: wanted.content.digest,
      revision,
      isNew: false,
      changes,
      isAllowed,
    });
  }
  // A caller who may not change the object may not say either which file manages it.
  const isRehearsal = isSame && Object.keys((wanted.members.secrets as Members | undefined) ?? {}).length === 0;
  // First, so that a deployment which is interrupted here finds the revision that it knows.
  if (!isRehearsal) await writeBeside(context, wanted, object, book);
  const stored = await changeObject(context, wanted, { object, revision: current.revision, isRehearsal });
  const digest = isRehearsal ? current.digest : await digestOfStored(context, wanted, { stored, object }, book);
  await store(context, command, { record, stored, digest, wanted });
  const { id, revision } = stored;
  return report(command, { id, digest: wanted.content.digest, revision, isNew: false, changes });
}

const UNCHANGED = changesBetween({}, {});

const digestOfFile = ({ yaml }: Pick<Wanted, 'yaml'>): string => createHash('sha256').update(yaml).digest('hex');

/**
 * Whether what is stored beside an object is as it was deployed, or on the way from there to the file because a
 * deployment of it was interrupted.
 */
async function isBetween(
  { definitions }: Context,
  { record }: Present,
  current: FileContent,
  { kind, content }: Wanted,
): Promise<boolean> {
  if (!kind.beside || !record) return true;
  const base = await definitions.readBase(record);
  if (base === undefined) return false;
  const { readYaml } = await loadYaml();
  const [before, now, after] = [readYaml(base).value as Members, current.file, content.file].map(
    (file) => new Set(kind.beside!.members.flatMap((name) => partsOf(file[name]))),
  ) as [Set<string>, Set<string>, Set<string>];
  const isExpected = [...now].every((part) => before.has(part) || after.has(part));
  return isExpected && [...before].every((part) => now.has(part) || !after.has(part));
}

/** The parts of lists, as texts. */
function partsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.map((each) => `${at} ${JSON.stringify(each)}`);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => partsOf(each, `${at}/${name}`));
}

/** Whether an interrupted deployment has created the object, and nothing has given it its content yet. */
const isEmptyShell = ({ kind: { content, beside } }: Wanted, { isInterrupted, object }: Present): boolean =>
  (content ?? beside) !== undefined && isInterrupted && object.createdAt === object.updatedAt;

/** Throws for members that cannot change. */
function assertFixed({ kind, file, content }: Wanted, current: FileContent): void {
  const issues = (kind.fixed ?? [])
    .map(fileName)
    .filter((name) => JSON.stringify(content.file[name]) !== JSON.stringify(current.file[name]))
    .map((name) => ({ pointer: `/${name}`, code: 'IMMUTABLE', message: 'cannot change after creation' }));
  if (issues.length > 0) throw invalidFile(file, issues);
}

/** Throws if the object is managed by something else than the file. */
function assertManaged({ managedBy, adopt }: Command, { record, object, isInterrupted }: Present): void {
  if (adopt) return;
  if (record?.objectId !== object.id) {
    if (!isInterrupted) throw new AppError('DEFINITION_UNMANAGED');
    return;
  }
  if (record.managedBy && managedBy && record.managedBy.project !== managedBy.project)
    throw new AppError('DEFINITION_MANAGED_ELSEWHERE', { members: { managedBy: record.managedBy } });
}

interface Deployed {
  record: DefinitionRecord | undefined;
  stored: Stored;
  digest: string;
  wanted: Pick<Wanted, 'yaml' | 'variables' | 'follows'>;
}

/** Stores what was deployed. Throws `STALE_WRITE` if another deployment has stored something since. */
async function store(
  context: Context,
  { kind, key, managedBy, secrets: values }: Command,
  { record, stored: object, digest, wanted: { yaml, variables, follows } }: Deployed,
): Promise<void> {
  const { definitions, workspaceId, userId, now } = context;
  const at = now().toISOString();
  const kept = record?.objectId === object.id ? record.secretMarks : undefined;
  const secretMarks = await marksOf(context, { kind, key }, { variables, values, kept });
  const fileDigest = digestOfFile({ yaml });
  const applied = { digest, fileDigest, revision: object.revision, at, by: userId };
  if (record) {
    const generation = record.objectId === object.id ? record.generation : record.generation + 1;
    const updatedAt = later(record.updatedAt, now());
    const { isDeleted: _, movedTo: __, ...kept } = record;
    const next = {
      ...kept,
      objectId: object.id,
      generation,
      managedBy: managedBy ?? record.managedBy,
      applied,
      secrets: variables,
      secretMarks,
      follows,
      updatedAt,
    };
    await definitions.replace(record, next, yaml);
    return;
  }
  const id = definitionId(workspaceId, kind, key);
  const created: DefinitionRecord = {
    ...{ id, workspaceId, kind, key, objectId: object.id, generation: 1, managedBy: managedBy ?? null, applied },
    ...{ secrets: variables, secretMarks, follows, createdAt: at, updatedAt: at, revision: 1 },
  };
  const { applied: first } = await definitions.create(created, yaml);
  if (first.at !== at || first.fileDigest !== fileDigest) throw new AppError('STALE_WRITE');
}

/** Whether the caller may do what is rehearsed; other errors of the rehearsal are thrown. */
async function isPermitted(rehearsal: () => Promise<unknown>): Promise<boolean> {
  try {
    await rehearsal();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

interface Done extends Pick<DefinitionReport, 'id' | 'digest' | 'revision' | 'changes'> {
  omitted?: readonly string[];
  isNew: boolean;
  isAllowed?: boolean;
}

const report = (
  { kind, key, dryRun }: Command,
  { isNew, isAllowed = true, omitted = [], ...done }: Done,
): DefinitionReport => {
  const { added, changed, removed } = done.changes;
  const isChanged = added.length + changed.length + removed.length > 0;
  const outcome = isNew ? 'created' : isChanged ? 'changed' : 'unchanged';
  return { kind, key, ...done, dryRun, isAllowed, outcome, omitted: [...omitted] };
};
