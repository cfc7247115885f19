import { expect, it } from '@jest/globals';
import { Command } from 'ioredis';
import { encodeLargeArguments } from '../../../src/engines/redis/fail-fast-clients.js';

const KILOBYTE = 1_024;

it.each([
  ['ASCII', 'a'.repeat(100 * KILOBYTE)],
  ['text of one byte a character that is none in UTF-8', 'é'.repeat(100 * KILOBYTE)],
  ['text with something else at its end', `${'a'.repeat(100 * KILOBYTE)}運`],
  ['half of a surrogate pair', `${'a'.repeat(100 * KILOBYTE)}\ud83d`],
  ['small text', 'a運'],
])('sends the same bytes as the client would: %s', (_what, text) => {
  const given = ['key', text, Buffer.from([1, 2]), 7];
  const command = new Command('eval', given);
  encodeLargeArguments(command);
  expect(bytesOf(command).equals(bytesOf(new Command('eval', given)))).toBe(true);
});

it('turns what is large into bytes and leaves the rest as it is, so that keys are found', () => {
  const command = new Command('set', ['key', 'a'.repeat(100 * KILOBYTE)]);
  encodeLargeArguments(command);
  expect(command.args).toEqual(['key', expect.any(Buffer)]);
});

function bytesOf(command: Command): Buffer {
  const written = command.toWritable({});
  return typeof written === 'string' ? Buffer.from(written) : written;
}
