import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/sources': ({ query: { type = '', sort = '-createdAt' } }) => [
    asked('/data-sources', { limit: PAGE, sort, ...(type && { type }) }),
  ],
};
