import { AppError } from '../../../../platform/errors/app-error.ts';
import { invalidFile, readYamlFiles, writeYamlFile, type YamlFile } from '../../../../platform/validation/yaml-file.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { mergeFiles } from './merge.ts';
import { type ModelFile, PartialModelFile } from './schema.ts';
import { fileOf } from './views.ts';

export type ReadFile = YamlFile<ModelFile>;

/** The model as YAML. The same definition gives the same bytes. Throws `MODEL_TOO_LARGE`. */
export async function writeModelFile(definition: ModelDefinition, options: { withPolicies: boolean }): Promise<string> {
  const text = await writeYamlFile(fileOf(definition, options));
  if (text !== undefined) return text;
  throw new AppError('MODEL_TOO_LARGE', { detail: 'The file of the model would be larger than 4 MiB.' });
}

/** Finds the model that a file extends; undefined if there is none of this name. */
export type FindBase = (name: string) => Promise<ModelDefinition | undefined>;

/**
 * A model as one document, or as several that may extend another model, whose parts they replace and add to. What that
 * model says about the rows of its readers is not part of its file. Throws `VALIDATION_FAILED` with the line and column
 * of each issue.
 */
export async function readModelFile(text: string, findBase: FindBase): Promise<ReadFile> {
  const documents = await readYamlFiles(PartialModelFile, text);
  const extending = documents.find(({ file }) => file.extends !== undefined);
  const name = extending?.file.extends;
  const base = name === undefined ? undefined : await findBase(name);
  if (extending && !base) {
    const message = 'is not the name of another model of the same source that you may read';
    throw invalidFile(extending, [{ pointer: '/extends', code: 'UNKNOWN', message }]);
  }
  return mergeFiles(documents, base && fileOf(base, { withPolicies: false }));
}
