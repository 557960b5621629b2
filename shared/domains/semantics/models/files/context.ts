import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { idFrom } from '../../../../platform/storage/ids.ts';
import { suggestion } from '../../../../platform/validation/names.ts';
import { invalidFile, MAX_FILE_ISSUES } from '../../../../platform/validation/yaml-file.ts';
import type { ModelDefinition, PartKind } from '../definition/definition.ts';
import { folded } from '../definition/definition.ts';
import type { SourceTable } from '../definition/source-tables.ts';
import { type Act, newStamps } from '../definition/stamps.ts';
import type { ReadFile } from './read.ts';

export interface ImportOptions {
  /** The tables of the source; undefined if they are not known. */
  source: readonly SourceTable[] | undefined;
  /** The same request makes parts with the same ids. */
  requestId: string;
  act: Act;
}

/** What reading a file into a model shares: the model as it is, and the issues found so far. */
export class ImportContext {
  readonly definition: ModelDefinition;
  readonly read: ReadFile;
  readonly options: ImportOptions;
  /** The places of parts in the file, by id. */
  readonly places = new Map<string, string>();
  readonly #issues: Issue[] = [];
  #made = 0;

  constructor(definition: ModelDefinition, read: ReadFile, options: ImportOptions) {
    this.definition = definition;
    this.read = read;
    this.options = options;
  }

  /** The identity of a new part. */
  fresh(kind: PartKind) {
    this.#made += 1;
    return { id: idFrom('model-file', this.options.requestId, kind, this.#made), ...newStamps(this.options.act) };
  }

  /** Throws all issues once there are as many as a reply has. */
  report(pointer: string, code: string, message: string): void {
    this.#issues.push({ pointer, code, message });
    if (this.#issues.length === MAX_FILE_ISSUES) this.assertValid();
  }

  reportAll(base: string, issues: readonly Issue[], placeOf = (pointer: string) => pointer): void {
    for (const { pointer, code, message } of issues) this.report(`${base}${placeOf(pointer)}`, code, message);
  }

  /** The result of a rule of the domain, whose issues are those of the file; undefined if it has any. */
  checked<T>(base: string, rule: () => T): T | undefined {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
      this.reportAll(base, error.errors);
      return undefined;
    }
  }

  assertValid(): void {
    if (this.#issues.length > 0) throw invalidFile(this.read, this.#issues);
  }

  /** Reports names that the file has twice; case does not matter. */
  reportRepeated<T>(parts: readonly T[], nameOf: (part: T) => string, pointerOf: (index: number) => string): void {
    const seen = new Set<string>();
    parts.forEach((part, index) => {
      const name = folded(nameOf(part));
      if (seen.has(name))
        this.report(pointerOf(index), 'DUPLICATE', 'is already the name of another one; case does not matter');
      seen.add(name);
    });
  }

  /** The part of that name; undefined, with an issue, if there is none. */
  named<T>(
    parts: ReadonlyMap<string, T>,
    { name, pointer, what }: { name: string; pointer: string; what: string },
  ): T | undefined {
    const found = parts.get(folded(name));
    if (!found)
      this.report(
        pointer,
        `UNKNOWN_${what.toUpperCase()}`,
        `is not a ${what} of the file${suggestion(name, [...parts.keys()])}`,
      );
    return found;
  }
}
