/** A measured value beside the most that it may be: `yes` within, `**no**` over. */
export function within(value: number, limit: number): string {
  return value <= limit ? 'yes' : '**no**';
}
