import { useColumns } from '../../data/chart-sources.ts';
import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { type ReportDraft, withBindings } from '../../data/report-draft.ts';
import type { Block, Parameter } from '../../data/reports.ts';
import { SelectField } from '../../ui/field.tsx';

type Binding = Types.ReportParameterBinding;

const OPERATORS = {
  eq: 'equals the parameter',
  ne: 'does not equal the parameter',
  gt: 'is more than the parameter',
  gte: 'is at least the parameter',
  lt: 'is less than the parameter',
  lte: 'is at most the parameter',
  contains: 'contains the parameter',
  starts_with: 'starts with the parameter',
} as const;

const OF_LISTS = { in: 'is one of the values', not_in: 'is none of the values' } as const;

interface ReportBindingsProps {
  block: Extract<Block, { chartSpec: unknown }>;
  draft: ReportDraft;
  parameters: readonly Parameter[];
}

/** What each parameter of the report changes in a block. */
export function ReportBindings({ block, draft, parameters }: ReportBindingsProps) {
  const { source } = block.chartSpec.query;
  const columns = useColumns(source).data?.filter(({ isMeasure }) => !isMeasure) ?? [];
  const ofQuery = useQueryParameters(source);
  if (source.kind === 'metric') return <p class="hint">Parameters do not change metrics.</p>;
  const bindings = block.bindings ?? [];
  const bind = (name: string, next: Binding | undefined) => {
    const others = bindings.filter(({ parameter }) => parameter !== name);
    draft.setBlock(block.id, withBindings(block, next ? [...others, next] : others));
  };
  return (
    <fieldset class="parts">
      <legend>Parameters of the report</legend>
      {parameters.map(({ name, label, isList }) => {
        const title = label || name;
        const binding = bindings.find(({ parameter }) => parameter === name);
        const target = targetOf(binding);
        const known = [...columns.map((each) => `field:${idOf(each)}`), ...ofQuery.map((each) => `query:${each}`)];
        return (
          <div class="binding" key={name}>
            <SelectField
              label={`“${title}” changes`}
              value={target}
              onChange={({ currentTarget }) => bind(name, bindingTo(name, currentTarget.value))}
            >
              <option value="">nothing in this block</option>
              {binding && !known.includes(target) && (
                <option value={target}>{binding.fieldId ?? binding.queryParameter}</option>
              )}
              {columns.map((column) => (
                <option key={column.key} value={`field:${idOf(column)}`}>
                  rows by {column.label}
                </option>
              ))}
              {ofQuery.map((each) => (
                <option key={each} value={`query:${each}`}>
                  ${each} of the query
                </option>
              ))}
            </SelectField>
            {binding?.fieldId !== undefined && (
              <SelectField
                label={`“${title}” keeps rows whose value`}
                value={binding.op ?? (isList ? 'in' : 'eq')}
                onChange={({ currentTarget }) => bind(name, { ...binding, op: currentTarget.value as 'eq' })}
              >
                {Object.entries(isList ? OF_LISTS : OPERATORS).map(([op, words]) => (
                  <option key={op} value={op}>
                    {words}
                  </option>
                ))}
                {binding.op && !(binding.op in (isList ? OF_LISTS : OPERATORS)) && (
                  <option value={binding.op}>{binding.op}</option>
                )}
              </SelectField>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

const idOf = ({ dimension }: { dimension: { fieldId?: string; column?: string } }): string =>
  dimension.fieldId ?? dimension.column ?? '';

const targetOf = (binding: Binding | undefined): string =>
  binding?.fieldId !== undefined
    ? `field:${binding.fieldId}`
    : binding?.queryParameter !== undefined
      ? `query:${binding.queryParameter}`
      : '';

function bindingTo(parameter: string, target: string): Binding | undefined {
  if (target === '') return undefined;
  const id = target.slice(target.indexOf(':') + 1);
  return target.startsWith('field:') ? { parameter, fieldId: id } : { parameter, queryParameter: id };
}

/** The parameters that a saved query has itself. */
const useQueryParameters = ({ kind, id }: Types.ChartSource): readonly string[] =>
  useQuery(['saved-queries', id], () => api.savedQueries.get(id), { enabled: kind === 'savedQuery' }).data?.params.map(
    ({ name }) => name,
  ) ?? [];
