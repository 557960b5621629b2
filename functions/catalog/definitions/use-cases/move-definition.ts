import { type DefinitionRecord, definitionId } from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ManagedBy } from '../../../../shared/platform/http/managed-by.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { membersOf } from '../files/file-content.ts';
import { kindOf } from '../kinds/index.ts';
import type { DefinitionMove } from '../schemas.ts';
import type { ApiObject, Context, Named } from './context.ts';
import { findDefinition, idOfNew } from './find-definition.ts';
import { keyBook } from './key-book.ts';
import { readContent, readObject, withVariables } from './objects.ts';
import { changeObject } from './write-object.ts';

interface Command extends Named {
  to: string;
  managedBy?: ManagedBy | undefined;
}

/** Gives an object that was deployed another key, and changes nothing else of it. Repeating it changes nothing. */
export function moveDefinition(context: Context, command: Command): Promise<DefinitionMove> {
  const { kind, key, to, managedBy } = command;
  const { definitions, workspaceId, now } = context;
  return onNewest('STALE_WRITE', async () => {
    const book = keyBook(context);
    const moved = await definitions.get(workspaceId, kind, key);
    if (moved?.movedTo === to) return repeated(context, command);
    const { record, object } = await findDefinition(context, book, command);
    if (!object) throw new AppError('DEFINITION_NOT_FOUND');
    if (record?.objectId !== object.id) throw new AppError('DEFINITION_UNMANAGED');
    if (record.managedBy && managedBy && record.managedBy.project !== managedBy.project)
      throw new AppError('DEFINITION_MANAGED_ELSEWHERE', { members: { managedBy: record.managedBy } });
    await assertMayChange(context, command, { record, object });
    if (to !== key) {
      const target = await definitions.get(workspaceId, kind, to);
      const named = { kind, key: to };
      const isTaken =
        (target && !target.isDeleted) ||
        (await book.all(kind)).ids.has(to) ||
        // An interrupted deployment may have made it.
        (await readObject(context, kind, idOfNew(context, named, target))) !== undefined;
      if (isTaken) throw new AppError('DEFINITION_KEY_TAKEN');
      const next = {
        ...record,
        id: definitionId(workspaceId, kind, to),
        key: to,
        managedBy: managedBy ?? record.managedBy,
      };
      await definitions.move(record, next, target, now());
    }
    return { kind, key: to, id: object.id };
  });
}

/** The reply to a request whose effect is there already. */
async function repeated(context: Context, { kind, to }: Command): Promise<DefinitionMove> {
  const record: DefinitionRecord | undefined = await context.definitions.get(context.workspaceId, kind, to);
  const object = record && !record.isDeleted && (await readObject(context, kind, record.objectId));
  if (!object) throw new AppError('DEFINITION_NOT_FOUND');
  return { kind, key: to, id: object.id };
}

/** The right to change an object is that to give it the content that it has. Throws `FORBIDDEN`. */
export async function assertMayChange(
  context: Context,
  named: Named,
  { record, object }: { record: DefinitionRecord; object: ApiObject },
): Promise<void> {
  const kind = kindOf(named.kind);
  const book = keyBook(context);
  const { file, revision } = await readContent(context, kind, withVariables(kind, { record, object }, named.key), book);
  const { members } = await membersOf(kind, file, book);
  // The object keeps its secrets.
  const source = {
    kind,
    file: { positionOf: () => START },
    members: kind.variablesOf ? { ...members, secrets: {} } : members,
  };
  await changeObject(context, source, { object, revision, isRehearsal: true });
}

/** The same as an answer; other errors are thrown. */
export const mayChange = (...change: Parameters<typeof assertMayChange>): Promise<boolean> =>
  assertMayChange(...change).then(() => true, unlessForbidden);

/** For what the caller may not do or read. */
export function unlessForbidden(error: unknown): false {
  if (error instanceof AppError && error.code === 'FORBIDDEN') return false;
  throw error;
}

const START = { line: 1, column: 1, offset: 0 };
