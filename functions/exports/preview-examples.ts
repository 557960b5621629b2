import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import type * as routes from './preview-routes.ts';

export const examples: ExamplesOf<typeof routes> = { getSharePreviewImage: {} };
