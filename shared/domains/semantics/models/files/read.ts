import { AppError } from '../../../../platform/errors/app-error.ts';
import { readYamlFile, writeYamlFile, type YamlFile } from '../../../../platform/validation/yaml-file.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { ModelFile } from './schema.ts';
import { fileOf } from './views.ts';

export type ReadFile = YamlFile<ModelFile>;

/** The model as YAML. The same definition gives the same bytes. Throws `MODEL_TOO_LARGE`. */
export async function writeModelFile(definition: ModelDefinition, options: { withPolicies: boolean }): Promise<string> {
  const text = await writeYamlFile(fileOf(definition, options));
  if (text !== undefined) return text;
  throw new AppError('MODEL_TOO_LARGE', { detail: 'The file of the model would be larger than 4 MiB.' });
}

/** Throws `VALIDATION_FAILED` with the line and column of each issue. */
export const readModelFile = (text: string): Promise<ReadFile> => readYamlFile(ModelFile, text);
