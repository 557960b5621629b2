import { AGGREGATE_FUNCTIONS } from './aggregates.ts';
import { CONVERSION_FUNCTIONS } from './conversions.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import type { FunctionEntry } from './entry.ts';
import { NESTED_FUNCTIONS } from './nested.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { TEXT_FUNCTIONS } from './texts.ts';
import { WINDOW_FUNCTIONS } from './windows.ts';

export { dateFormat } from './conversions.ts';
export * from './entry.ts';

/** The functions in groups, in the order of the guide. Each is declared once. */
export const FUNCTION_GROUPS: Readonly<Record<string, readonly FunctionEntry[]>> = {
  Aggregates: AGGREGATE_FUNCTIONS,
  'Aggregates of aggregates': NESTED_FUNCTIONS,
  'Totals and periods': WINDOW_FUNCTIONS,
  Numbers: NUMBER_FUNCTIONS,
  Texts: TEXT_FUNCTIONS,
  Dates: DATE_FUNCTIONS,
  'Conversions and nulls': CONVERSION_FUNCTIONS,
};

const BY_NAME = new Map(
  Object.values(FUNCTION_GROUPS)
    .flat()
    .map((entry) => [entry.name, entry]),
);

/** `IF` is a form of CASE. */
export const FUNCTION_NAMES: readonly string[] = [...BY_NAME.keys(), 'IF'];

/** The function of a name in any case. */
export const functionOf = (name: string): FunctionEntry | undefined => BY_NAME.get(name.toUpperCase());
