import type { OpenOptions } from '../../../../shared/data/connectors/open-source.ts';
import type { SourceSettings } from '../../../../shared/data/connectors/source-types.ts';
import { timeoutMsOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import { dataSourceRepository, secretTexts, unseal } from '../../../../shared/domains/warehouse/sources/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';

const CONNECT_MS = 15_000;

/** How a step reaches a source. */
export function openOptions({ worker, step }: Attempt): OpenOptions {
  return {
    guard: worker.guard,
    schemes: worker.schemes,
    ownBucket: process.env.DATA_BUCKET ?? '',
    timeouts: { connectMs: CONNECT_MS, statementMs: timeoutMsOf(step) },
  };
}

/** The source that a load writes into; its secrets are masked in the log. Throws NOT_FOUND. */
export async function openTarget(
  attempt: Attempt,
  sourceId: string,
  type: SourceSettings['type'],
  where: string,
): Promise<{ settings: SourceSettings; options: OpenOptions }> {
  const { worker, run } = attempt;
  const source = await dataSourceRepository(worker.context.table).get(run.workspaceId, sourceId);
  if (!source) throw new StepFailure('NOT_FOUND', 'The data source of the target was deleted.');
  if (source.type !== type) {
    throw new StepFailure('NOT_FOUND', `The data source is now of type ${source.type}, but ${where}.`);
  }
  const settings = await unseal(worker.secrets, source);
  for (const text of secretTexts(settings)) attempt.hide(text);
  return { settings, options: openOptions(attempt) };
}
