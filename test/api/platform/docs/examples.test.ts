import { describe, expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { examples as pipelineExamples } from '../../../../functions/pipelines/pipelines/examples.ts';
import { IDS } from '../../../../functions/platform/example-values.ts';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { browserTokenOf } from '../../../support/given/member.ts';
import { call } from '../../../support/http.ts';
import { somePath } from '../../../support/samples.ts';

const requests = GROUPS.flatMap(({ sections }) =>
  sections.flatMap(({ examples }) =>
    [...examples].flatMap(([route, { request }]) =>
      request === undefined ? [] : [[route.operationId, route, request] as const],
    ),
  ),
);

const NAMES_A_RECORD =
  /^\/(workspaceId|leftTableId|rightTableId|condition\/metricId|(breakGlassUserIds|recipientIds|metricIds|channels\/email\/userIds|channels\/email\/groupIds)\/\d+)$/;
/** Its example has the address of another person than the caller, or a time that is over by now. */
const isOfCaller = (operationId: string, place: string) =>
  (operationId === 'confirmEmail' && place === '/email') || (operationId === 'snoozeAlert' && place === '/until');

/** Programs are approved in a browser only. */
async function tokenFor(api: Api, { permission, operationId }: (typeof requests)[number][1]) {
  if (permission === 'public') return undefined;
  if (operationId === 'approveBrowserSignIn') return browserTokenOf(api, await api.password('owner'));
  return api.token('owner');
}

/** They would change what other tests see. */
const isOfCompany = ([, { permission }]: (typeof requests)[number]) => permission === 'company:manage';

describe('the examples of requests', () => {
  const passes = async ([operationId, route, body]: (typeof requests)[number], { api }: { api: Api }) => {
    const token = await tokenFor(api, route);
    const reply = await call(api.endpoint, route.method, somePath(route), { token, body });
    // The records that they refer to are missing here, which has other codes, or is an issue of the place that names
    // them.
    const places = (reply.body?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
    if (
      places.length > 0 &&
      places.every((place: string) => NAMES_A_RECORD.test(place) || isOfCaller(operationId, place))
    )
      return;
    expect(['VALIDATION_FAILED', 'UNAUTHENTICATED', 'FORBIDDEN'], JSON.stringify(reply.body)).not.toContain(
      reply.body?.code,
    );
  };
  it.for(requests.filter((request) => !isOfCompany(request)))('pass validation: %s', passes);
  itWithOwnCompany.for(requests.filter(isOfCompany))('pass validation: %s', passes);

  it('define a pipeline with every type of step, which can be saved', async ({ api }) => {
    const source = await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' });
    const text = JSON.stringify(pipelineExamples.createPipeline.request).replaceAll(IDS.files, source.body.id);
    const reply = await api.as('editor').send('POST', '/api/pipelines', { text });
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    expect(new Set(reply.body.dag.steps.map(({ type }: { type: string }) => type)).size).toBe(5);
  });
});
