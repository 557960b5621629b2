export function errorObject(cause: unknown): { errorType: string; errorMessage: string; trace?: string[] };
