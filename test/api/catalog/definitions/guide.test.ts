import { it } from '../../../support/api.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('the guide of definitions shows what the platform does', ({ api }) => followGuide(api, 'definitions.md'), 60_000);
