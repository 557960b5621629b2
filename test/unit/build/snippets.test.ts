import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import { clientOperations } from '../../../infra/clients/operations.ts';
import { withSnippets } from '../../../infra/clients/snippets.ts';
import { DOCUMENT } from '../../support/api-document.ts';

type Shown = Record<
  string,
  Record<string, { operationId: string; 'x-codeSamples'?: { label: string; source: string }[] }>
>;

const operations = clientOperations(GROUPS, DOCUMENT);
const shown = Object.values(withSnippets(DOCUMENT, operations).paths as Shown).flatMap((path) => Object.values(path));
const sampleOf = (operationId: string) =>
  Object.fromEntries(
    (shown.find((each) => each.operationId === operationId)!['x-codeSamples'] ?? []).map(({ label, source }) => [
      label,
      source,
    ]),
  );

describe('the reference', () => {
  it('has a call of both clients at every operation that they have', () => {
    const withSamples = shown.filter((each) => each['x-codeSamples']?.length === 2);
    expect(withSamples.map(({ operationId }) => operationId).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
    expect(JSON.stringify(DOCUMENT)).not.toContain('x-codeSamples');
  });

  it('shows calls as they are written', () => {
    expect(sampleOf('listDatasets')).toEqual({
      'TypeScript client': 'for await (const item of api.datasets.list()) console.log(item);',
      'Python client': 'for item in api.datasets.list():\n    print(item)',
    });
    expect(sampleOf('deleteDataSource')).toEqual({
      'TypeScript client': 'await api.dataSources.delete(id);',
      'Python client': 'api.data_sources.delete(id)',
    });
    expect(sampleOf('abortUpload')['Python client']).toBe('api.data_sources.abort_upload(id, upload_id, path=path)');
    expect(sampleOf('createDataSource')['Python client']).toMatch(
      /^reply = api\.data_sources\.create\(\{\n {4}"name": ".*",\n/,
    );
    expect(sampleOf('streamRunEvents')['TypeScript client']).toBe(
      'for await (const item of api.runs.events(runId)) console.log(item);',
    );
  });
});
