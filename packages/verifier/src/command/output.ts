/** Where the command prints: the result with `log`, everything else with `error`. */
export type Output = Pick<Console, 'log' | 'error'>;
