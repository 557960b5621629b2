import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { DOCUMENT } from '../../../support/api-document.ts';

/** Findings that stay, by rule. Each says why, and where alone it may be. */
const EXCEPTIONS: Record<string, { reason: string; pointer: RegExp }> = {
  'no-ambiguous-paths': {
    reason:
      'Paths such as /pipelines/runs/{runId} and /dashboards/bookmarks/{bookmarkId} are promised, and ids of workspaces are no words; the router prefers a literal segment to a parameter.',
    pointer: /^#\/paths\/~1(pipelines~1|workspaces~1\{id\}~1restore$|dashboards~1|metrics~1digests~1|stories~1)/,
  },
  'operation-2xx-response': {
    reason:
      'The address of the API only redirects to the documentation, single sign-on leads a browser on, and the picture of a preview is elsewhere.',
    pointer:
      /^#\/paths\/~1(auth~1sso~1\{slug\}~1(start|callback)|shares~1\{token\}~1preview-image)?\/(get|post)\/responses$/,
  },
};

it('passes the recommended rules of a linter for OpenAPI, except for what is named here', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: JSON.stringify(DOCUMENT),
    absoluteRef: '/openapi.json',
    config,
  });
  const found = problems.map(({ ruleId, message, location }) => ({
    ruleId,
    message,
    pointer: location[0]?.pointer ?? '',
  }));
  const isException = ({ ruleId, pointer }: { ruleId: string; pointer: string }) =>
    EXCEPTIONS[ruleId]?.pointer.test(pointer) ?? false;
  expect(found.filter((problem) => !isException(problem))).toEqual([]);
  // An exception that nothing needs any more is to go.
  expect(new Set(found.map(({ ruleId }) => ruleId))).toEqual(new Set(Object.keys(EXCEPTIONS)));
});
