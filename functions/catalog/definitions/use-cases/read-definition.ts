import type { DefinitionRecord } from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { textOf } from '../files/file-content.ts';
import { kindOf } from '../kinds/index.ts';
import type { Definition } from '../schemas.ts';
import type { Context, Named } from './context.ts';
import { findDefinition } from './find-definition.ts';
import { keyBook } from './key-book.ts';
import { mayChange } from './move-definition.ts';
import { readContent, withVariables } from './objects.ts';

/** The object as a file, and the file as it was last deployed. Throws `DEFINITION_NOT_FOUND`. */
export async function readDefinition(context: Context, named: Named): Promise<Definition> {
  const book = keyBook(context);
  const { record, object } = await findDefinition(context, book, named);
  if (!object) throw new AppError('DEFINITION_NOT_FOUND');
  const kind = kindOf(named.kind);
  const content = await readContent(context, kind, withVariables(kind, { object, record }, named.key), book);
  const yaml = await textOf(content);
  const known = record?.objectId === object.id ? record : undefined;
  return {
    kind: named.kind,
    key: named.key,
    id: object.id,
    name: object.name,
    revision: content.revision,
    digest: content.digest,
    yaml,
    managedBy: known?.managedBy ?? null,
    applied: known?.applied ?? null,
    base: known ? await baseFor(context, named, { record: known, object }) : null,
  };
}

type Deployed = Parameters<typeof mayChange>[2] & { record: DefinitionRecord };

/** The file has what was deployed for editors, such as the draft of a dashboard: others who only read get none. */
async function baseFor(context: Context, named: Named, deployed: Deployed): Promise<string | null> {
  const isShown = context.seesDeployed || (await mayChange(context, named, deployed).catch(unlessUnknown));
  if (!isShown) return null;
  return (await context.definitions.readBase(deployed.record)) ?? null;
}

/**
 * The right to change an object is not known if its own content is not valid any more, as without its source, or if
 * another caller has just changed it.
 */
function unlessUnknown(error: unknown): false {
  if (error instanceof AppError && (error.code === 'DEFINITION_REJECTED' || error.code === 'STALE_WRITE')) return false;
  throw error;
}
