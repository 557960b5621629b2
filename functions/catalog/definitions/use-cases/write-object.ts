import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { invalidFile, type YamlFile } from '../../../../shared/platform/validation/yaml-file.ts';
import { OperationFailed, type OperationRequest } from '../../common/operations.ts';
import { pointerInFile } from '../files/file-names.ts';
import type { Names } from '../files/names.ts';
import type { DefinitionKind, Members } from '../kinds/kind.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context } from './context.ts';
import { asProblem } from './objects.ts';
import { isSeries, refusalOf, storedSeries, versionAfter } from './versions.ts';

export interface Source {
  kind: DefinitionKind;
  file: Pick<YamlFile<unknown>, 'positionOf'>;
  /** All members of the object, with ids. */
  members: Members;
}

/** An object as an operation has stored it. */
export interface Stored {
  id: string;
  /** The revision of its content. */
  revision: number;
  /** As the operation has returned it; absent if it returns only the revision. */
  object?: ApiObject;
}

/** Whether to check only whether the operation would do it. */
interface Rehearsal {
  isRehearsal: boolean;
}

/** Creates the object under the id. Returns the one that has the id, if there is one; nothing after a rehearsal. */
export async function createObject(
  context: Context,
  source: Source,
  { id, isRehearsal }: { id: string } & Rehearsal,
): Promise<ApiObject | undefined> {
  const { kind, members } = source;
  const { group, path } = PLACES[kind.kind];
  const body = kind.content ? pick(members, kind.content.first) : bodyOf(source, undefined);
  const invocation = { newId: id, ...(isRehearsal && { isRehearsal }) };
  return send(context, source, { group, method: 'POST', path, body, invocation }, id);
}

/** Replaces what the object has, if its content still has the revision. Throws `STALE_WRITE`. */
export async function changeObject(
  context: Context,
  source: Source,
  { object, revision, isRehearsal }: { object: ApiObject; revision: number } & Rehearsal,
): Promise<Stored> {
  const { kind, members } = source;
  const { group, path, changedBy } = PLACES[kind.kind];
  const { id } = object;
  const request = kind.content
    ? await kind.content.write(id, members)
    : { group, method: changedBy, path: `${path}/${id}` as const, body: bodyOf(source, object) };
  const target = isSeries(PLACES[kind.kind]) ? { ...request, path } : { ...request, revision };
  const reply = await send(context, source, { ...target, ...(isRehearsal && { invocation: { isRehearsal } }) }, id);
  if (!reply) return { id, revision, object };
  kind.accept?.(reply);
  return kind.content ? { id, revision: reply.revision } : { id, revision: reply.revision, object: reply };
}

function bodyOf({ kind, members }: Source, current: ApiObject | undefined): Members {
  const body = kind.take ? kind.take(members, current) : members;
  return isSeries(PLACES[kind.kind]) ? versionAfter(body, current) : body;
}

/** Writes what is stored beside the object. */
export async function writeBeside(
  { operations }: Context,
  source: Source,
  object: ApiObject,
  names: Names,
): Promise<void> {
  try {
    await source.kind.beside?.write(operations, object, source.members, names);
  } catch (error) {
    throw rejection(source, asProblem(error));
  }
}

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]));

/** Sends what creates or changes the object of the id. */
async function send(
  context: Context,
  source: Source,
  request: OperationRequest,
  id: string,
): Promise<ApiObject | undefined> {
  const place = PLACES[source.kind.kind];
  try {
    const { body } = await context.operations.send(request);
    if (body === '') return undefined;
    return isSeries(place) ? storedSeries(JSON.parse(body), id) : (JSON.parse(body) as ApiObject);
  } catch (error) {
    const refused = isSeries(place) ? await refusalOf(error, context, place, id) : error;
    throw rejection(source, asProblem(refused));
  }
}

/** The issues of a rejected body, with their places in the file. */
function rejection({ kind, file }: Source, error: unknown): unknown {
  if (!(error instanceof OperationFailed) || error.problem.status >= 500) return error;
  const { code, detail, errors } = error.problem;
  const issues = errors.length > 0 ? errors : [{ pointer: '', code, message: detail }];
  const placed = issues.map(({ position, ...issue }) => ({
    ...issue,
    pointer: pointerInFile(kind, issue.pointer),
    message: position
      ? `${issue.message} (line ${position.line}, column ${position.column} of the text)`
      : issue.message,
  }));
  const { errors: inFile } = invalidFile(file, placed);
  return new AppError('DEFINITION_REJECTED', { detail, errors: inFile, members: { rejectedAs: code }, cause: error });
}
