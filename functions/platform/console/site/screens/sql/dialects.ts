import { MySQL, PostgreSQL, SQLDialect } from '@codemirror/lang-sql';

/** What a statement reads: the datasets of the workspace, or a database by its own dialect. */
export type Database = 'datasets' | 'postgres' | 'mysql';

/** The words of statements that read, without the hundreds that define, write and administer. */
const WORDS = [
  'select from where group by order having limit offset with recursive as on using join inner left right full outer',
  'cross natural lateral union all intersect except distinct case when then else end and or not in is null like ilike',
  'between exists any some true false cast try_cast over partition rows range unbounded preceding following current row',
  'filter within asc desc nulls first last interval qualify pivot unpivot exclude replace columns semi anti asof',
  'positional',
].join(' ');

const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: WORDS,
  caseInsensitiveIdentifiers: true,
  specialVar: '$',
});

export const DIALECTS: Readonly<Record<Database, SQLDialect>> = {
  datasets: DUCKDB,
  postgres: SQLDialect.define({ ...PostgreSQL.spec, keywords: WORDS, specialVar: '$' }),
  mysql: SQLDialect.define({ ...MySQL.spec, keywords: WORDS, specialVar: '$' }),
};
