import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { loadYaml } from '../../../platform/validation/load-yaml.ts';
import { hasShape, shapeIssues } from '../../../platform/validation/shape-issues.ts';
import type { TextPosition, YamlDocument } from '../../../platform/validation/yaml.ts';
import type { ModelDefinition } from '../definition.ts';
import { ModelFile } from './schema.ts';
import { fileOf } from './views.ts';

/** The largest file that is written or read. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
export const MAX_ISSUES = 100;

export interface ReadFile {
  file: ModelFile;
  positionOf: YamlDocument['positionOf'];
}

/** The model as YAML. The same definition gives the same bytes. Throws `MODEL_TOO_LARGE`. */
export async function writeModelFile(definition: ModelDefinition, options: { withPolicies: boolean }): Promise<string> {
  const { writeYaml } = await loadYaml();
  const text = writeYaml(fileOf(definition, options));
  if (Buffer.byteLength(text) <= MAX_FILE_BYTES) return text;
  throw new AppError('MODEL_TOO_LARGE', { detail: 'The file of the model would be larger than 4 MiB.' });
}

/** Throws `VALIDATION_FAILED` with the line and column of each issue. */
export async function readModelFile(text: string): Promise<ReadFile> {
  const { value, positionOf } = await read(text);
  if (!hasShape(ModelFile, value)) throw invalidFile({ positionOf }, shapeIssues(ModelFile, value, ''));
  return { file: value, positionOf };
}

async function read(text: string): Promise<YamlDocument> {
  const { readYaml, YamlError } = await loadYaml();
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw failed([{ pointer: '', code: 'INVALID_YAML', message: error.message, position: error.position }]);
  }
}

/** The error for issues of a file, in the order of its lines. */
export function invalidFile({ positionOf }: Pick<ReadFile, 'positionOf'>, issues: readonly Issue[]): AppError {
  const placed = issues.slice(0, MAX_ISSUES).map((issue) => ({ ...issue, position: positionOf(issue.pointer) }));
  return failed(placed.sort((a, b) => a.position.offset - b.position.offset));
}

const failed = (errors: readonly (Issue & { position: TextPosition })[]) =>
  new AppError('VALIDATION_FAILED', {
    detail: 'The file cannot be imported. `errors` has the line and column of each issue.',
    errors,
  });
