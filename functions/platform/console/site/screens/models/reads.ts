import { asked, type Reads } from '../../shell/early.ts';

const PAGE = 100;

export const reads: Reads = {
  '/models': ({ query: { q = '', status = '', sort = '' } }) => [
    asked('/models', { ...(q && { search: q }), ...(status && { status }), ...(sort && { sort }), limit: PAGE }),
  ],
};
