import type { Access } from '../../../../boards/browser/access.ts';
import { ApiError as CardError } from '../../../../boards/browser/api-error.ts';
import { asCardErrors } from './boards.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Report = Types.Report;
export type Block = Types.ReportBlock;
export type Parameter = Types.ReportParameter;

export interface BlockIssue {
  /** Below the block, such as `text`. */
  member: string;
  message: string;
}

type ChartBlock = Types.ReportChart | Types.ReportTable | Types.ReportKpi | Types.ReportPivot;
type Value = Types.ReportParameterValue['value'];

/** What the reader has chosen, by the names of parameters. */
export type Chosen = Readonly<Record<string, Value>>;

export const useReport = (id: string) => useQuery(['reports', id], () => api.reports.get(id));

export const isChart = (block: Block): block is ChartBlock => 'chartSpec' in block;

/** Those that differ from the defaults, as requests send them. */
export const givenValues = (parameters: readonly Parameter[], chosen: Chosen): Types.ReportParameterValue[] =>
  parameters.flatMap(({ name }) => (name in chosen ? [{ name, value: chosen[name]! }] : []));

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const currentValue = ({ name, default: usual }: Parameter, chosen: Chosen): Value | undefined =>
  name in chosen ? chosen[name] : (usual as Value | undefined);

/** The labels of required parameters that the block needs and that have no value. */
export function missingOf(block: ChartBlock, parameters: readonly Parameter[], chosen: Chosen): string[] {
  const bound = new Set((block.bindings ?? []).map(({ parameter }) => parameter));
  return parameters
    .filter((each) => each.isRequired && bound.has(each.name) && isEmpty(currentValue(each, chosen)))
    .map(({ name, label }) => label || name);
}

/** The chart of a block with the values of its parameters, to be drawn. */
export function boundChart(
  { chartSpec, bindings = [] }: ChartBlock,
  parameters: readonly Parameter[],
  chosen: Chosen,
): { chartSpec: Types.ChartSpec; filters: Types.ChartPreviewFilter[] } {
  const filters: Types.ChartPreviewFilter[] = [];
  const params: Record<string, string | number | boolean> = {};
  for (const { parameter: name, fieldId, op, queryParameter } of bindings) {
    const parameter = parameters.find((each) => each.name === name);
    const value = parameter && currentValue(parameter, chosen);
    if (!parameter || isEmpty(value)) continue;
    const values = [value].flat() as (string | number | boolean)[];
    if (fieldId !== undefined) filters.push({ fieldId, op: op ?? (parameter.isList ? 'in' : 'eq'), values });
    if (queryParameter !== undefined) params[queryParameter] = values[0]!;
  }
  if (Object.keys(params).length === 0) return { chartSpec, filters };
  const query = { ...chartSpec.query, params: { ...chartSpec.query.params, ...params } };
  return { chartSpec: { ...chartSpec, query }, filters };
}

/** Reads the blocks of a report as the signed-in person, with the values that `chosen` returns. */
export function reportAccess({ id, layout, parameters }: Report, chosen: () => Chosen): Access {
  const blocks = new Map(layout.blocks.filter(isChart).map((block) => [block.id, block]));
  const draw = async (blockId: string, timezone: string | undefined, image: object): Promise<string> => {
    const bound = boundChart(blocks.get(blockId)!, parameters, chosen());
    const asked = { ...bound, image: image as Types.CardImage, ...(timezone && { timezone }) };
    return (await asCardErrors(api.charts.preview(asked))).image ?? '';
  };
  return {
    async readCard(blockId, { timezone, image, maxAgeSeconds }) {
      const missing = missingOf(blocks.get(blockId)!, parameters, chosen());
      if (missing.length > 0)
        throw new CardError(400, 'PARAMETER_REQUIRED', `Choose a value for ${missing.join(', ')}.`);
      const body = {
        parameters: givenValues(parameters, chosen()),
        ...(timezone && { timezone }),
        ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
      };
      const [data, picture] = await Promise.all([
        asCardErrors(api.reports.readBlock(id, blockId, body)),
        image ? draw(blockId, timezone, image) : undefined,
      ]);
      return { ...data, ...(picture && { image: picture }) } as Awaited<ReturnType<Access['readCard']>>;
    },
    drawCard: (blockId, { timezone, width, height, theme, hiddenSeries }) =>
      draw(blockId, timezone, { width, height, theme, ...(hiddenSeries && { hiddenSeries }) }),
    readValues: async () => ({ values: [], truncated: false }),
    ends: () => false,
  };
}

/** A value as it is typed: of a list, with commas between its parts. */
export const typedValue = (value: Value | undefined): string =>
  isEmpty(value) ? '' : [value].flat().map(String).join(', ');

/** The value of a typed text; null for none. */
export function valueOfText({ type, isList }: Parameter, text: string): Value {
  const one = (part: string): string | number | boolean =>
    type === 'number' ? Number(part) : type === 'boolean' ? part === 'true' : part;
  if (text.trim() === '') return isList ? [] : null;
  if (!isList) return one(text.trim());
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(one);
}
