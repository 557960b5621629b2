import { questionProperties } from '../../../../shared/domains/semantics/questions/index.ts';
import { boundedRows, DEFAULT_ROWS, limit } from '../limits.ts';
import type { Tool } from '../tool.ts';
import { readWithSource } from '../trust.ts';

export const askModel: Tool = {
  name: 'ask_model',
  title: 'Ask a model',
  description:
    'Computes measures of a model, grouped by dimensions, from the rows that you may see. Take the ids of fields and measures from `describe`. A question that cannot be answered correctly is rejected with the reason.',
  input: {
    type: 'object',
    properties: {
      modelId: { type: 'string', format: 'uuid', description: 'The id of the model.' },
      ...questionProperties,
      limit,
    },
    required: ['modelId'],
  },
  async run({ modelId, limit: maxRows = DEFAULT_ROWS, ...question }, operations) {
    const { reply, source } = await readWithSource(
      operations,
      { type: 'model', id: modelId },
      {
        group: 'questions',
        method: 'POST',
        path: `/api/models/${modelId}/query`,
        body: { ...question, limit: maxRows },
      },
    );
    const { queryId: _queryId, stats: _stats, ...answer } = reply;
    return { value: { source, ...boundedRows(answer, maxRows) } };
  },
};
