import { describe, expect, it } from '@jest/globals';
import { ProgressLine } from '../../../src/programs/process/terminal.js';

/** The text that is written, with words in place of the control characters. */
function shown(
  stream: { isTTY?: boolean; columns?: number },
  tell: (progress: ProgressLine) => void,
  terminal = 'xterm',
) {
  let text = '';
  tell(new ProgressLine({ ...stream, write: (more: string) => (text += more) }, terminal));
  return text.replaceAll('\r\u001b[2K', '<erase>');
}

const twice = (progress: ProgressLine): void => {
  progress.show('1 of 2 done');
  progress.show('2 of 2 done');
  progress.end();
  progress.end();
};

describe('Progress', () => {
  it.each([
    ['where there is no terminal', {}, 'xterm'],
    ['on a terminal that cannot take a line back', { isTTY: true, columns: 80 }, 'dumb'],
  ])('is shown in lines %s', (_, stream, terminal) => {
    expect(shown(stream, twice, terminal)).toBe('1 of 2 done\n2 of 2 done\n');
  });

  it('never fills the last column, because the terminal would go on in the next line', () => {
    expect(shown({ isTTY: true, columns: 10 }, twice)).toBe('1 of 2 d…<erase>2 of 2 d…\n');
  });

  it('fits into a terminal that does not know its width', () => {
    expect(shown({ isTTY: true, columns: 0 }, twice)).toBe('1 of 2 done<erase>2 of 2 done\n');
  });
});
