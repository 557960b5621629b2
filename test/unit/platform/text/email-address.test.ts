import { describe, expect, it } from 'vitest';
import { domainOf, foldAddress, isSameAddress, whyConfusable } from '../../../../shared/platform/text/email-address.ts';

describe('an email address', () => {
  it.each([
    ['Boss3@Corp.Example', 'boss3@corp.example'],
    ['ada@bücher.example', 'ADA@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@bücher.example'],
  ])('%s is %s: the case of ASCII and the notation of the domain do not matter', (one, other) => {
    expect(isSameAddress(one, other)).toBe(true);
  });

  it.each([
    ['ｂoss3@corp.example', 'boss3@corp.example'],
    ['boſſ@corp.example', 'boss@corp.example'],
    ['\u212Aim@corp.example', 'kim@corp.example'],
    ['É@corp.example', 'é@corp.example'],
    ['bоss@corp.example', 'boss@corp.example'],
    ['boss@corp.example.', 'boss@corp.example'],
  ])('%s is not %s: nothing else is folded', (one, other) => {
    expect(isSameAddress(one, other)).toBe(false);
  });

  it.each([
    ['ｂoss3@corp.example', 'only look like'],
    ['boss3@ｃorp.example', 'only look like'],
    ['\u212Aim@corp.example', 'only look like'],
    ['bo\u200Bss@corp.example', 'invisible'],
    ['bo\u00ADss@corp.example', 'invisible'],
    ['bоss@corp.example', 'mixes'],
    ['boss@cоrp.example', 'mixes'],
    ['boss@co\u05D0rp.example', 'invalid domain'],
  ])('%s is refused', (address, why) => {
    expect(whyConfusable(address)).toContain(why);
  });

  it.each([
    'boss3+x@corp.example',
    'josé@bücher.example',
    'иван@пример.example',
    '山田たろう@例え.example',
    '김@corp.example',
  ])('%s is accepted', (address) => {
    expect(whyConfusable(address)).toBeUndefined();
  });

  it('has a domain in the words of the DNS', () => {
    expect(domainOf('ada@BÜCHER.example')).toBe('xn--bcher-kva.example');
    expect(domainOf('"a@b"@Corp.example')).toBe('corp.example');
    expect(foldAddress('NoAddress')).toBe('noaddress');
  });
});
