import { asked, type Reads } from '../../shell/early.ts';

const PAGE = 100;

export const reads: Reads = {
  '/stories': ({ query: { search = '', tab = 'all' } }) => [
    asked('/stories', { limit: PAGE, tab, ...(search && { search }) }),
  ],
};
