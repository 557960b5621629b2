import * as Type from 'typebox';

/** Options of sources whose values a column type may not hold. */
export const decimalsAs = Type.Optional(
  Type.String({
    pattern: '^(string|decimal\\(38,([0-9]|[12][0-9]|3[0-8])\\))$',
    description:
      'The type of numbers of a database without a precision, or with more than 38 digits: `string`, which keeps all digits, or `decimal(38,n)` with n decimal places. Defaults to `decimal(38,9)`.',
  }),
);
export const acceptNullColumns = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 2000,
    uniqueItems: true,
    description:
      'Columns that may become null throughout because their type has none of their values, such as a timestamp column of infinities. Other such columns fail the read with `VALUES_LOST`.',
  }),
);
