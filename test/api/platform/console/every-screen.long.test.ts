import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import {
  everyPath,
  FAILURES,
  issuesOfMuchData,
  replyWith,
  STATES,
  walkScreens,
} from '../../../support/console/open-walk.ts';

const consoles = useConsoles();

/** Colors depend on the mode, and the rest of accessibility on the width: phones leave parts out or move them. */
const FORMS = [
  { name: 'desktop', width: 1280, colorScheme: 'light', rules: 'all', hasLongTexts: true },
  { name: 'desktop, dark', width: 1280, colorScheme: 'dark', rules: 'colors', hasLongTexts: false },
  { name: 'tablet', width: 820, colorScheme: 'light', rules: 'none', hasLongTexts: false },
  { name: 'phone, dark', width: 390, colorScheme: 'dark', rules: 'all', hasLongTexts: true },
] as const;

/** The members that may own a term: it needs no owner. */
const SILENT = ['/catalog/terms/new'];

const SAID = {
  loading: 'hang',
  empty: 'have nothing',
  failed: 'fail',
  forbidden: 'are forbidden',
  full: 'have much, with long names',
} as const;

describe.runIf(HAS_CHROMIUM)('every screen of the console', { timeout: 5 * PATIENT }, () => {
  for (const state of STATES) {
    it(`fits, is accessible and says what is the matter while replies ${SAID[state]}`, async ({ api }) => {
      const paths = await everyPath();
      // The API replies from its examples, so that nothing has to be there.
      const walked = await Promise.all(
        FORMS.map(async ({ name, width, colorScheme, rules, hasLongTexts }) => {
          const page = await consoles.open(api, {
            as: state === 'forbidden' ? 'viewer' : 'owner',
            width,
            colorScheme,
            before: (opened) => replyWith(opened, state),
          });
          await page.locator('#content').waitFor();
          const { issues, looks, axeRuns, pages } = await walkScreens(page, `${state}, ${name}`, {
            paths,
            // What is on phones has been checked in dark mode there.
            rules: rules === 'colors' && state !== 'full' ? 'none' : rules,
            isHanging: state === 'loading',
            failure: FAILURES[state]?.detail,
            silent: SILENT,
            isDeep: state === 'full',
            hasLongTexts: hasLongTexts && (state === 'empty' || state === 'full'),
          });
          if (process.env.PICTURES) console.log(state, name, { looks, axeRuns, pages });
          return { name, looks, pages, issues };
        }),
      );
      const found = Object.fromEntries(walked.map(({ name, issues }) => [name, issues]));
      expect(found).toEqual(Object.fromEntries(walked.map(({ name }) => [name, []])));
      for (const { name, looks, pages } of walked) {
        expect(looks, name).toBeGreaterThanOrEqual(paths.length);
        // Some screens are alike while they load or fail.
        expect(pages, name).toBeGreaterThan(paths.length / 3);
      }
    });
  }

  it('has examples of much data that the API may reply with', () => expect(issuesOfMuchData()).toEqual([]));
});
