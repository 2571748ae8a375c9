import { InvalidArgumentError } from 'commander';

/** Makes a parser for an option whose value is a whole number within bounds. */
export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}
