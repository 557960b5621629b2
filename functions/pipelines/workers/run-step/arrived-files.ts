import { rm } from 'node:fs/promises';
import type { ExtractResult } from '../../../../shared/data/connectors/rows/text-rows.ts';
import { folded } from '../../../../shared/data/duckdb/column-names.ts';
import { type Column, engineTypeOf } from '../../../../shared/data/duckdb/column-types.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import { mergedChanges } from '../../../../shared/data/files/changed-values.ts';
import { NoRecords } from '../../../../shared/data/files/file-format.ts';
import { rejectInexactTogether } from '../../../../shared/data/tables/load-context.ts';
import { valuelessOf } from '../../../../shared/data/tables/valueless-columns.ts';
import type { BatchFile } from '../../../../shared/domains/pipelines/triggers/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { scratchFile } from './output.ts';

/** Reads the files that started the run, one after the other, as one table: the union by name. */
export async function readArrivedFiles(
  attempt: Attempt,
  read: (file: BatchFile, out: string) => Promise<ExtractResult>,
  out: string,
): Promise<ExtractResult> {
  const { arrived } = attempt;
  if (arrived.length === 0)
    throw new StepFailure(
      'NOT_FOUND',
      'No files started this run, so {{ trigger.files }} is empty; start it by a file_arrival trigger.',
    );
  const parts: Part[] = [];
  const created: string[] = [];
  const scratch = () => {
    const file = scratchFile(attempt);
    created.push(file);
    return file;
  };
  try {
    let withoutRecords: NoRecords | undefined;
    for (const each of arrived) {
      const file = scratch();
      const written = await read(each, file).catch((error: unknown) => {
        if (!(error instanceof NoRecords)) throw error;
        withoutRecords = error;
      });
      if (!written) continue;
      parts.push({ ...written, file });
      if (written.rejected) {
        const { rows, firstLine } = written.rejected;
        attempt.log(
          'warn',
          `${each.path}: ${rows} rows with more or fewer values than columns are left out, the first in line ${firstLine}.`,
        );
      }
    }
    if (parts.length === 0) throw withoutRecords;
    attempt.log('info', `Read ${arrived.length} files.`);
    // The columns of a file without rows have no type and must not turn those of other files into text.
    const filled = parts.filter(({ rows }) => rows > 0);
    const fitted = await withoutEmptyTypes(attempt.engine, filled.length > 0 ? filled : parts, scratch);
    await rejectInexactTogether(
      attempt.engine,
      fitted.map(({ columns, file }) => ({ columns, paths: async () => [file] })),
    );
    await attempt.engine.attach(
      'arrived',
      fitted.map(({ file }) => file),
    );
    const written = await attempt.engine.copyToParquet('SELECT * FROM arrived', { path: out });
    return { ...written, changes: mergedChanges(parts) };
  } finally {
    await Promise.all(created.map((file) => rm(file, { force: true })));
  }
}

type Part = Pick<ExtractResult, 'rows' | 'columns' | 'changes'> & { file: string };

/**
 * Gives a column without values the type that it has in a part with values: an empty column of a text file has no type
 * of its own.
 */
async function withoutEmptyTypes(engine: Engine, parts: readonly Part[], scratch: () => string): Promise<Part[]> {
  const types = new Map<string, Set<string>>();
  for (const { name, type } of parts.flatMap(({ columns }) => columns)) {
    types.set(folded(name), (types.get(folded(name)) ?? new Set()).add(type));
  }
  const knownTypes = new Map<string, string>();
  const empty = new Map<Part, Column[]>();
  for (const part of parts) {
    const differing = part.columns.filter(({ name }) => types.get(folded(name))!.size > 1);
    if (differing.length > 0) await engine.attach('part', [part.file]);
    const without = await valuelessOf(engine, 'part', differing);
    empty.set(part, without);
    for (const column of differing.filter((each) => !without.includes(each)))
      knownTypes.set(folded(column.name), column.type);
  }
  const fitted: Part[] = [];
  for (const part of parts) {
    const retyped = empty.get(part)!.map(({ name, type }) => ({ name, type: knownTypes.get(folded(name)) ?? type }));
    const columns = part.columns.map((column) => retyped.find(({ name }) => name === column.name) ?? column);
    const file = retyped.length === 0 ? part.file : await withNulls(engine, part, retyped, scratch());
    fitted.push({ ...part, columns, file });
  }
  return fitted;
}

async function withNulls(engine: Engine, part: Part, columns: readonly Column[], path: string): Promise<string> {
  await engine.attach('part', [part.file]);
  const nulls = columns.map(({ name, type }) => `NULL::${engineTypeOf(type)} AS ${quoteIdentifier(name)}`);
  await engine.copyToParquet(`SELECT * REPLACE (${nulls.join(', ')}) FROM part`, { path });
  return path;
}
