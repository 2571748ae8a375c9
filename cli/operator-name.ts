import { hostname, userInfo } from 'node:os';

/** `user@host` of the machine that a command runs on. A container may know no name of its user: then its number. */
export function operatorName(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
