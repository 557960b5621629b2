import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HAS_PYTHON, PYTHON_CLIENT, runPython } from '../../../test/support/python.ts';

it.runIf(HAS_PYTHON)('the tests of the Python client pass', async () => {
  // What fails is in standard error, which is shown.
  expect(await runPython(['-m', 'unittest', '--buffer'], '', join(PYTHON_CLIENT, 'test'))).toBe('');
});
