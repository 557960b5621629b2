import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { pythonName } from '../../../../infra/clients/python-names.ts';
import { it, itWithOwnCompany } from '../../../support/api.ts';
import { callsOfEveryOperation } from '../../../support/client-calls.ts';
import { HAS_PYTHON, runPython } from '../../../support/python.ts';
import { clientsBuilt } from '../../../support/setup/ask.ts';

const snake = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [pythonName(name), value]));

async function outcomeOf(program: string, input: object): Promise<never> {
  await clientsBuilt();
  return JSON.parse(await runPython([join(import.meta.dirname, 'python', program)], JSON.stringify(input))) as never;
}

describe.runIf(HAS_PYTHON)('the Python client', () => {
  itWithOwnCompany('reaches every operation, and fails only as it declares', async ({ api }) => {
    const calls = callsOfEveryOperation();
    const called = calls.map(({ resource, method, path, body, query, reply }) => ({
      resource: pythonName(resource),
      method: pythonName(method),
      given: body === undefined ? path : [...path, body],
      query: snake(query ?? {}),
      reply,
    }));
    const input = { url: api.endpoint, token: await api.token('owner'), calls: called };
    const outcomes: (string | null)[] = await outcomeOf('every_operation.py', input);
    expect(outcomes).toHaveLength(calls.length);
    for (const [index, { resource, method, codes }] of calls.entries())
      expect([null, ...codes], `${resource}.${method}`).toContain(outcomes[index]);
  });

  it.for(['Analytics', 'AsyncAnalytics'])(
    'loads a file, follows the run and reads the rows (%s)',
    async (client, { api }) => {
      const [token, viewer, stranger] = await Promise.all([
        api.token('owner'),
        api.token('viewer'),
        api.token('stranger'),
      ]);
      const seen = await outcomeOf('loads_a_file.py', { client, url: api.endpoint, token, viewer, stranger });
      expect(seen).toEqual({
        sent: [20],
        end: { status: 'succeeded' },
        rows: [
          { id: 1, amount: 2.5 },
          { id: 2, amount: 4 },
        ],
        csv: 'id\r\n1\r\n2\r\n',
        datasets: ['orders'],
        isTagged: true,
        startedTwice: false,
        secret: 'whsec_',
        errors: [
          'PreconditionFailed',
          'DatasetNotFound',
          'PipelineNameTaken',
          'SqlParse',
          'Forbidden',
          'Unauthenticated',
          'PipelineNotFound',
        ],
      });
    },
  );
});
