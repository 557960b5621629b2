import { asked, type Reads } from '../../shell/reads.ts';

const PAGE = 200;

export const reads: Reads = {
  '/sql': () => [asked('/datasets', { sort: 'name', limit: PAGE }), asked('/data-sources', { limit: PAGE })],
};
