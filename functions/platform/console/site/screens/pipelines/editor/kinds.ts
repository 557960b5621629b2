import type { StepSchema } from '../../../data/step-schemas.ts';
import type { IconName } from '../../../ui/icon-names.ts';
import { type DraftDag, type DraftStep, freeId, idFrom, type Place, stepOf } from './draft.ts';

/** What a step can be, in the words of the picker. */
export interface Kind {
  id: string;
  label: string;
  hint: string;
  group: 'Read' | 'Change' | 'Load';
  icon: IconName;
  type: string;
  /** The settings of a new step that reads another one with this name. */
  config: (after: string | undefined) => Record<string, unknown>;
  name: (after: string | undefined) => string;
}

const or = (after: string | undefined, otherwise: string): string => after ?? otherwise;

const CODE = `function transform(rows, context) {
  return rows;
}
`;

export const KINDS: readonly Kind[] = [
  {
    id: 'table',
    label: 'Table',
    hint: 'of a database or a web service',
    group: 'Read',
    icon: 'database',
    type: 'extract',
    config: () => ({ object: { table: '' } }),
    name: () => 'table',
  },
  {
    id: 'file',
    label: 'Files',
    hint: 'of an upload or a bucket',
    group: 'Read',
    icon: 'file',
    type: 'extract',
    config: () => ({ object: { path: '' } }),
    name: () => 'file',
  },
  {
    id: 'query',
    label: 'Query',
    hint: 'in the SQL of a database',
    group: 'Read',
    icon: 'terminal',
    type: 'extract',
    config: () => ({ object: { query: '' } }),
    name: () => 'query',
  },
  {
    id: 'dataset',
    label: 'Dataset',
    hint: 'of this workspace',
    group: 'Read',
    icon: 'table',
    type: 'extract',
    config: () => ({ object: { dataset: '' } }),
    name: () => 'dataset',
  },
  {
    id: 'stream',
    label: 'Changes',
    hint: 'that a stream captures',
    group: 'Read',
    icon: 'radio',
    type: 'extract',
    config: () => ({ object: { stream: '' }, mode: 'incremental' }),
    name: () => 'changes',
  },
  {
    id: 'sql',
    label: 'SQL',
    hint: 'one SELECT over its inputs',
    group: 'Change',
    icon: 'code',
    type: 'transform_sql',
    config: (after) => ({ sql: after === undefined ? 'SELECT 1 AS n' : `SELECT * FROM ${tableOf(after)}` }),
    name: (after) => `clean_${or(after, 'rows')}`,
  },
  {
    id: 'recipe',
    label: 'Recipe',
    hint: 'operations, one after the other',
    group: 'Change',
    icon: 'list',
    type: 'transform_sql',
    config: () => ({ ops: [{ op: 'filter', condition: '' }] }),
    name: (after) => `shaped_${or(after, 'rows')}`,
  },
  {
    id: 'code',
    label: 'Code',
    hint: 'JavaScript or TypeScript',
    group: 'Change',
    icon: 'code',
    type: 'transform_code',
    config: () => ({ code: CODE }),
    name: (after) => `coded_${or(after, 'rows')}`,
  },
  {
    id: 'route',
    label: 'Split',
    hint: 'by conditions',
    group: 'Change',
    icon: 'git-branch',
    type: 'route',
    config: () => ({ routes: [{ port: 'matching', condition: '' }] }),
    name: (after) => `split_${or(after, 'rows')}`,
  },
  {
    id: 'to-dataset',
    label: 'Into a dataset',
    hint: 'which SQL, models and charts read',
    group: 'Load',
    icon: 'table',
    type: 'load',
    config: (after) => ({ target: { kind: 'dataset', name: or(after, 'rows') }, mode: 'overwrite' }),
    name: (after) => `keep_${or(after, 'rows')}`,
  },
  {
    id: 'to-table',
    label: 'Into a table',
    hint: 'of a Postgres database',
    group: 'Load',
    icon: 'database',
    type: 'load',
    config: (after) => ({ target: { kind: 'table', sourceId: '', table: or(after, 'rows') }, mode: 'append' }),
    name: (after) => `write_${or(after, 'rows')}`,
  },
  {
    id: 'to-files',
    label: 'Into files',
    hint: 'in a bucket',
    group: 'Load',
    icon: 'folder',
    type: 'load',
    config: (after) => ({
      target: { kind: 'files', sourceId: '', path: or(after, 'rows'), format: 'parquet' },
      mode: 'append',
    }),
    name: (after) => `write_${or(after, 'rows')}`,
  },
];

/** How SQL names the rows of a step. */
const tableOf = (id: string): string => (/^[a-z_]\w*$/i.test(id) ? id : `"${id.replaceAll('-', '_')}"`);

/** Those that fit at a place: only reads follow a load, which has no rows, and nothing follows by being read. */
export function kindsAt(dag: DraftDag, { after, before }: Place): readonly Kind[] {
  const from = stepOf(dag, after);
  return KINDS.filter(({ group }) => {
    if (from?.type === 'load') return group === 'Read';
    if (before !== undefined) return group === 'Change';
    return from === undefined || group !== 'Read';
  });
}

const PREFIX = /^(clean|shaped|coded|split|keep|write)_/;

/** A new step of a kind, named after what it reads. */
export function newStep(dag: DraftDag, kind: Kind, { after }: Place): DraftStep {
  const read = stepOf(dag, after)?.type === 'load' ? undefined : after;
  const base = read?.replace(PREFIX, '');
  const id = freeId(dag, kind.name(base));
  const config = kind.type === 'load' ? kind.config(base) : kind.config(read);
  return { id, type: kind.type, config };
}

/** What kind a step is, by its settings; undefined for settings of no kind. */
export function kindOf({ type, config }: Pick<DraftStep, 'type' | 'config'>): Kind | undefined {
  return KINDS.find(({ id }) => id === kindIdOf(type, config));
}

function kindIdOf(type: string, { object, target, ops }: Record<string, unknown>): string | undefined {
  const has = (value: unknown, member: string) => typeof value === 'object' && value !== null && member in value;
  switch (type) {
    case 'extract': {
      if (has(object, 'dataset')) return 'dataset';
      if (has(object, 'stream')) return 'stream';
      if (has(object, 'path')) return 'file';
      return has(object, 'query') ? 'query' : 'table';
    }
    case 'transform_sql':
      return ops === undefined ? 'sql' : 'recipe';
    case 'transform_code':
      return 'code';
    case 'route':
      return 'route';
    case 'load':
      return `to-${(target as { kind?: string } | undefined)?.kind ?? 'dataset'}`;
    default:
      return undefined;
  }
}

const SCHEMAS: Readonly<Record<string, StepSchema>> = {
  table: 'ExtractTableConfig',
  file: 'ExtractFileConfig',
  query: 'ExtractQueryConfig',
  dataset: 'ExtractDatasetConfig',
  stream: 'ExtractStreamConfig',
  sql: 'SqlConfig',
  recipe: 'RecipeConfig',
  code: 'TransformCodeConfig',
  route: 'RouteConfig',
};

const LOADS: Readonly<Record<string, Readonly<Record<string, StepSchema>>>> = {
  'to-dataset': {
    append: 'AppendToDatasetConfig',
    overwrite: 'OverwriteDatasetConfig',
    merge: 'MergeIntoDatasetConfig',
  },
  'to-table': { append: 'AppendToTableConfig', overwrite: 'OverwriteTableConfig', merge: 'MergeIntoTableConfig' },
  'to-files': { append: 'AppendFilesConfig', overwrite: 'OverwriteFilesConfig' },
};

/** How a load can treat the rows that are there. */
export const modesOf = (kind: Kind): readonly string[] => Object.keys(LOADS[kind.id] ?? {});

/** The schema of the settings of a step. */
export function schemaOf(step: Pick<DraftStep, 'type' | 'config'>): StepSchema | undefined {
  const id = kindOf(step)?.id ?? '';
  const loads = LOADS[id];
  return loads ? (loads[String(step.config.mode)] ?? loads.append) : SCHEMAS[id];
}

/** The id that an extract gets from what it reads, as long as nobody has named it. */
export function nameFromObject(dag: DraftDag, step: DraftStep): string | undefined {
  const kind = kindOf(step);
  const isUnnamed = kind?.group === 'Read' && new RegExp(`^${kind.name(undefined)}(_\\d+)?$`).test(step.id);
  const { table, path, dataset } = (step.config.object ?? {}) as Record<string, string | undefined>;
  const read =
    table ??
    dataset ??
    path
      ?.split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '');
  return isUnnamed && read && /\w/.test(read) ? freeId(dag, idFrom(read)) : undefined;
}
