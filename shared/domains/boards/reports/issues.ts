import type { Issue } from '../../../platform/errors/app-error.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import type { ReportContent } from './records.ts';
import { isDataBlock } from './report-sight.ts';
import type { DataBlock, ParameterBinding, ParameterValue, ReportBlock, ReportParameter } from './schemas.ts';

/** An item of the table has at most 400 KB. */
const MAX_BYTES = 256 * 1024;

/** What is wrong with the layout and the parameters of a report. Their sources are not read. */
export function contentIssues(content: ReportContent): Issue[] {
  const { layout, parameters } = content;
  const bytes = jsonBytes(content);
  if (bytes > MAX_BYTES) {
    const message = `has ${bytes} bytes with the parameters; at most 256 KiB are allowed`;
    return [{ pointer: '/layout', code: 'TOO_LARGE', message }];
  }
  return [
    ...repeated(layout.blocks, ({ id }) => id, '/layout/blocks', 'id'),
    ...repeated(parameters, ({ name }) => name, '/parameters', 'name'),
    ...parameters.flatMap((parameter, index) => defaultIssues(parameter, `/parameters/${index}`)),
    ...layout.blocks.flatMap((block, index) => bindingIssues(block, parameters, `/layout/blocks/${index}`)),
  ];
}

function repeated<T>(items: readonly T[], nameOf: (item: T) => string, list: string, member: string): Issue[] {
  const seen = new Set<string>();
  return items.flatMap((item, index): Issue[] => {
    const name = nameOf(item);
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ pointer: `${list}/${index}/${member}`, code: 'DUPLICATE', message: `"${name}" is already used` }];
  });
}

function defaultIssues(parameter: ReportParameter, place: string): Issue[] {
  const message = valueIssue(parameter, parameter.default ?? null);
  return message === undefined ? [] : [{ pointer: `${place}/default`, code: 'INVALID_VALUE', message }];
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const FITS: Readonly<Record<ReportParameter['type'], { fits(value: unknown): boolean; expected: string }>> = {
  text: { fits: (value) => typeof value === 'string', expected: 'a text' },
  number: { fits: (value) => typeof value === 'number', expected: 'a number' },
  boolean: { fits: (value) => typeof value === 'boolean', expected: 'true or false' },
  date: {
    fits: (value) => typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value)),
    expected: 'a date such as "2026-01-31"',
  },
};

/** Why the value does not fit the parameter; undefined if it does. */
export function valueIssue({ type, isList = false }: ReportParameter, value: ParameterValue): string | undefined {
  if (value === null) return undefined;
  const { fits, expected } = FITS[type];
  if (Array.isArray(value) !== isList) return isList ? 'must be a list' : `must be ${expected}, not a list`;
  const isWrong = [value].flat().some((each) => !fits(each));
  return isWrong ? `must be ${isList ? 'a list; each value is ' : ''}${expected}` : undefined;
}

function bindingIssues(block: ReportBlock, parameters: readonly ReportParameter[], place: string): Issue[] {
  if (!isDataBlock(block)) return [];
  return (block.bindings ?? []).flatMap((binding, index): Issue[] => {
    const pointer = `${place}/bindings/${index}`;
    const parameter = parameters.find(({ name }) => name === binding.parameter);
    const names = parameters.map(({ name }) => name);
    const message = `is not a parameter of the report${suggestion(binding.parameter, names)}`;
    return [
      ...(parameter ? [] : [{ pointer: `${pointer}/parameter`, code: 'UNKNOWN', message }]),
      ...targetIssues(block, binding, parameter, pointer),
    ];
  });
}

function targetIssues(
  { chartSpec }: DataBlock,
  { fieldId, queryParameter, op }: ParameterBinding,
  parameter: ReportParameter | undefined,
  pointer: string,
): Issue[] {
  const { kind } = chartSpec.query.source;
  const conflict = (member: string, message: string): Issue => ({
    pointer: `${pointer}/${member}`,
    code: 'CONFLICT',
    message,
  });
  if ((fieldId === undefined) === (queryParameter === undefined))
    return [{ pointer, code: 'REQUIRED', message: 'needs either `fieldId` or `queryParameter`' }];
  if (fieldId !== undefined)
    return kind === 'metric' ? [conflict('fieldId', `has no effect on a source of kind ${kind}`)] : [];
  return [
    ...(kind === 'savedQuery' || kind === 'model'
      ? []
      : [conflict('queryParameter', `has no effect on a source of kind ${kind}`)]),
    ...(op === undefined ? [] : [conflict('op', 'needs a `fieldId`')]),
    ...(parameter?.isList ? [conflict('queryParameter', 'takes one value; the parameter is a list')] : []),
  ];
}
