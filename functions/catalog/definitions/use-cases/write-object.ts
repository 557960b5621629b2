import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { invalidFile, type YamlFile } from '../../../../shared/platform/validation/yaml-file.ts';
import { OperationFailed, type OperationRequest } from '../../common/operations.ts';
import { pointerInFile } from '../files/file-names.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context } from './context.ts';
import { asProblem } from './objects.ts';

export interface Source {
  kind: DefinitionKind;
  file: Pick<YamlFile<unknown>, 'positionOf'>;
  body: object;
}

/** Whether to check only whether the operation would do it. */
interface Rehearsal {
  isRehearsal: boolean;
}

/** Creates the object under the id. Returns the one that has the id, if there is one; nothing after a rehearsal. */
export function createObject(context: Context, source: Source, { id, isRehearsal }: { id: string } & Rehearsal) {
  const { group, path } = PLACES[source.kind.kind];
  const invocation = { newId: id, ...(isRehearsal && { isRehearsal }) };
  return send(context, source, { group, method: 'POST', path, body: source.body, invocation });
}

/** Replaces what the object has, if it is still as it was read. Throws `STALE_WRITE`. */
export function changeObject(
  context: Context,
  source: Source,
  { object, isRehearsal }: { object: ApiObject } & Rehearsal,
) {
  const { group, path } = PLACES[source.kind.kind];
  return send(context, source, {
    group,
    method: 'PATCH',
    path: `${path}/${object.id}`,
    body: source.body,
    revision: object.revision,
    ...(isRehearsal && { invocation: { isRehearsal } }),
  });
}

async function send(context: Context, source: Source, request: OperationRequest): Promise<ApiObject | undefined> {
  try {
    const { body } = await context.operations.send(request);
    return body === '' ? undefined : (JSON.parse(body) as ApiObject);
  } catch (error) {
    throw rejection(source, asProblem(error));
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
