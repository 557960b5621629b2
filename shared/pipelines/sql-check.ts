import type { EngineFunction } from '../engine-function/client.ts';
import type { Fault } from '../errors/app-error.ts';
import { bindTemplates } from '../sql/templates.ts';
import type { Dag } from './dag.ts';
import { sampleValues } from './references.ts';
import { inputsOf } from './step-configs.ts';

/**
 * Faults of the SQL in a definition that has no other faults. Whether a text only reads is decided on DuckDB's parse
 * tree, and DuckDB lives in the engine's function, not in the API's.
 */
export async function findSqlFaults(dag: Dag, engine: Pick<EngineFunction, 'check'>): Promise<Fault[]> {
  const loads = new Set(dag.steps.filter((step) => step.type === 'load').map((step) => step.id));
  const statements = dag.steps.flatMap((step, index) =>
    step.type === 'transform_sql'
      ? [
          {
            pointer: `/dag/steps/${index}/config/sql`,
            sql: bindTemplates(step.config.sql as string, sampleValues(dag, step.id)).sql,
            tables: Object.keys(inputsOf(step, loads)),
          },
        ]
      : [],
  );
  if (statements.length === 0) return [];
  const answers = await engine.check(statements.map(({ sql, tables }) => ({ sql, tables })));
  return statements.flatMap(({ pointer }, index) => {
    const answer = answers[index]!;
    return answer.ok ? [] : answer.faults.map(({ code, message }) => ({ pointer, code, message }));
  });
}
