import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/dashboards': ({ query: { q = '', show = 'all', sort = '-updatedAt' } }) =>
    show === 'all' ? [asked('/dashboards', { include: 'viewerMeta', ...(q && { search: q }), limit: PAGE, sort })] : [],
  // They are no dashboards.
  '/dashboards/new': () => [],
  '/dashboards/reports': () => [],
  '/dashboards/:id': ({ params: { id } }) => [asked(`/dashboards/${id}`, { include: 'viewerMeta' })],
};
