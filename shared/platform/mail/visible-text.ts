/**
 * The text without what adds lines to an email or reverses its text. Names and texts are chosen by people; their
 * spaces stay.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
