import { type Entry, innerEntries } from '../entries.ts';
import { isMembers, listOf, type Members, membersOf, present, textOf } from '../values.ts';
import { type DbtProject, refOf } from './project.ts';

/** A semantic model of dbt, in the one form for both of its spellings. */
export interface SemanticModel {
  name: string;
  entry: Entry;
  /** The model of dbt that has its rows. */
  relation: string | undefined;
  relationEntry: Entry | undefined;
  timeDimension: string | undefined;
  entities: Entry[];
  dimensions: Entry[];
  /** Named aggregates of the older spelling. */
  measures: Entry[];
  /** Simple metrics of the newer spelling, which stand in the model. */
  metrics: Entry[];
}

/** Semantic models stand in a list of their own, or (since dbt 1.12) in the models with their columns. */
export function semanticModelsOf(project: DbtProject): SemanticModel[] {
  const older = project.semanticModels.map((entry): SemanticModel => {
    const relation = refOf(entry.members.model);
    return {
      name: textOf(entry.members.name) ?? '',
      entry,
      relation,
      relationEntry: project.relations.find(({ members }) => members.name === relation),
      timeDimension: textOf(membersOf(entry.members.defaults).agg_time_dimension),
      entities: [...innerEntries(entry, 'entities'), ...virtualEntity(entry)],
      dimensions: innerEntries(entry, 'dimensions'),
      measures: innerEntries(entry, 'measures'),
      metrics: [],
    };
  });
  return [...older, ...project.relations.flatMap(newerModel)];
}

/** A model without a key names its rows all the same. */
function virtualEntity({ members, at }: Entry): Entry[] {
  const name = textOf(members.primary_entity);
  return name === undefined
    ? []
    : [{ members: { name, type: 'primary', virtual: true }, at: () => at('primary_entity') }];
}

function newerModel(entry: Entry): SemanticModel[] {
  const own = entry.members.semantic_model;
  const settings = membersOf(own);
  if (own !== true && (!isMembers(own) || settings.enabled === false)) return [];
  const columns = innerEntries(entry, 'columns');
  const part = (member: 'entity' | 'dimension') =>
    columns.flatMap((column): Entry[] => {
      const value = column.members[member];
      if (value === undefined) return [];
      const members = isMembers(value) ? value : { type: value };
      const type = member === 'dimension' && members.type === undefined ? inferredType(column.members) : members.type;
      const name = members.name ?? column.members.name;
      const description = members.description ?? column.members.description;
      const type_params = { time_granularity: column.members.granularity };
      return [
        {
          members: present({ ...members, name, type, description, expr: column.members.name, type_params }),
          at: column.at,
        },
      ];
    });
  const derived = innerEntries(entry, 'derived_semantics', 'entities');
  return [
    {
      name: textOf(settings.name) ?? textOf(entry.members.name) ?? '',
      entry,
      relation: textOf(entry.members.name),
      relationEntry: entry,
      timeDimension: textOf(entry.members.agg_time_dimension),
      entities: [...part('entity'), ...derived, ...virtualEntity(entry)],
      dimensions: [...part('dimension'), ...innerEntries(entry, 'derived_semantics', 'dimensions')],
      measures: [],
      metrics: innerEntries(entry, 'metrics'),
    },
  ];
}

const inferredType = ({ granularity }: Members): string => (granularity === undefined ? 'categorical' : 'time');

/** What an entity or a dimension reads: its own name, unless it has an expression. */
export const exprOf = ({ members }: Entry): string => textOf(members.expr) ?? textOf(members.name) ?? '';

export const listedNames = (value: unknown): string[] => listOf(value).flatMap((each) => textOf(each) ?? []);
