import { expect, it } from 'vitest';
import { dateText, dayText, momentText, timeText } from '../../../../functions/platform/console/site/ui/moment.ts';

it('writes dates and times in one form', () => {
  const at = new Date(2026, 11, 31, 0, 5, 9).toISOString();
  expect([dateText('2026-12-31'), dayText(at), timeText(at), momentText(at)]).toEqual([
    'Dec 31, 2026',
    'Dec 31, 2026',
    '00:05:09',
    'Dec 31, 2026, 00:05:09',
  ]);
});
