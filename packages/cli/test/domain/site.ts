import { request as requestHttp } from 'node:http';
import type { PublicNetwork } from 'imprimatur-verifier/network';
import { isPublicAddress } from 'imprimatur-verifier/network';

/**
 * A network in which all requests reach one server, without TLS. Names resolve to 127.0.0.1 by default, which counts as
 * public.
 */
export function networkTo(port: number, names: Readonly<Record<string, readonly string[]>> = {}) {
  const resolved: string[] = [];
  const network: PublicNetwork = {
    request: ({ hostname, pathname, search }, options) =>
      requestHttp({ ...options, hostname, path: pathname + search, port }),
    resolve: (hostname, _, callback) => {
      resolved.push(hostname);
      const addresses = names[hostname] ?? ['127.0.0.1'];
      const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      setImmediate(() => callback(null, all));
    },
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
    timeoutMilliseconds: 10_000,
  };
  return { network, resolved };
}
