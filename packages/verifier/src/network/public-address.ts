import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIPv4, type LookupFunction } from 'node:net';

/** IPv4 networks that are not on the public internet, or are multicast: IANA's registry (RFC 6890). */
const specialV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Special parts of 2000::/3, the only allocated IPv6 range: Teredo and others, documentation, 6to4. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function blockListOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const [special4, special6] = [blockListOf(specialV4, 'ipv4'), blockListOf(specialV6, 'ipv6')];
const global6 = blockListOf(['2000::/3'], 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4');
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

export class AddressPrivateError extends Error {}

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How to reach hosts on the public internet. */
export interface PublicNetwork {
  readonly request: (url: URL, options: RequestOptions) => ReturnType<typeof requestHttp>;
  readonly resolve: Resolve;
  readonly isPublic: (address: string) => boolean;
  /** Total time, including name resolution and redirects. */
  readonly timeoutMilliseconds: number;
}

export const publicInternet: PublicNetwork = {
  ...{ request: requestHttps, resolve: lookup, isPublic: isPublicAddress },
  timeoutMilliseconds: 10_000,
};

/** A look-up that returns only public addresses. Connect to these, because a second look-up might return others. */
export function lookupPublic(resolve: Resolve, isPublic: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), '');
      if (!addresses.every(({ address }) => isPublic(address)))
        return callback(new AddressPrivateError('the name resolves to an address that is not public'), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
