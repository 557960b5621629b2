import { expect, it } from 'vitest';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { readableMessage } from '../../../../shared/platform/errors/readable-message.ts';

const because = (...messages: string[]) =>
  new AppError('SQL_ERROR', {
    detail: 'The SQL statement failed. Correct what `errors` lists.',
    errors: messages.map((message) => ({ pointer: '/sql', code: 'SQL_ERROR', message })),
  });

it('a message for people who see no `errors` contains the first of them, each once', () => {
  const detail = 'The SQL statement failed. Correct what `errors` lists.';
  expect(readableMessage(because())).toBe(detail);
  expect(readableMessage(because('There is no column "a".', 'There is no column "a".'))).toBe(
    `${detail} There is no column "a".`,
  );
  expect(readableMessage(because('one', 'two', 'three', 'four', 'five'))).toBe(`${detail} one; two; three; and 2 more`);
});

it('a message that contains its reason is not repeated', () => {
  const message = 'There is no table "x".';
  const error = new AppError('SQL_ERROR', { detail: message, errors: [{ pointer: '', code: 'NOT_FOUND', message }] });
  expect(readableMessage(error)).toBe(message);
});
