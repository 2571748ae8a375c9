import { expect, test } from 'vitest';
import { type Handling, readDefinition, type State } from './definition.ts';

const { States } = readDefinition('attest');
const state = (name: string): State => States[name] ?? { Type: 'Absent' };

function handlingOf(handlings: readonly Handling[] | undefined, error: string): Handling | undefined {
  return handlings?.find(
    ({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'),
  );
}

test.each(['Commit', 'Reveal'])('%s waits for a token and looks again when it times out', (name) => {
  expect(state(name).Resource).toBe('arn:aws:states:::lambda:invoke.waitForTaskToken');
  expect(state(name).Parameters?.Payload['taskToken.$']).toBe('$$.Task.Token');
  expect(state(name).TimeoutSeconds).toBe(`\${TaskTimeoutSeconds}`);
  expect(handlingOf(state(name).Retry, 'States.Timeout')?.MaxAttempts).toBe(500);
  expect(handlingOf(state(name).Catch, 'States.Timeout')?.Next).toBe(name);
});

test.each(['Commit', 'Reveal'])(
  '%s goes on to Confirm at once when the content is attested already',
  (name) => {
    expect(handlingOf(state(name).Retry, 'AlreadyAttestedError')?.MaxAttempts).toBe(0);
    expect(handlingOf(state(name).Catch, 'AlreadyAttestedError')?.Next).toBe('Confirm');
  },
);

test.each(['Commit', 'Reveal', 'Confirm'])('%s ends at Fail at once when the row says failed', (name) => {
  expect(handlingOf(state(name).Retry, 'AttestationFailedError')?.MaxAttempts).toBe(0);
  expect(handlingOf(state(name).Catch, 'AttestationFailedError')?.Next).toBe('Fail');
});

test('waits between commit and reveal until the time that the commit answered', () => {
  expect(state('Commit').Next).toBe('RevealDelay');
  expect(state('RevealDelay')).toMatchObject({
    Type: 'Wait',
    TimestampPath: '$.commit.revealAt',
    Next: 'Reveal',
  });
  expect(state('Reveal').Next).toBe('Confirm');
});

test('goes back to Commit when a reorganisation undid the commit, whose delay then never ends', () => {
  expect(handlingOf(state('Reveal').Catch, 'RevealTooEarlyError')?.Next).toBe('Commit');
});

test('goes back to Commit when an operation may still be mined', () => {
  expect(handlingOf(state('Fail').Catch, 'OperationBoundError')?.Next).toBe('Commit');
});

// That it does is seen in test/service/executions.test.ts.
test('takes the same way on the emulator, where a function that throws loses the name of its error', () => {
  expect(handlingOf(state('Confirm').Retry, 'NotYetFinalError')?.ErrorEquals).toContain(
    'Runtime.HandlerError',
  );
  expect(handlingOf(state('Fail').Catch, 'OperationBoundError')?.ErrorEquals).toContain(
    'Runtime.HandlerError',
  );
});
