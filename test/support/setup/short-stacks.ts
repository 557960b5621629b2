/**
 * As many frames as Node keeps. Vitest keeps a hundred, which are captured for every error and in every call of an AWS
 * client: a twentieth of the processor time of tests that use the table.
 */
Error.stackTraceLimit = 10;
