import { CommandError, EXIT } from '../../exit-codes.ts';
import { type Entry, entriesOf, filesBelow, yamlBelow } from '../entries.ts';
import type { Report } from '../report.ts';
import { membersOf, textOf } from '../values.ts';

/** What the files of a dbt project say, by the lists that it is in. */
export interface DbtProject {
  name: string;
  /** Models, seeds and snapshots: what dbt makes tables of. */
  relations: Entry[];
  /** Tables of sources, with the name of their source. */
  sources: { source: string; table: Entry }[];
  semanticModels: Entry[];
  metrics: Entry[];
  savedQueries: Entry[];
  unitTests: Entry[];
  exposures: Entry[];
  singularTests: string[];
}

const ROOT = 'dbt_project.yml';

export async function readDbtProject(folder: string, report: Report): Promise<DbtProject> {
  const files = await yamlBelow(folder, report);
  const root = files.find(({ path }) => path === ROOT);
  const name = textOf(membersOf(root?.value).name);
  if (!name) throw new CommandError(EXIT.usage, `${folder} has no file ${ROOT} with a name.`, 'PROJECT_MISSING');
  const others = files.filter(({ path }) => path !== ROOT);
  const all = (list: string) => others.flatMap((file) => entriesOf(file, [list]));
  return {
    name,
    relations: [...all('models'), ...all('seeds'), ...all('snapshots')],
    sources: all('sources').flatMap((source) => {
      const tables = Array.isArray(source.members.tables) ? source.members.tables : [];
      return tables.map((members: unknown, index) => ({
        source: textOf(source.members.name) ?? '',
        table: { members: membersOf(members), at: (...path) => source.at('tables', index, ...path) },
      }));
    }),
    semanticModels: all('semantic_models'),
    metrics: all('metrics'),
    savedQueries: all('saved_queries'),
    unitTests: all('unit_tests'),
    exposures: all('exposures'),
    singularTests: filesBelow(folder, /\.sql$/i).filter(
      (path) => /^tests\//.test(path) && !/^tests\/generic\//.test(path),
    ),
  };
}

/** The name of the table that dbt makes: that of the model, unless it has another one. */
export function tableNameOf({ members }: Entry): string | undefined {
  const alias = textOf(membersOf(members.config).alias) ?? textOf(members.alias) ?? textOf(members.identifier);
  return alias ?? textOf(members.name);
}

/** The name in `ref('orders')`. */
export const refOf = (text: unknown): string | undefined =>
  /^\s*(?:\{\{\s*)?ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]\s*\)(?:\s*\}\})?\s*$/.exec(String(text))?.[1];

/** A description, unless it only says where one is. */
export function descriptionOf(entry: Entry, subject: string, report: Report): string | undefined {
  const text = textOf(entry.members.description);
  if (text === undefined || !text.includes('{{')) return text?.slice(0, 2000);
  report.unmapped(entry.at('description'), `description of ${subject}`, 'It has Jinja, such as doc blocks.');
  return undefined;
}
