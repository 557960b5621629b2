import { didYouMean } from '../../platform/text/nearest.ts';

/** The message of an issue about a table that is not among the known ones. */
export const noTable = (name: string, known: Iterable<string>): string =>
  `There is no table "${name}"${didYouMean(name, known)}`;

/** The name of the table in such a message. */
export const unknownTable = (message: string): string | undefined =>
  /^There is no table "(.*?)"[.;]/s.exec(message)?.[1];
