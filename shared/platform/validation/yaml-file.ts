import type { Static, TSchema } from 'typebox';
import { AppError, type Issue } from '../errors/app-error.ts';
import { loadYaml } from './load-yaml.ts';
import { NUMBER_RANGE, numberOutOfRange } from './number-range.ts';
import type { TextPosition, YamlDocument } from './yaml.ts';

/** The media type of YAML (RFC 9512). */
export const YAML = 'application/yaml';

/** The largest file that is written or read. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
export const MAX_FILE_ISSUES = 100;

/** A definition that a client keeps as a file, and where its parts are in the text. */
export interface YamlFile<T> {
  file: T;
  positionOf: YamlDocument['positionOf'];
}

/** The definition as YAML, the same text for the same value; undefined if it is too large to be read again. */
export async function writeYamlFile(file: object): Promise<string | undefined> {
  const { writeYaml } = await loadYaml();
  const text = writeYaml(file);
  return Buffer.byteLength(text) <= MAX_FILE_BYTES ? text : undefined;
}

/** Throws `VALIDATION_FAILED` with the line and column of each issue. */
export async function readYamlFile<S extends TSchema>(schema: S, text: string): Promise<YamlFile<Static<S>>> {
  const document = await parsed(async () => (await loadYaml()).readYaml(text));
  return shaped(schema, document, text);
}

/** The documents of one text, as several files in a row. Throws as `readYamlFile` does. */
export async function readYamlFiles<S extends TSchema>(schema: S, text: string): Promise<YamlFile<Static<S>>[]> {
  const documents = await parsed(async () => (await loadYaml()).readYamlDocuments(text));
  const files: YamlFile<Static<S>>[] = [];
  for (const document of documents) files.push(await shaped(schema, document, text));
  return files;
}

async function shaped<S extends TSchema>(
  schema: S,
  { value, positionOf }: YamlDocument,
  text: string,
): Promise<YamlFile<Static<S>>> {
  const number = numberOutOfRange(text, value);
  if (number !== undefined) throw invalidFile({ positionOf }, [{ pointer: number, ...NUMBER_RANGE }]);
  // Many functions that import this read no files, and the code that checks shapes is large.
  const { hasCompiledShape } = await import('./compiled-shape.ts');
  if (hasCompiledShape(schema, value)) return { file: value, positionOf };
  const { shapeIssues } = await import('./shape-issues.ts');
  throw invalidFile({ positionOf }, shapeIssues(schema, value, ''));
}

async function parsed<T>(read: () => Promise<T>): Promise<T> {
  const { YamlError } = await loadYaml();
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw failed([{ pointer: '', code: 'INVALID_YAML', message: error.message, position: error.position }]);
  }
}

/** The error for issues of a file, in the order of its lines. */
export function invalidFile({ positionOf }: Pick<YamlDocument, 'positionOf'>, issues: readonly Issue[]): AppError {
  return placedIssues(issues.map((issue) => ({ ...issue, position: positionOf(issue.pointer) })));
}

/** The error for issues whose places are known, in the order of their lines. */
export function placedIssues(issues: readonly PlacedIssue[]): AppError {
  return failed(issues.slice(0, MAX_FILE_ISSUES).sort((a, b) => a.position.offset - b.position.offset));
}

type PlacedIssue = Issue & { position: TextPosition };

const failed = (errors: readonly PlacedIssue[]) =>
  new AppError('VALIDATION_FAILED', {
    detail: 'The file cannot be imported. `errors` has the line and column of each issue.',
    errors,
  });
