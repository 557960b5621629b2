import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/stories': ({ query: { search = '', tab = 'all' } }) => [
    asked('/stories', { limit: PAGE, tab, ...(search && { search }) }),
  ],
};
