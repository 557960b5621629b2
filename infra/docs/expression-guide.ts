import {
  DIAGNOSTIC_CODES,
  FUNCTION_GROUPS,
  type FunctionEntry,
  signature,
} from '../../shared/data/expressions/index.ts';
import { table } from './markdown-table.ts';

/** The rows of the sample that the examples of the guide read. */
export const SAMPLE = {
  columns: ['id', 'region', 'quantity', 'amount', 'paid', 'ordered', 'shipped'],
  types: ['integer', 'string', 'integer', 'decimal', 'boolean', 'date', 'datetime'],
  rows: [
    ['1', 'North', '3', '19.99', 'true', '2026-01-31', '2026-01-31T22:30:00Z'],
    ['2', 'North', '1', '5.00', 'false', '2026-02-01', '2026-02-02T08:00:00Z'],
    ['3', 'South', '2', '10.50', 'true', '2026-02-15', 'null'],
    ['4', 'null', '4', 'null', 'true', '2026-03-01', '2026-03-03T12:00:00Z'],
  ],
} as const;

/** Examples of the guide beside those of the functions: an expression, its result as JSON, and what it shows. */
export const EXAMPLES: readonly (readonly [expression: string, result: string, shows: string])[] = [
  ['SUM([orders.amount]) / COUNT([orders.id])', '8.8725', 'a measure'],
  ['SUM([amount]) FILTER (WHERE [region] = "North")', '24.99', 'an aggregate of some rows'],
  ['COUNT([id]) FILTER (WHERE [ordered] >= "2026-02-01")', '3', 'a text beside a date is a date'],
  ['IF(SUM([amount]) > 30, "high", "low")', '"high"', 'a condition'],
  ['CASE WHEN COUNT([id]) = 0 THEN NULL ELSE SUM([quantity]) END', '10', 'a CASE'],
  ['5 / 2', '2.5', 'division never cuts off digits'],
  ['1 / 0', 'null', 'division by zero'],
  ['0.1 + 0.2 = 0.3', 'true', 'decimals are exact'],
  ['NULL = NULL', 'null', 'null is equal to nothing'],
  ['1 IN (2, NULL)', 'null', 'null in a list'],
  ['FALSE AND NULL', 'false', 'three-valued logic'],
  ['"a" < "B"', 'false', 'texts are compared by code points'],
];

const TYPES = table(
  ['Type', 'How a constant is written'],
  [
    ['`integer`', '`42`; 64 bits, larger constants are decimals'],
    ['`decimal`', '`19.99`; exact, up to 38 digits'],
    ['`number`', '`1e6`; a 64-bit float'],
    ['`string`', '`"text"` or `\'text\'`; a quote within is doubled'],
    ['`boolean`', '`TRUE`, `FALSE`'],
    ['`date`', "`DATE '2026-01-31'`; a text beside a date is read as one"],
    ['`datetime`', "`DATETIME '2026-01-31T10:30:00Z'`; without `Z` or offset in the query's zone"],
    ['`time`, `geo`', 'no constants'],
    ['any', '`NULL`'],
  ],
);

const LEAD = `# Expressions

Measures, calculated fields and policies of [semantic models](modeling.md) are written in one language. The platform checks an expression,
reports every issue with its place, and compiles it to SQL that gives the same result on DuckDB (datasets) and on Postgres. Only the
functions on this page exist; functions of the database cannot be called.

\`\`\`text
SUM([orders.amount]) FILTER (WHERE [orders.paid]) / {Number of orders}
\`\`\`

## Names

- \`[table.field]\` is a field, by the alias of its table. Where a single table is in scope, as in a policy or a calculated field,
  \`[field]\` is enough. \`{Name}\` is a measure or a [parameter of the model](modeling.md#parameters).
- Put names with brackets, braces, points, quotes or line ends in double quotes, as in \`["a.b"."net [EUR]"]\` or \`{"x}y"}\`. Double a
  double quote within them.
- Upper and lower case may differ from the name, unless two names differ only in that.
- References are stored by their targets. When a table, field or measure is renamed, expressions show the new name.
  Parameters are referred to by their names.
- Functions and words such as \`AND\` can be written in upper or lower case.

## Values and types

${TYPES}

Numbers mix: the result is a \`number\` if one of them is, otherwise a \`decimal\` if one of them is. Other types do not convert by
themselves, except a date to the datetime of its midnight: use \`TO_NUMBER\`, \`TO_TEXT\` and \`TO_DATE\`.

## Operators

From the weakest to the strongest: \`OR\` · \`AND\` · \`NOT\` · \`=\` \`<>\` \`<\` \`<=\` \`>\` \`>=\`, \`IN (…)\`, \`BETWEEN … AND …\`,
\`IS [NOT] NULL\` · \`+\` \`-\` · \`*\` \`/\` · the sign. Comparisons do not chain. \`CASE WHEN … THEN … ELSE … END\`, \`CASE x WHEN … END\` and
\`IF(condition, result[, other])\` choose the first result whose condition is true; if none is, the result is null.

## What every query promises

- **Null.** An operator or function with null gives null, unless this page says otherwise. \`AND\` and \`OR\` follow three-valued logic. A null
  condition counts as not true in \`IF\`, \`CASE\`, \`FILTER\` and policies.
- **Division.** \`/\` gives a float, and null if the divisor is zero. The warning 9001 marks divisors that may be zero; \`DIVIDE\`
  sets another result.
- **Numbers.** Integers and decimals are exact. A sum or product beyond 64 bits (integers) or 38 digits (decimals) of single rows fails
  the query instead of giving a wrong number. Floats of the two engines may differ in their last digit. A float beyond 1.8e308 fails
  the query on Postgres and is null on DuckDB. NaN equals itself and is larger than all numbers.
- **Texts.** Order and comparison follow code points, whatever the collation of the database is, so \`"Z" < "a"\`. Upper and lower case
  differ in all functions; compare \`LOWER(…)\` to ignore it. \`UPPER\` and \`LOWER\` follow Unicode; letters without a single counterpart (ß,
  the last sigma of a Greek word, the dotted İ) are left to the engine.
- **Dates.** A \`date\` has no time zone and never shifts. A \`datetime\` is an instant; its day, month, week and hour are those of the time
  zone of the query. Weeks begin on Monday (ISO 8601). A time of day that a clock change skips counts as the one after the gap; of
  one that it repeats, the second is meant.
- **Empty groups.** Over no rows \`COUNT\`, \`COUNT_DISTINCT\` and \`COUNT_IF\` give 0 and all other aggregates null.
- **Order.** Null comes last in both directions.

## Aggregates

A measure combines aggregates; fields may appear only inside them. \`FILTER (WHERE condition)\` after an aggregate limits
its rows. Aggregates nest only in the functions for [aggregates of aggregates](#aggregates-of-aggregates), which take a measure and
compute it at each time or for each entity in the group first. \`TOTAL\`, \`SHARE\`, \`RANK\`, \`PRIOR\` and the other functions for
[totals and periods](#totals-and-periods) take a measure or an aggregate and look at the other rows of the query.

\`additive\` of a measure is \`full\` if its totals are the sum of its parts (\`SUM\`, \`COUNT\`, and sums and multiples of them), \`semi\` if they
are the smallest or largest of its parts (\`MIN\`, \`MAX\`), and otherwise \`none\`, as for ratios, averages and distinct counts.

## Policies

An expression of row-level security is a condition for the rows of one table. Besides its fields, and those of
[tables with one match](modeling.md#facts-by-their-dimensions) for each row, it may read \`user.id\`, \`user.email\`, \`user.role\`, \`user.groups\`
(a list) and \`user.attr("name")\` (a text or a list), as in \`[region] IN user.attr("regions")\`. These values are always bound as parameters. If the
user does not have the attribute, the policy shows nothing.

Attributes are texts. Beside a number, a date, a datetime (of UTC) or a condition they are converted once: a value of a list that does not
convert matches nothing, and a single one makes the policy show nothing. Functions take an attribute where they take a text, as in
\`LOWER([region]) = LOWER(user.attr("region"))\` or \`[amount] < TO_NUMBER(user.attr("limit")) * 2\`. Except after \`IN\`, the attribute must have
exactly one value.

## Examples

The examples on this page read this table, \`orders\`. A test runs all of them on both engines.

`;

/** The page `docs/expressions.md`. */
export function expressionGuide(): string {
  const sample = table(SAMPLE.columns, SAMPLE.rows);
  const examples = table(
    ['Expression', 'Result', 'Shows'],
    EXAMPLES.map(([expression, result, shows]) => [code(expression), code(result), shows]),
  );
  const groups = Object.entries(FUNCTION_GROUPS).map(
    ([title, entries]) => `## ${title}\n\n${entries.map(section).join('\n')}`,
  );
  const codes = table(
    ['Code', 'Meaning'],
    Object.entries(DIAGNOSTIC_CODES).map(([number, meaning]) => [`\`${number}\``, meaning]),
  );
  return `${LEAD}${sample}\n\n${examples}\n\n${groups.join('\n\n')}\n\n${DIAGNOSTICS}${codes}\n\n${LIMITS}`;
}

const DIAGNOSTICS = `## Diagnostics

Each issue has a code, a severity (\`error\` or \`warning\`), a message, a hint how to fix it, and its place as \`from\` and \`to\` (UTF-16 offsets,
\`to\` exclusive). The codes never change their meaning.

`;

const LIMITS = `## Limits

64 KB of text, 10,000 names, values and symbols, 200 levels of brackets, ten levels of measures that refer to measures, and 1 MB of SQL.
`;

function section(entry: FunctionEntry): string {
  const [expression, result] = entry.example;
  const example = result === undefined ? code(expression) : `${code(expression)} is ${code(result)}`;
  return `- **\`${signature(entry)}\`** ${entry.summary} ${entry.nulls} Example: ${example}.`;
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
