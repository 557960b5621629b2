import type { DefinitionRecord } from '../../../../shared/domains/catalog/definitions/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context, Named } from './context.ts';
import type { KeyBook } from './key-book.ts';
import { readObject } from './objects.ts';

export interface Found {
  /** What was last deployed under the key, perhaps to an object that is gone. */
  record: DefinitionRecord | undefined;
  /** The object that has the key now, as far as the caller can see it. */
  object: ApiObject | undefined;
  /** Whether the object was made from a file, of which an interrupted deployment has stored no record. */
  isInterrupted: boolean;
  /** Whether the object of the record exists, and the caller cannot see it. */
  isHidden: boolean;
}

/**
 * The id of the object that a deployment creates. It follows from the key, so that a deployment that is repeated, or
 * runs beside another one, creates one object.
 */
export const idOfNew = ({ workspaceId }: Context, { kind, key }: Named, record: DefinitionRecord | undefined): string =>
  idFrom('defined-object', workspaceId, kind, key, (record?.generation ?? 0) + 1);

export async function findDefinition(context: Context, book: KeyBook, named: Named): Promise<Found> {
  const { definitions, workspaceId } = context;
  const { kind, key } = named;
  const record = await definitions.get(workspaceId, kind, key);
  const own = record && !record.isDeleted && (await readObject(context, kind, record.objectId));
  if (own) return { record, object: own, isInterrupted: false, isHidden: false };
  const isHidden = record !== undefined && !record.isDeleted && (await definitions.hasObject(record, PLACES[kind]));
  if (isHidden) return { record, object: undefined, isInterrupted: false, isHidden };
  const idOfMade = idOfNew(context, named, record);
  const made = await readObject(context, kind, idOfMade);
  if (made) return { record, object: made, isInterrupted: true, isHidden: false };
  const id = (await book.all(kind)).ids.get(key);
  const object = id === undefined ? undefined : await readObject(context, kind, id);
  // Another deployment may have made it in between.
  return { record, object, isInterrupted: id === idOfMade, isHidden: false };
}
