import { freeName } from '../../../../shared/data/duckdb/column-names.ts';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import { checkCondition } from '../../../../shared/data/sql/condition-check.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { portsOf, type RouteConfig } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { PortOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Attempt } from './attempt.ts';
import { attachInput, storeFile } from './output.ts';

/**
 * Sends each row to the port of the first route whose condition is true, or of every such route, and other rows to the
 * default port. Conditions are evaluated once per row, so that ports agree even about a condition that uses the clock.
 */
export async function route(attempt: Attempt): Promise<StepResult> {
  const { engine } = attempt;
  const config = attempt.step.config as unknown as RouteConfig;
  const ports = portsOf(attempt.step)!;
  const { rows: rowsIn } = await attachInput(attempt, 'input');
  const columns = await engine.describe('SELECT * FROM input');
  for (const { condition } of config.routes) {
    await checkCondition(engine, bindTemplates(condition, attempt.values).sql);
  }
  const marks = quoteIdentifier(freeName('ports of the row', columns));
  // Bound in one expression, so that the references share their numbering.
  const marked = bindTemplates(marksOf(config), attempt.values);
  await engine.lock();
  await engine.run(`CREATE TABLE marked AS SELECT *, (${marked.sql}) AS ${marks} FROM input`, marked.params);

  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const outputs: Record<string, PortOutput> = {};
  let bytes = 0;
  for (const [index, port] of ports.entries()) {
    const path = engine.temporaryPath('parquet');
    const written = await engine.copyToParquet(`SELECT ${names} FROM marked WHERE ${marks} & ${bit(index)} <> 0`, {
      path,
    });
    const file = await storeFile(attempt, path, written, index + 1);
    outputs[port] = { files: [file], rows: written.rows, bytes: written.bytes };
    bytes += written.bytes;
    attempt.log('info', `Port ${port}: ${written.rows} rows.`);
  }
  const rows = Object.values(outputs).reduce((sum, output) => sum + output.rows, 0);
  return { output: { files: [], columns, rows, bytes, ports: outputs }, rowsIn, rowsOut: rows, bytesOut: bytes };
}

/** A bit mask of the ports of the row; conditions that are NULL count as false. */
function marksOf({ mode, routes }: RouteConfig): string {
  const rest = bit(routes.length);
  if (mode === 'all_matches') {
    const taken = routes.map(({ condition }, index) => `(CASE WHEN (${condition}\n) THEN ${bit(index)} ELSE 0 END)`);
    return `coalesce(nullif(${taken.join(' | ')}, 0), ${rest})`;
  }
  const cases = routes.map(({ condition }, index) => `WHEN (${condition}\n) THEN ${bit(index)}`);
  return `CASE ${cases.join(' ')} ELSE ${rest} END`;
}

const bit = (index: number) => `${1n << BigInt(index)}::BIGINT`;
