import { domainToASCII } from 'node:url';

/** A sign-in name that is an address: a local part and a domain. */
export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/**
 * Equal for two addresses of one mailbox: the case of ASCII letters does not matter, nor how an international domain is
 * written (IDNA). Nothing else is folded: a letter that only looks like another one, or becomes it by a normalization
 * of Unicode, is another address.
 */
export function foldAddress(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return lowerAscii(address);
  return `${lowerAscii(address.slice(0, at))}@${asciiDomain(address.slice(at + 1))}`;
}

export const isSameAddress = (one: string, other: string): boolean => foldAddress(one) === foldAddress(other);

/** The domain of an address, as the DNS knows it. */
export const domainOf = (address: string): string => asciiDomain(address.slice(address.lastIndexOf('@') + 1));

/**
 * Why the address could be taken for another one; undefined if it cannot. What is wrong with it follows "The address
 * …".
 */
export function whyConfusable(address: string): string | undefined {
  if (isAscii(address)) return undefined;
  if (address !== address.normalize('NFKC'))
    return 'has characters that only look like others, such as full-width letters';
  if (/[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}]/u.test(address)) return 'has invisible characters';
  const at = address.lastIndexOf('@');
  const [local, domain] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  if (!isAscii(domain) && domainToASCII(domain) === '') return 'has an invalid domain';
  if ([local, ...domain.split('.')].some(mixesScripts)) return 'mixes letters of several scripts';
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Only an international domain is converted: the function reads numbers and escapes in others. */
const asciiDomain = (domain: string): string =>
  isAscii(domain) ? domain.toLowerCase() : domainToASCII(domain) || lowerAscii(domain);

/** Scripts that are written together; letters of all others stand alone. */
const TOGETHER = [
  /^\p{Script=Latin}*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
];
const ALONE = ['Cyrillic', 'Greek', 'Armenian', 'Hebrew', 'Arabic', 'Devanagari', 'Thai', 'Georgian', 'Cherokee'];
const SINGLE = ALONE.map((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u'));

function mixesScripts(text: string): boolean {
  const letters = text.replace(/[^\p{L}]|\p{Script=Common}/gu, '');
  if ([...TOGETHER, ...SINGLE].some((scripts) => scripts.test(letters))) return false;
  // Of the scripts that are not named here none looks like Latin; beside a letter of a named one they do not belong.
  return /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(letters);
}
