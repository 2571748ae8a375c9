import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/network/public-address.ts';

/** An address of each special network, and the ends of the networks whose prefixes are not whole bytes. */
const special = `
  0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 100::1 fc00::1 fd12::1 fe80::1
  fec0::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 example.org`;
const global = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.0.1.1
  198.17.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450::1`;

test.each([
  ['not public', special, false],
  ['public', global, true],
])('`isPublicAddress` recognizes addresses that are %s', (_, addresses, isPublic) => {
  for (const address of addresses.trim().split(/\s+/))
    expect([address, isPublicAddress(address)]).toEqual([address, isPublic]);
});
