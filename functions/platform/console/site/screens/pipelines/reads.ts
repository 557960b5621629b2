import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/pipelines': ({ query: { status = '', sort = '-createdAt' } }) => [
    asked('/pipelines', { sort, ...(status && { status }), limit: PAGE }),
  ],
  // It is no pipeline.
  '/pipelines/new': () => [],
  '/pipelines/:id': ({ params: { id } }) => [asked(`/pipelines/${id}`)],
};
