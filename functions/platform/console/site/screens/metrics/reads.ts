import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 100;

export const reads: Reads = {
  '/metrics': ({ query: { q = '', certified = '', sort = '' } }) => [
    asked('/metrics', {
      ...(q && { search: q }),
      ...(certified && { isCertified: certified === 'yes' }),
      ...(sort && { sort }),
      limit: PAGE,
    }),
  ],
};
