/** The gateway's own errors with their status, message and type, where the API configures no response for them. */
export const GATEWAY_ERRORS = {
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLargeException'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type', 'UnsupportedMediaTypeException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  INTEGRATION_FAILURE: [504, 'Network error communicating with endpoint', 'InternalServerErrorException'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error', 'InternalServerErrorException'],
  /** A function that fails or answers in the wrong form, which has no type of its own. */
  DEFAULT_5XX: [502, 'Internal server error', 'InternalServerErrorException'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;
