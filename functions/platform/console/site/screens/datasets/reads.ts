import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/datasets': ({ query: { q = '', sort = '-createdAt' } }) => [
    asked('/datasets', { limit: PAGE, ...(q && { search: q }), ...(sort !== '-createdAt' && { sort }) }),
  ],
  '/datasets/:id': ({ params: { id } }) => [asked(`/datasets/${id}`)],
};
