import { randomInt } from 'node:crypto';

/** Consonants alone, so that no code spells a word, and no letter is taken for a digit (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** What a person compares and types, such as `WDJB-MJHT`: one of 2.5e10. */
export function newUserCode(draw: (max: number) => number = randomInt): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[draw(ALPHABET.length)]);
  return formatUserCode(letters.join(''));
}

/** The code however a person types it: in small letters, with blanks, or without the hyphen. */
export const canonicalUserCode = (typed: string): string =>
  formatUserCode(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const formatUserCode = (letters: string): string => `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
