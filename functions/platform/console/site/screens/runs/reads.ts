import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/runs': ({ query: { status = '', trigger = '', pipeline = '' } }) => [
    asked('/pipelines/runs', {
      ...(status && { status }),
      ...(trigger && { trigger }),
      ...(pipeline && { pipelineId: pipeline }),
      limit: PAGE,
    }),
  ],
  '/runs/:id': ({ params: { id } }) => [asked(`/pipelines/runs/${id}`)],
};
