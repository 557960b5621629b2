import type { DataType } from '../../../../data/expressions/index.ts';
import { dataTypeOf } from '../../../../data/transforms/index.ts';
import type { Aggregation, ModelField } from '../definition/records.ts';

/** The meaning of a column by its platform type and its name. */
export type FieldDefaults = Pick<ModelField, 'fieldType' | 'dataType' | 'aggregation' | 'semanticType'>;

/** Numbers that identify, count time or name places are no amounts. */
const NO_AMOUNT =
  /(^|_)(id|ids|key|code|codes|no|nr|num|number|zip|postcode|postal|year|quarter|month|week|day|hour|minute|weekday|rank|position|sequence|seq|version|lat|latitude|lon|lng|longitude|phone|fax|ssn|flag|status|type|level|priority)$/;

const SEMANTICS: readonly [RegExp, readonly DataType[], string][] = [
  [/(^|_)e?mail(_address)?$/, ['string'], 'email'],
  [/(^|_)(phone|mobile|telephone|fax)(_number)?$/, ['string', 'integer', 'number'], 'phone'],
  [/(^|_)(url|website|link)$/, ['string'], 'url'],
  [/(^|_)country(_code|_name)?$/, ['string'], 'country'],
  [/(^|_)(state|province|region)(_code|_name)?$/, ['string'], 'region'],
  [/(^|_)(city|town)(_name)?$/, ['string'], 'city'],
  [/(^|_)(zip|zipcode|zip_code|postcode|postal_code)$/, ['string', 'integer'], 'postal_code'],
  [/(^|_)(lat|latitude)$/, ['number', 'decimal'], 'latitude'],
  [/(^|_)(lon|lng|longitude)$/, ['number', 'decimal'], 'longitude'],
  [/(^|_)currency(_code)?$/, ['string'], 'currency'],
  [/(^|_)(id|key|uuid)$/, ['string', 'integer', 'decimal', 'number'], 'identifier'],
];

/** `orderTotal` and `Order Total` are read like `order_total`. */
export const wordsOf = (name: string) =>
  name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[^\p{L}\d]+/gu, '_')
    .toLowerCase();

export function fieldDefaults(column: { name: string; type: string; isKey: boolean }): FieldDefaults {
  const dataType = dataTypeOf(column.type);
  const name = wordsOf(column.name);
  const semanticType =
    SEMANTICS.find(([pattern, types]) => types.includes(dataType) && pattern.test(name))?.[2] ?? null;
  const isNumber = ['integer', 'decimal', 'number'].includes(dataType);
  const isMeasure = isNumber && !column.isKey && semanticType === null && !NO_AMOUNT.test(name);
  const aggregation: Aggregation = isMeasure ? averageOrSum(name) : 'none';
  return { fieldType: isMeasure ? 'measure' : 'dimension', dataType, aggregation, semanticType };
}

/** Rates, prices and ages have no meaningful sum. */
const averageOrSum = (name: string): Aggregation =>
  /(^|_)(rate|ratio|pct|percent|percentage|price|age|score|avg|average|temperature)$/.test(name) ? 'avg' : 'sum';
