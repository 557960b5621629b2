import { expect, it } from 'vitest';
import { strangerPauseMinutes } from '../../../../functions/platform/workers/send-mail/send-password-reset.ts';

it('the pause after mails for strangers doubles from the fourth, up to three hours', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(strangerPauseMinutes);
  expect(pauses).toEqual([15, 15, 15, 30, 60, 120, 180, 180, 180]);
});
