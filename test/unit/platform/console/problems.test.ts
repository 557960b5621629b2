import { describe, expect, it } from 'vitest';
import { problemSentence } from '../../../../functions/platform/console/site/data/problem-sentence.ts';
import { issueText, placeName } from '../../../../functions/platform/console/site/ui/place-name.ts';

const sentence = (detail: string, code = 'SOME_CODE') => problemSentence({ code, title: detail, detail });

describe('problems in the console', () => {
  it('name places as forms do, not as JSON pointers', () => {
    const names = {
      '': '',
      '/name': 'Name',
      '/query/limit': 'Limit',
      '/query': 'Query',
      '/measureId': 'Measure',
      '/ownerIds/1': 'Owner 2',
      '/id': 'ID',
      '/tables/0/mergeKey': 'Table 1, merge key',
      '/config/baseUrl': 'Base URL',
      '/dag/steps/3/dependsOn/0': 'Step 4, depends on 1',
      '/queries/0/sql': 'Query 1, SQL',
      '/headers/x~1y': 'X/y',
    };
    for (const [pointer, name] of Object.entries(names)) expect(placeName(pointer), pointer).toBe(name);
  });

  it('continue the name of the place, or stand behind it', () => {
    expect(issueText({ pointer: '/name', message: 'must not be empty' })).toBe('Name must not be empty');
    expect(issueText({ pointer: '/name', message: '"a" is already used' })).toBe('Name: "a" is already used');
    expect(issueText({ pointer: '', message: 'The file is empty.' })).toBe('The file is empty.');
  });

  it('speak to people, not to programs', () => {
    expect(sentence('The workspace has no such metric. List them with GET /api/metrics.')).toBe(
      'The workspace has no such metric.',
    );
    expect(sentence('This one has none. Publish it with POST /api/dashboards/{id}/publish.')).toBe(
      'This one has none. Publish it.',
    );
    expect(sentence('The data source is not set up for CDC. Run the SQL given in `errors` on it.')).toBe(
      'The data source is not set up for CDC.',
    );
    expect(sentence('There were too many attempts. Wait for the time in Retry-After.')).toBe(
      'There were too many attempts. Try again later.',
    );
    expect(sentence('The request does not match the schema.', 'VALIDATION_FAILED')).toBe('Some values are not valid.');
  });

  it('keep what the API says of one request', () => {
    const detail = 'The table `shop.orders` does not exist. Create it with GET /api/x.';
    expect(problemSentence({ code: 'SQL_ERROR', title: 'The SQL statement failed.', detail })).toBe(detail);
  });
});
