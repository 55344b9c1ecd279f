import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressList, canonicalAddress, networkOf, parseAddress, parseAddressEntry } from './addresses.ts';

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });

describe('addresses', () => {
  test('when an IPv6 address is spelled differently, then it is the same address', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const long = parts.map((part) => part.toString(16).padStart(4, '0')).join(':');
        const short = canonicalAddress(long) ?? '';
        expect(parseAddress(short.toUpperCase())).toBe(parseAddress(long));
        expect(canonicalAddress(short)).toBe(short);
      }),
    );
  });

  test('when IPv4 is written as IPv6, then it is the same address as the IPv4 one', () => {
    fc.assert(
      fc.property(octets, (parts) => {
        const dotted = parts.join('.');
        const hex = Buffer.from(parts).toString('hex');
        for (const spelling of [
          `::ffff:${dotted}`,
          `::FFFF:${hex.slice(0, 4)}:${hex.slice(4)}`,
          `0:0:0:0:0:ffff:${dotted}`,
        ]) {
          expect(canonicalAddress(spelling)).toBe(dotted);
          expect(addressList([dotted]).has(spelling)).toBe(true);
        }
      }),
    );
  });

  test('when an IPv6 address only ends like IPv4, then it is a different address', () => {
    for (const other of ['::1.2.3.4', '64:ff9b::1.2.3.4', '::ffff:0:1.2.3.4'])
      expect(addressList(['1.2.3.4']).has(other)).toBe(false);
  });

  test('when a list has many blocks, then it contains every address of each block', () => {
    const block = fc
      .tuple(octets, fc.integer({ min: 8, max: 32 }))
      .map(([parts, prefix]) => `${parts.join('.')}/${prefix}`);
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), octets, (blocks, parts) => {
        const address = parts.join('.');
        const value = parseAddress(address) ?? 0n;
        const expected = blocks
          .map(parseAddressEntry)
          .some((range) => range && range[0] <= value && value <= range[1]);
        expect(addressList(blocks).has(address)).toBe(expected);
      }),
    );
  });

  test.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '::1/129',
    '5.5.5.9-5.5.5.1',
    '1.1.1.1-::2',
    'fe80::1%eth0',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '1.2.3.4/0x8',
    '256.1.1.1',
  ])('when an entry is %j, then it is invalid', (entry) => expect(parseAddressEntry(entry)).toBeUndefined());

  test('when a link-local address names its interface, then lists match it without the interface', () => {
    expect(addressList(['fe80::/10']).has('fe80::1%eth0')).toBe(true);
    expect(addressList(['fe80::1']).has('fe80::1%eth0')).toBe(true);
    expect(addressList(['fe80::2']).has('fe80::1%eth0')).toBe(false);
    expect(canonicalAddress('FE80::0:1%eth0')).toBe('fe80::1');
  });

  test('when a throttle counts, then IPv4 counts by address and IPv6 by /64', () => {
    expect(networkOf('198.51.100.7')).toBe('198.51.100.7');
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  });
});
