import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { choiceIssue, type ModelParameter, type ParameterChoice } from '../../semantics/models/index.ts';
import type { RunFilter } from './chart-question.ts';
import type { ChartDeps, ReadChart } from './chart-reading.ts';
import { oneOf, typedValue } from './saved-filters.ts';

/**
 * The chart with the values of parameters of its model that filters choose: those on a field with the name of a
 * parameter. Locked filters hold for the rows in any case, and no row has a parameter. Throws `VALIDATION_FAILED`.
 */
export async function withChosenParameters<T extends ReadChart>(
  { definitions }: Pick<ChartDeps, 'definitions'>,
  chart: T,
): Promise<T> {
  const { principal, query, filters } = chart;
  if (query.source.kind !== 'model' || filters.length === 0) return chart;
  const { model } = await definitions.read({ workspaceId: principal.workspaceId, modelId: query.source.id });
  const { parameters = [] } = model;
  const chosen = new Map<string, ParameterChoice>();
  const issues: Issue[] = [];
  const onRows = filters.filter((filter) => {
    const parameter = filter.isOnRows ? undefined : parameters.find(({ name }) => name === filter.fieldId);
    if (!parameter) return true;
    const found = choiceOf(parameter, filter, chosen.get(parameter.name));
    if (typeof found === 'object') issues.push(found);
    else chosen.set(parameter.name, found);
    return false;
  });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  if (chosen.size === 0) return chart;
  return { ...chart, query: { ...query, params: { ...query.params, ...Object.fromEntries(chosen) } }, filters: onRows };
}

function choiceOf(
  parameter: ModelParameter,
  { op, values, pointer }: RunFilter,
  chosen: ParameterChoice | undefined,
): ParameterChoice | Issue {
  const { name, dataType } = parameter;
  const given = oneOf(op, values);
  if (given === undefined)
    return { pointer, code: 'CONFLICT', message: `sets the parameter "${name}", which takes one value` };
  const value = typedValue(dataType, given);
  const issue = choiceIssue(parameter, value);
  if (issue) return { ...issue, pointer: `${pointer}/values/0` };
  if (chosen === undefined || chosen === value) return value;
  const message = `sets the parameter "${name}", to which another filter gives a different value`;
  return { pointer: `${pointer}/values`, code: 'CONFLICT', message };
}
