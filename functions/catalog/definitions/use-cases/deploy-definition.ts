import { createHash } from 'node:crypto';
import {
  changesBetween,
  type DefinitionRecord,
  definitionId,
  type ManagedBy,
} from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { invalidFile, readYamlFile } from '../../../../shared/platform/validation/yaml-file.ts';
import { bodyOf, contentOf, type FileContent, fileOf } from '../files/file-content.ts';
import { fileSchemaOf } from '../files/file-schema.ts';
import { kindOf } from '../kinds/index.ts';
import type { DefinitionReport } from '../schemas.ts';
import type { ApiObject, Context, Named } from './context.ts';
import { type Found, findDefinition, idOfNew } from './find-definition.ts';
import { type KeyBook, keyBook } from './key-book.ts';
import { changeObject, createObject, type Source } from './write-object.ts';

export interface Command extends Named {
  yaml: string;
  managedBy?: ManagedBy | undefined;
  dryRun: boolean;
  /** Manages an object from the file that no file, or one of another project, has managed. */
  adopt: boolean;
  /** The digest of the state that the file may replace although it is not the one that was last deployed. */
  overwrite?: string | undefined;
  /** Creates the object again if it is gone. */
  recreate: boolean;
}

/** A file that is valid, and the content that its object is to have. */
interface Wanted extends Source {
  content: FileContent;
}

/**
 * Gives the object the content of the file, as a whole: one write by the operation that creates or changes it, on the
 * condition that the object is as it was read. What was deployed is stored afterwards. A deployment that is interrupted
 * in between finds the object with its content, and only stores that.
 */
export async function deployDefinition(context: Context, command: Command): Promise<DefinitionReport> {
  const kind = kindOf(command.kind);
  const file = await readYamlFile(fileSchemaOf(kind), command.yaml);
  let book = keyBook(context);
  const { body, issues } = await bodyOf(kind, file.file as Record<string, unknown>, book.idOf);
  if (issues.length > 0) throw invalidFile(file, issues);
  const wanted: Wanted = { kind, file, body, content: contentOf(kind, file.file as object) };
  return onNewest('STALE_WRITE', async () => {
    const found = await findDefinition(context, book, command);
    try {
      return found.object
        ? await change(context, book, command, wanted, { ...found, object: found.object })
        : await create(context, book, command, wanted, found);
    } finally {
      book = keyBook(context);
    }
  });
}

async function create(context: Context, book: KeyBook, command: Command, wanted: Wanted, { record }: Found) {
  const { dryRun: isRehearsal, recreate } = command;
  if (record && !record.isDeleted && !recreate) throw new AppError('DEFINITION_GONE');
  const id = idOfNew(context, command, record);
  const object = await createObject(context, wanted, { id, isRehearsal });
  const changes = changesBetween({}, wanted.content.file);
  const { digest } = wanted.content;
  if (!object) return report(command, { id, digest, revision: 1, isNew: true, changes });
  const created = await fileOf(wanted.kind, object, book.keyOf);
  // Another deployment was first to create it, with another content.
  if (created.digest !== digest) throw new AppError('STALE_WRITE');
  await store(context, command, { record, object, digest });
  return report(command, { id, digest, revision: object.revision, isNew: true, changes });
}

type Present = Found & { object: ApiObject };

async function change(context: Context, book: KeyBook, command: Command, wanted: Wanted, found: Present) {
  const { dryRun, overwrite } = command;
  assertManaged(command, found);
  const { record, object } = found;
  const current = await fileOf(wanted.kind, object, book.keyOf);
  const changes = changesBetween(current.file, wanted.content.file);
  const isSame = current.digest === wanted.content.digest;
  const base = record?.objectId === object.id ? record.applied.digest : undefined;
  if (!isSame && current.digest !== base && overwrite !== current.digest) {
    throw new AppError('DEFINITION_DRIFTED', { members: { digest: current.digest, ...changes } });
  }
  // A caller who may not change the object may not say either which file manages it.
  const isRehearsal = dryRun || isSame;
  const changed = (await changeObject(context, wanted, { object, isRehearsal })) ?? object;
  const digest = isRehearsal ? current.digest : (await fileOf(wanted.kind, changed, book.keyOf)).digest;
  if (!dryRun) await store(context, command, { record, object: changed, digest });
  const { id, revision } = changed;
  return report(command, { id, digest: wanted.content.digest, revision, isNew: false, changes });
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

/** Stores what was deployed. Throws `STALE_WRITE` if another deployment has stored something since. */
async function store(
  { definitions, workspaceId, userId, now }: Context,
  { kind, key, yaml, managedBy }: Command,
  { record, object, digest }: { record: DefinitionRecord | undefined; object: ApiObject; digest: string },
): Promise<void> {
  const at = now().toISOString();
  const fileDigest = createHash('sha256').update(yaml).digest('hex');
  const applied = { digest, fileDigest, revision: object.revision, at, by: userId };
  if (record) {
    const generation = record.objectId === object.id ? record.generation : record.generation + 1;
    const updatedAt = later(record.updatedAt, now());
    const next = {
      ...record,
      objectId: object.id,
      generation,
      managedBy: managedBy ?? record.managedBy,
      applied,
      updatedAt,
    };
    await definitions.replace(record, next, yaml);
    return;
  }
  const id = definitionId(workspaceId, kind, key);
  const created: DefinitionRecord = {
    ...{ id, workspaceId, kind, key, objectId: object.id, generation: 1, managedBy: managedBy ?? null, applied },
    ...{ createdAt: at, updatedAt: at, revision: 1 },
  };
  const stored = await definitions.create(created, yaml);
  if (stored.applied.at !== at || stored.applied.fileDigest !== fileDigest) throw new AppError('STALE_WRITE');
}

const report = (
  { kind, key, dryRun }: Command,
  { isNew, ...done }: Pick<DefinitionReport, 'id' | 'digest' | 'revision' | 'changes'> & { isNew: boolean },
): DefinitionReport => {
  const { added, changed, removed } = done.changes;
  const isChanged = added.length + changed.length + removed.length > 0;
  return { kind, key, ...done, dryRun, outcome: isNew ? 'created' : isChanged ? 'changed' : 'unchanged' };
};
