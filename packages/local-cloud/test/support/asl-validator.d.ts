declare module 'asl-validator' {
  /** Validates a definition in Amazon States Language. */
  export default function validate(definition: object): { isValid: boolean; errors: unknown[]; errorsText(): string };
}
