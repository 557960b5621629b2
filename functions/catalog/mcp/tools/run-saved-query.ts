import { boundedRows, DEFAULT_ROWS, limit } from '../limits.ts';
import type { Tool } from '../tool.ts';
import { readWithSource } from '../trust.ts';

export const runSavedQuery: Tool = {
  name: 'run_saved_query',
  title: 'Run a saved query',
  description:
    'Runs a saved query with values of its parameters, which `describe` lists. Values are bound as parameters, never spliced into the SQL.',
  input: {
    type: 'object',
    properties: {
      savedQueryId: { type: 'string', format: 'uuid', description: 'The id of the saved query.' },
      params: {
        type: 'object',
        maxProperties: 50,
        additionalProperties: true,
        description: 'Values of the parameters, by name.',
      },
      limit,
      timezone: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        default: 'UTC',
        description: 'The IANA name of the time zone in which timestamps are shown.',
      },
    },
    required: ['savedQueryId'],
  },
  async run({ savedQueryId: id, limit: maxRows = DEFAULT_ROWS, ...run }, operations) {
    const { reply, source } = await readWithSource(
      operations,
      { type: 'saved-query', id },
      {
        group: 'saved-queries',
        method: 'POST',
        path: `/api/saved-queries/${id}/run`,
        body: { ...run, limit: maxRows },
      },
    );
    const { queryId: _queryId, stats: _stats, ...answer } = reply;
    return { value: { source, ...boundedRows(answer, maxRows) } };
  },
};
