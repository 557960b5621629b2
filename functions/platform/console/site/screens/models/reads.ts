import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/models': ({ query: { q = '', status = '', sort = '' } }) => [
    asked('/models', { ...(q && { search: q }), ...(status && { status }), ...(sort && { sort }), limit: PAGE }),
  ],
};
