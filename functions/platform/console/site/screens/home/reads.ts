import { asked, type Reads } from '../../shell/reads.ts';
import { MAX_DASHBOARDS, MAX_OF_KIND, MAX_READ, recentStart } from './limits.ts';

export const reads: Reads = {
  '/': () => [
    asked('/pipelines/runs', { status: 'failed', from: recentStart(), limit: MAX_OF_KIND }),
    asked('/data-quality/issues', { status: 'open', limit: MAX_OF_KIND }),
    asked('/webhooks', { limit: MAX_READ }),
    asked('/data-sources', { limit: MAX_READ }),
    ...(hasRecent() ? [] : [asked('/dashboards/page', { limit: MAX_DASHBOARDS })]),
  ],
};

/** Whether a person has opened anything in this browser: the screen then shows that. */
const hasRecent = (): boolean => Object.keys(localStorage).some((key) => key.startsWith('recent '));
