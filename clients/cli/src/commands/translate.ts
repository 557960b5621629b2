import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../command.ts';
import { FOLDERS, writeDefinition } from '../definitions/project.ts';
import { PROJECT_FILE } from '../definitions/project-file.ts';
import { escapeVariables } from '../definitions/variables.ts';
import { loadYaml } from '../definitions/yaml.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';
import { slugOf } from '../translate/names.ts';
import { Report } from '../translate/report.ts';
import type { Definition } from '../translate/translation.ts';
import { readTypes } from '../translate/types.ts';

interface TranslateFlags {
  out: string;
  source?: string;
  schema?: string;
  types?: string;
  name?: string;
  database?: string;
  overwrite?: boolean;
}

const TOOLS = ['dbt', 'lightdash', 'cube', 'metabase'];

/** Few commands need them, so they are loaded by the first one that does. */
const loadTranslators = () => import('../translate/index.ts');

const optional = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;

export const translate = command<TranslateFlags, [tool: string, folder: string]>({
  brief: 'Make definitions from the files of another tool',
  fullDescription:
    'Reads the files of dbt, Lightdash, Cube or Metabase and writes definitions into a folder, for "analytics deploy". ' +
    'Everything that has no counterpart is listed with its file and line. No platform is needed.',
  parameters: {
    flags: {
      out: { kind: 'parsed', parse: String, brief: 'Folder for the definitions', placeholder: 'FOLDER' },
      source: optional('Key of the data source with the tables; "datasets" by default', 'KEY'),
      schema: optional('Schema of the tables in the data source', 'SCHEMA'),
      types: optional('File with the types of columns, such as the catalog.json of dbt', 'FILE'),
      name: optional('Name of the model made from Cube', 'NAME'),
      database: optional('Metabase database whose questions to translate', 'NAME'),
      overwrite: { kind: 'boolean', brief: 'Replace existing files', optional: true, withNegated: false },
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: TOOLS.join(', '), parse: String, placeholder: 'tool' },
        { brief: 'Folder with its files', parse: String, placeholder: 'folder' },
      ],
    },
  },
  async run({ terminal }, flags, tool, folder) {
    const { out, source = 'datasets', schema, name, database } = flags;
    const translator = TOOLS.includes(tool) ? (await loadTranslators()).TRANSLATORS[tool] : undefined;
    if (!translator) throw new CommandError(EXIT.usage, `Choose one of ${TOOLS.join(', ')}.`, 'TOOL_UNKNOWN');
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new CommandError(EXIT.usage, `There is no folder ${folder}.`, 'FOLDER_MISSING');
    const report = new Report();
    const types = readTypes(flags.types ?? catalogIn(folder));
    const definitions = await translator(folder, { source, schema, types, name, database }, report);
    const files = await write(out, definitions, { project: slugOf(tool), overwrite: flags.overwrite === true });
    const { notes } = report;
    const unmapped = notes.filter(({ kind }) => kind === 'unmapped').length;
    if (terminal.isJson) terminal.out(JSON.stringify({ files, notes }));
    else {
      for (const file of files) terminal.out(`✓ ${file}`);
      for (const { kind, file, line, subject, reason } of notes)
        terminal.out(
          `${kind === 'unmapped' ? '✕' : '?'} ${printable(`${file}:${line}`)} ${printable(subject)}: ${printable(reason)}`,
        );
      terminal.note(`${counted(files.length, 'file')} · ${unmapped} not mapped · ${notes.length - unmapped} to check`);
    }
  },
});

/** Where `dbt docs generate` leaves the types of columns. */
function catalogIn(folder: string): string | undefined {
  const path = join(folder, 'target/catalog.json');
  return existsSync(path) ? path : undefined;
}

/** Writes all files, or none if one of them exists. */
async function write(
  folder: string,
  definitions: readonly Definition[],
  { project, overwrite }: { project: string; overwrite: boolean },
): Promise<string[]> {
  const paths = definitions.map(({ kind, key }) => `${FOLDERS[kind]}/${key}.yaml`);
  const existing = overwrite ? [] : paths.filter((path) => existsSync(join(folder, path)));
  if (existing.length > 0) {
    const hint = 'Choose another folder, or replace them with --overwrite.';
    throw new CommandError(EXIT.conflict, `These files already exist: ${existing.join(', ')}. ${hint}`, 'FILE_EXISTS', {
      files: existing,
    });
  }
  const { stringify } = await loadYaml();
  const writing = definitions.map((definition) => {
    const text = stringify(definition.members, {
      lineWidth: 0,
      singleQuote: true,
      indentSeq: true,
      aliasDuplicateObjects: false,
    });
    return writeDefinition(folder, definition, { source: escapeVariables(text) });
  });
  const written = await Promise.all(writing);
  if (definitions.length > 0 && !existsSync(join(folder, PROJECT_FILE)))
    writeFileSync(join(folder, PROJECT_FILE), `project: ${project}\n`, { flag: 'wx' });
  return written;
}
