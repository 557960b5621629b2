import type { Principal } from '../../../platform/auth/principal.ts';
import type { AlertCondition } from '../conditions/index.ts';
import { readField } from './field-condition.ts';
import { openMetric } from './metric-condition.ts';
import type { OpenedCondition } from './opened-condition.ts';
import { pastStates } from './past-versions.ts';
import type { AlertOpenDeps } from './reading-deps.ts';
import { SOURCES } from './source-kinds.ts';

/** Throws the not-found error of what the condition reads, also if the person may not see it. */
export async function openCondition(
  deps: AlertOpenDeps,
  principal: Principal,
  condition: AlertCondition,
  rule: { timezone: string },
): Promise<OpenedCondition> {
  if (condition.kind === 'metric') return openMetric(deps, principal, condition);
  const { kind } = condition.source;
  const { asked, readAnswer, ...source } = await SOURCES[kind].open(deps, principal, condition, rule);
  return {
    ...source,
    key: JSON.stringify([kind, asked]),
    target: null,
    async readAnswer(reading, reader) {
      const { columns, rows } = await readAnswer(reading, reader);
      return { columns, content: rows };
    },
    async past(reading, reader, last) {
      const { datasetIds, isRelative } = source;
      if (datasetIds === null || datasetIds.length === 0 || isRelative) return null;
      const states = await pastStates(reading, reader.workspaceId, datasetIds, last);
      return states.map(({ at, deps: then }) => ({
        at,
        async read() {
          const { columns, rows } = await readAnswer(then, reader);
          return readField(condition, { columns, content: rows });
        },
      }));
    },
    interpret: (answer) => readField(condition, answer),
  };
}
